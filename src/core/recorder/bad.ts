/** A record that cannot be written as it was given; the reason goes into its `bad_record` event and never holds a value. */
export class BadRecord extends Error {
  override readonly name = "BadRecord";
}

const MAX_NAME = 80;

/** A name of the caller's, short enough for an event. */
export function shortName(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}

/** Text without halves of characters, which UTF-8 cannot say: each becomes U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
