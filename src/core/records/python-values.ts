/**
 * A configuration as JavaScript holds it, as the JSON tree that Python would have: what a witness is written from.
 *
 * JavaScript has one kind of number where Python has two, and the hash tells them apart (1 and 1.0). Whole numbers below 2^53 are
 * Python's int; every other number is a float (1e21, 2**60, -0, 0.5, NaN); a BigInt is an int of any size; {@link float} says that a
 * whole number is a float. Whoever has the JSON text keeps each number's own spelling with {@link configOfText} instead.
 */
import type { JsonTree } from "../format/json.ts";
import { MAX_DEPTH, NumberText, parseJsonNumbers } from "../format/json-parse.ts";
import { pythonFloat } from "./python-json.ts";

export type PythonTree = JsonTree<NumberText>;
export type PythonObject = { readonly [key: string]: PythonTree };

/** A number that Python holds as a float, whatever its value: `float(1)` is 1.0 in the file and in the hash. */
export function float(value: number): NumberText {
  return new NumberText(pythonFloat(value));
}

/** A configuration that cannot be written as JSON, or not so that the reader could check it. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * The tree of a value. As JSON.stringify does it: `toJSON` is called; undefined, functions and symbols are left out of objects and
 * are null in lists; of an object, its own enumerable keys count.
 *
 * @throws ConfigError naming the place of a cycle, of a Map, Set or typed array, of nesting beyond the reader's limit, or of a
 *   value that cannot be looked at
 */
export function pythonTree(value: unknown): PythonTree {
  return new Converter().tree(value, [], 1) ?? null;
}

/** @throws ConfigError when it is not JSON (NaN and Infinity are taken), nests too deep, or is no object */
export function configOfText(text: string): PythonObject {
  const parsed = parseJsonNumbers(text.startsWith("\ufeff") ? text.slice(1) : text);
  if (!parsed.ok) throw new ConfigError(parsed.reason === "empty" ? "it is empty" : "it is not JSON");
  if (parsed.notes.tooDeep > 0) throw new ConfigError(`it nests deeper than ${MAX_DEPTH} levels`);
  if (!isPythonObject(parsed.value)) throw new ConfigError("it is not an object");
  return parsed.value;
}

export function isPythonObject(value: PythonTree): value is PythonObject {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof NumberText)
  );
}

type Path = readonly (string | number)[];

/** One level is the witness itself. */
const DEEPEST = MAX_DEPTH - 1;

class Converter {
  /** Objects above the one that is being read. */
  private readonly above = new Set<object>();

  /** `undefined` for what JSON does not have. */
  tree(value: unknown, path: Path, depth: number): PythonTree | undefined {
    switch (typeof value) {
      case "string":
      case "boolean":
        return value;
      case "number":
        return isWhole(value) ? new NumberText(String(value)) : float(value);
      case "bigint":
        return new NumberText(String(value));
      case "object":
        return value === null || value instanceof NumberText ? value : this.object(value, path, depth);
      default:
        return undefined;
    }
  }

  private object(value: object, path: Path, depth: number): PythonTree | undefined {
    if (this.above.has(value)) throw new ConfigError(`a cycle${at(path)}`);
    if (depth > DEEPEST) throw new ConfigError(`nested deeper than ${DEEPEST} levels${at(path.slice(0, 3))}`);
    this.above.add(value);
    try {
      return this.parts(value, path, depth);
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      throw new ConfigError(`a value that cannot be read${at(path)}`);
    } finally {
      this.above.delete(value);
    }
  }

  private parts(value: object, path: Path, depth: number): PythonTree | undefined {
    const { toJSON } = value as { readonly toJSON?: unknown };
    if (typeof toJSON === "function") {
      const json: unknown = toJSON.call(value, String(path.at(-1) ?? ""));
      if (json !== value) return this.tree(json, path, depth + 1);
    }
    if (Array.isArray(value))
      return Array.from(value, (item, i) => this.tree(item, [...path, i], depth + 1) ?? null);
    if (value instanceof Map || value instanceof Set || ArrayBuffer.isView(value)) {
      const kind = Object.prototype.toString.call(value).slice("[object ".length, -1);
      throw new ConfigError(`a ${kind}${at(path)}, which JSON does not have`);
    }
    const out = Object.setPrototypeOf({}, null) as { [key: string]: PythonTree };
    for (const [key, item] of Object.entries(value)) {
      const tree = this.tree(item, [...path, key], depth + 1);
      if (tree !== undefined) out[key] = tree;
    }
    return out;
  }
}

/** A whole number that JavaScript holds exactly; -0 is none, for Python's int has no sign of zero. */
const isWhole = (value: number): boolean => Number.isSafeInteger(value) && !Object.is(value, -0);

const at = (path: Path): string => (path.length === 0 ? "" : ` at ${path.join(".")}`);
