/**
 * doctor.toml: one section a signature, named by its id in lower case; keys are its parameters, and `enabled`.
 * Everything that is wrong is said with its line and the nearest known name; what is right is used all the same.
 */
import { parse, TomlError } from "smol-toml";
import type { DoctorConfig } from "./engine.ts";
import { nearest } from "./nearest.ts";
import { english, type Phrase, phrase } from "./phrase.ts";
import type { Param, Signature } from "./types.ts";

export interface ConfigProblem {
  /** 1-based; null when the place is not known. */
  readonly line: number | null;
  /** Section and key it is about, "" for the file. */
  readonly section: string;
  readonly key: string;
  /** In English. */
  readonly message: string;
  readonly phrase: Phrase;
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
    const why = (error.message.split("\n")[0] ?? "").replace(/^Invalid TOML document: /, "");
    return { config: {}, problems: [problem(error.line, "", "", phrase("This is not TOML: {0}.", why))] };
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
    if (!signature) this.say(name, "", unknownSection(name, [...this.bySection.keys()]));
    else if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Date)
      this.say(name, "", phrase("“{0}” must be a section, [{0}].", name));
    else for (const [key, v] of Object.entries(value)) this.entry(signature, name, key, v);
  }

  private entry(signature: Signature, section: string, key: string, value: unknown): void {
    const own = this.config[signature.id] ?? {};
    this.config[signature.id] = own;
    if (key === "enabled") {
      if (typeof value === "boolean") own.enabled = value;
      else this.say(section, key, phrase("{0}: enabled must be true or false.", signature.id));
      return;
    }
    const param = Object.hasOwn(signature.params, key) ? signature.params[key] : undefined;
    if (!param) {
      const known = [...Object.keys(signature.params), "enabled"];
      this.say(section, key, unknownKey(signature.id, key, known));
      return;
    }
    const number = typeof value === "bigint" ? Number(value) : value;
    const fault = faultOf(number, param);
    if (fault) this.say(section, key, fault(signature.id, key, param.min, param.max));
    else own.values = { ...own.values, [key]: number as number };
  }

  private say(section: string, key: string, phrase: Phrase): void {
    this.problems.push(problem(this.lineOf(section, key), section, key, phrase));
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

type Fault = (id: string, key: string, min: number, max: number) => Phrase;
const NO_NUMBER: Fault = (...of) => phrase("{0}: {1} must be a number from {2} to {3}.", ...of);
const NOT_WHOLE: Fault = (...of) => phrase("{0}: {1} must be a whole number from {2} to {3}.", ...of);

function faultOf(value: unknown, p: Param): Fault | null {
  const fault = p.integer ? NOT_WHOLE : NO_NUMBER;
  if (typeof value !== "number" || !Number.isFinite(value)) return fault;
  if (p.integer && !Number.isInteger(value)) return fault;
  return value < p.min || value > p.max ? fault : null;
}

function unknownSection(name: string, known: readonly string[]): Phrase {
  const near = nearest(name, known);
  return near === null
    ? phrase("There is no signature “{0}”.", short(name))
    : phrase("There is no signature “{0}”; did you mean “{1}”?", short(name), near);
}

function unknownKey(id: string, name: string, known: readonly string[]): Phrase {
  const near = nearest(name, known);
  const all = known.join(", ");
  return near === null
    ? phrase("{0} has no key “{1}”. It has {2}.", id, short(name), all)
    : phrase("{0} has no key “{1}”; did you mean “{2}”? It has {3}.", id, short(name), near, all);
}

function problem(line: number | null, section: string, key: string, phrase: Phrase): ConfigProblem {
  return { line, section, key, message: english(phrase), phrase };
}

const short = (name: string): string => (name.length > 60 ? `${name.slice(0, 60)}…` : name);
