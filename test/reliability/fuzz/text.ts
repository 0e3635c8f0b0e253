/** JSON whose tokens are others, and lines that are lost, doubled, joined and torn. */
import { type ByteMutation, mutateBytes } from "./bytes.ts";
import type { Draw } from "./draw.ts";

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[a-zA-Z]+|[[\]{}:,]|\s+|./gsu;

const VALUES: readonly string[] = [
  ..."null true false NaN Infinity -Infinity 0 -0 -1 1e999 -1e999 1e-999 0.5 1E5 01 1. .5 +1 0x10 nul".split(
    " ",
  ),
  ..."9007199254740993 9223372036854775807 18446744073709551616 123456789012345678901234567890".split(" "),
  ...'"" "x" "__proto__" "constructor" "step" "train_end" "\\u0000" "\\ud800" "\\x" "\u202e" [] {} [[]] [null] {"a":1}'.split(
    " ",
  ),
  '{"__proto__":{"polluted":true}}',
  `"${"y".repeat(5000)}"`,
  `${"[".repeat(300)}${"]".repeat(300)}`,
  `${'{"a":'.repeat(300)}1${"}".repeat(300)}`,
  "[".repeat(2000),
  `1${"0".repeat(400)}`,
];

const utf8 = new TextEncoder();
/** One character a byte: what is no UTF-8 stays as it is. */
const textOf = (bytes: Uint8Array): string => new TextDecoder("latin1").decode(bytes);
const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from(
    [...text].flatMap((c) => (c.charCodeAt(0) < 256 ? [c.charCodeAt(0)] : [...utf8.encode(c)])),
  );

function mutateTokens(text: string, draw: Draw, other: string): { text: string; what: string } {
  const tokens = text.match(TOKEN) ?? [];
  if (tokens.length === 0) return { text: draw.of(VALUES), what: "a value" };
  const at = draw.below(tokens.length);
  // Spaces are the least interesting.
  const place = /^\s/.test(tokens[at] ?? "") ? Math.min(at + 1, tokens.length - 1) : at;
  const token = tokens[place] ?? "";
  const value = draw.chance(0.2) ? draw.of(other.match(TOKEN) ?? VALUES) : draw.of(VALUES);
  const how = draw.below(6);
  if (how <= 2) tokens[place] = value;
  else if (how === 3) tokens.splice(place, draw.few(5));
  else if (how === 4) tokens.splice(place, 0, ...tokens.slice(place, place + draw.few(12)));
  else {
    const second = draw.below(tokens.length);
    tokens[place] = tokens[second] ?? "";
    tokens[second] = token;
  }
  return {
    text: tokens.join(""),
    what: `token ${place} (${how}: ${token.slice(0, 20)}, ${value.slice(0, 20)})`,
  };
}

export const mutateJson: ByteMutation = (bytes, draw, other) => {
  if (draw.chance(0.25)) return mutateBytes(bytes, draw, other);
  let text = textOf(bytes);
  const what: string[] = [];
  for (let i = draw.few(4); i > 0; i--) {
    const changed = mutateTokens(text, draw, textOf(other));
    text = changed.text;
    what.push(changed.what);
  }
  return { bytes: bytesOf(text), what: what.join(", ") };
};

type LineMutation = (lines: string[], at: number, draw: Draw, others: readonly string[]) => void;

const LINE_MUTATIONS: Readonly<Record<string, LineMutation>> = {
  lost: (lines, at) => lines.splice(at, 1),
  repeated: (lines, at, draw) =>
    lines.splice(at, 0, ...new Array<string>(draw.of([1, 2, 300])).fill(lines[at] ?? "")),
  torn: replaced((line, draw) => line.slice(0, draw.below(line.length + 1))),
  joined: (lines, at) => lines.splice(at, 2, (lines[at] ?? "") + (lines[at + 1] ?? "")),
  "joined with another file's": replaced((line, draw, others) => line + draw.of(others)),
  "behind another file's": (lines, at, draw, others) => lines.splice(at, 0, draw.of(others)),
  "after NULs": replaced((line, draw) => "\0".repeat(draw.of([1, 7, 512])) + line),
  "with other spaces": replaced((line, draw) =>
    line.replaceAll(" ", draw.of(["", "\r", "\t", "\u000b", "\u0085"])),
  ),
  "after a byte order mark": replaced((line) => `\xef\xbb\xbf${line}`),
  "with a CR": replaced((line) => `${line}\r`),
  "a value": replaced((_line, draw) => draw.of(VALUES)),
};

function replaced(by: (line: string, draw: Draw, others: readonly string[]) => string): LineMutation {
  return (lines, at, draw, others) => {
    lines[at] = by(lines[at] ?? "", draw, others);
  };
}

function mutateLine(lines: string[], draw: Draw, others: readonly string[]): string {
  const at = draw.below(lines.length);
  const [what, mutate] = draw.of(Object.entries(LINE_MUTATIONS));
  mutate(lines, at, draw, others);
  return `line ${at} ${what}`;
}

export const mutateLines: ByteMutation = (bytes, draw, other) => {
  if (draw.chance(0.2)) return mutateBytes(bytes, draw, other);
  const lines = textOf(bytes).split("\n");
  const others = textOf(other).split("\n");
  const what: string[] = [];
  for (let i = draw.few(4); i > 0; i--) {
    if (lines.length === 0) lines.push("");
    const at = draw.below(lines.length);
    if (draw.chance(0.5)) {
      const changed = mutateTokens(lines[at] ?? "", draw, draw.of(others));
      lines[at] = changed.text;
      what.push(`line ${at}: ${changed.what}`);
    } else what.push(mutateLine(lines, draw, others));
  }
  return { bytes: bytesOf(lines.join("\n")), what: what.join(", ") };
};
