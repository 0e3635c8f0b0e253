/** A tree of JSON values whose numbers are `N`. Objects have own keys only: "__proto__" is a key like any other. */
export type JsonTree<N> =
  | null
  | boolean
  | string
  | N
  | readonly JsonTree<N>[]
  | { readonly [key: string]: JsonTree<N> };

/** JSON as Python writes it: NaN and Infinity tokens are numbers; integers beyond 2^53 are BigInt. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

/** Own keys only, in file order; made without a prototype, so that "__proto__" is a key like any other. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** True for an object that is not an array and not null. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One object without keys, for every place that needs one. */
export const EMPTY_OBJECT: JsonObject = Object.freeze(Object.setPrototypeOf({}, null) as JsonObject);

/** The kind of a value in words; never the value. */
export function kindOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value === "string") return "text";
  if (typeof value === "boolean") return String(value);
  return "a number";
}
