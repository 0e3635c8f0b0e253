/** config_hash of ADR 0008: what a result is the result of, in 16 digits. */
import type { JsonTree } from "../format/json.ts";
import { type NumberText, parseJsonNumbers } from "../format/json-parse.ts";
import { decodeUtf8 } from "../format/text.ts";
import { pythonDumps } from "./python-json.ts";

/** First 16 hexadecimal digits of the sha256 of `json.dumps(config, sort_keys=True)`. */
export async function configHash(config: JsonTree<NumberText>): Promise<string> {
  const bytes = new TextEncoder().encode(pythonDumps(config));
  const digest = new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The hash of one object inside a JSON file.
 *
 * @param key its key at the top level of the file
 * @returns null when there is no such object, or when it cannot be known exactly (no JSON, not UTF-8, too deep)
 */
export async function configHashIn(bytes: Uint8Array, key: string): Promise<string | null> {
  const { text, invalid } = decodeUtf8(bytes);
  if (invalid) return null;
  const parsed = parseJsonNumbers(text);
  if (!parsed.ok || parsed.notes.tooDeep) return null;
  const config = isObject(parsed.value) ? (parsed.value[key] ?? null) : null;
  return isObject(config) ? configHash(config) : null;
}

type Tree = JsonTree<NumberText>;

function isObject(value: Tree): value is { readonly [key: string]: Tree } {
  // Objects of the parser have no prototype; NumberText has one.
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === null;
}
