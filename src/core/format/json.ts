/** JSON as Python writes it: NaN and Infinity tokens are numbers; integers beyond 2^53 are BigInt. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

/** Own keys only, in file order; made without a prototype, so that "__proto__" is a key like any other. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
