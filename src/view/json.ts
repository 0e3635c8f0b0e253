/** JSON that is read as text, by people and by models: values with integers of any size, texts with what does not show escaped. */

export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };
export type JsonRecord = { readonly [key: string]: Json | undefined };

/** @param hidden characters that are escaped besides those that JSON escapes; with the flags g and u */
export function quoted(text: string, hidden: RegExp): string {
  return JSON.stringify(text).replace(hidden, (c) =>
    Array.from({ length: c.length }, (_, i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, "0")}`).join(
      "",
    ),
  );
}

export function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}
