/** Changes of a doctor.toml: one signature's thresholds are set, everything else stays as somebody wrote it. */
import { headerOf, keyOf, parseConfig } from "../core/doctor/config.ts";
import { ALL_SIGNATURES } from "./signature-page.ts";

type Values = Readonly<Record<string, number>>;

/** The section as it would stand in an empty file; "" when nothing of it is known. */
export function sectionText(signature: string, values: Values): string {
  const entries = known(signature, values);
  if (entries.length === 0) return "";
  return [`[${signature.toLowerCase()}]`, ...entries.map(([name, value]) => `${name} = ${value}`), ""].join(
    "\n",
  );
}

/** @returns `null` when the file is not TOML, or says it in a way that cannot be changed by line */
export function withThresholds(text: string, signature: string, values: Values): string | null {
  const entries = known(signature, values);
  const section = signature.toLowerCase();
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  const header = lines.findIndex((line) => headerOf(line) === section);
  if (header < 0) {
    while (lines.length > 0 && lines.at(-1)?.trim() === "") lines.pop();
    if (lines.length > 0) lines.push("");
    lines.push(...sectionText(signature, values).split("\n"));
  } else for (const [name, value] of entries) setLine(lines, header, name, value);
  const changed = lines.join(newline);
  return holds(changed, signature, entries) ? changed : null;
}

function setLine(lines: string[], header: number, name: string, value: number): void {
  let last = header;
  for (let i = header + 1; i < lines.length && headerOf(lines[i] ?? "") === null; i++) {
    const line = lines[i] ?? "";
    if (line.trim() !== "") last = i;
    if (keyOf(line) !== name) continue;
    // A comment behind the value stays.
    lines[i] = line.replace(/=\s*[^\s#]*/, () => `= ${value}`);
    return;
  }
  lines.splice(last + 1, 0, `${name} = ${value}`);
}

function known(signature: string, values: Values): [string, number][] {
  const params = ALL_SIGNATURES.find(({ id }) => id === signature)?.params ?? {};
  return Object.entries(values).flatMap(([name, value]) => {
    const param = Object.hasOwn(params, name) ? params[name] : undefined;
    if (!param || !Number.isFinite(value)) return [];
    const near = Math.min(param.max, Math.max(param.min, value));
    return [[name, param.integer ? Math.round(near) : near] as [string, number]];
  });
}

/** A line is a guess at TOML: what was meant must be what is read. */
function holds(text: string, signature: string, entries: readonly (readonly [string, number])[]): boolean {
  const values = parseConfig(text, ALL_SIGNATURES).config[signature]?.values;
  return entries.every(([name, value]) => values?.[name] === value);
}
