/**
 * doctor.toml: one section a signature, named by its id in lower case; keys are its parameters, and `enabled`.
 * Everything that is wrong is said with its line and the nearest known name; what is right is used all the same.
 */
import { parse, TomlError } from "smol-toml";
import type { DoctorConfig } from "./engine.ts";
import { nearest } from "./nearest.ts";
import type { Param, Signature } from "./types.ts";

export interface ConfigProblem {
  /** 1-based; null when the place is not known. */
  readonly line: number | null;
  /** Section and key it is about, "" for the file. */
  readonly section: string;
  readonly key: string;
  readonly message: string;
}

export interface ParsedConfig {
  readonly config: DoctorConfig;
  readonly problems: readonly ConfigProblem[];
}

export function parseConfig(text: string, signatures: readonly Signature[]): ParsedConfig {
  let root: Record<string, unknown>;
  try {
    root = parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const message = `This is not TOML: ${(error.message.split("\n")[0] ?? "").replace(/^Invalid TOML document: /, "")}.`;
    return { config: {}, problems: [{ line: error.line, section: "", key: "", message }] };
  }
  const reader = new ConfigReader(text, signatures);
  for (const [section, value] of Object.entries(root)) reader.section(section, value);
  return { config: reader.config, problems: reader.problems };
}

class ConfigReader {
  readonly config: Record<string, { enabled?: boolean; values?: Record<string, number> }> =
    Object.create(null);
  readonly problems: ConfigProblem[] = [];
  private readonly lines: readonly string[];
  private readonly bySection: ReadonlyMap<string, Signature>;

  constructor(text: string, signatures: readonly Signature[]) {
    this.lines = text.split(/\r?\n/);
    this.bySection = new Map(signatures.map((s) => [s.id.toLowerCase(), s]));
  }

  section(name: string, value: unknown): void {
    const signature = this.bySection.get(name);
    if (!signature) this.say(name, "", unknown("There is no signature", name, [...this.bySection.keys()]));
    else if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Date)
      this.say(name, "", `“${name}” must be a section, [${name}].`);
    else for (const [key, v] of Object.entries(value)) this.entry(signature, name, key, v);
  }

  private entry(signature: Signature, section: string, key: string, value: unknown): void {
    const own = this.config[signature.id] ?? {};
    this.config[signature.id] = own;
    if (key === "enabled") {
      if (typeof value === "boolean") own.enabled = value;
      else this.say(section, key, `${signature.id}: enabled must be true or false.`);
      return;
    }
    const param = Object.hasOwn(signature.params, key) ? signature.params[key] : undefined;
    if (!param) {
      const known = [...Object.keys(signature.params), "enabled"];
      this.say(
        section,
        key,
        `${unknown(`${signature.id} has no key`, key, known)} It has ${known.join(", ")}.`,
      );
      return;
    }
    const number = typeof value === "bigint" ? Number(value) : value;
    const fault = faultOf(number, param);
    if (fault) this.say(section, key, `${signature.id}: ${key} must be ${fault}.`);
    else own.values = { ...own.values, [key]: number as number };
  }

  private say(section: string, key: string, message: string): void {
    this.problems.push({ line: this.lineOf(section, key), section, key, message });
  }

  /** Where a key or section stands; good enough for the way people write such files. */
  private lineOf(section: string, key: string): number | null {
    const header = this.lines.findIndex((l) => headerOf(l) === section);
    if (key === "" || header < 0) {
      const dotted = this.lines.findIndex((l) => l.trim().startsWith(`${section}.${key}`));
      return header >= 0 ? header + 1 : dotted >= 0 ? dotted + 1 : null;
    }
    for (let i = header + 1; i < this.lines.length; i++) {
      const line = this.lines[i] ?? "";
      if (headerOf(line) !== null) break;
      if (keyOf(line) === key) return i + 1;
    }
    return header + 1;
  }
}

/** The section that a line opens. */
export function headerOf(line: string): string | null {
  const match = /^\s*\[\s*["']?([^\]"']+?)["']?\s*\]/.exec(line);
  return match?.[1] ?? null;
}

/** The key that a line sets. */
export function keyOf(line: string): string | null {
  const match = /^\s*["']?([^\s"'=]+)["']?\s*=/.exec(line);
  return match?.[1] ?? null;
}

function faultOf(value: unknown, p: Param): string | null {
  const range = `${p.integer ? "a whole number" : "a number"} from ${p.min} to ${p.max}`;
  if (typeof value !== "number" || !Number.isFinite(value)) return range;
  if (p.integer && !Number.isInteger(value)) return range;
  return value < p.min || value > p.max ? range : null;
}

/** "… “ratoi”; did you mean “ratio”?", "… “zzz”." */
function unknown(what: string, name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return `${what} “${short(name)}”${near === null ? "." : `; did you mean “${near}”?`}`;
}

const short = (name: string): string => (name.length > 60 ? `${name.slice(0, 60)}…` : name);
