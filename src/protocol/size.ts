/** Bounds of what is asked. The largest question is a file that a page hands over to be saved; answers are not counted here. */

/** Bytes of arrays, characters of texts, and eight for each other value. */
export const MAX_REQUEST = 32 * 2 ** 20;
/** Lists in lists; a question has a handful. */
const MAX_DEPTH = 64;
const EACH = 8;

/** Whether a message is small and shallow enough to be looked at. Stops as soon as it is not; never throws. */
export function isWithinBounds(message: unknown): boolean {
  let size = 0;
  let level: unknown[] = [message];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return false;
    const next: unknown[] = [];
    for (const value of level) {
      size += sizeOf(value);
      if (Array.isArray(value)) {
        // Before they are looked at one by one: there may be any number.
        if (size + EACH * value.length > MAX_REQUEST) return false;
        for (const item of value) next.push(item);
      } else if (isObject(value)) {
        for (const [key, item] of Object.entries(value)) {
          size += key.length;
          next.push(item);
        }
      }
      if (size > MAX_REQUEST) return false;
    }
    level = next;
  }
  return true;
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") return EACH + value.length;
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return EACH + value.byteLength;
  return EACH;
}

function isObject(value: unknown): value is object {
  return (
    typeof value === "object" &&
    value !== null &&
    !ArrayBuffer.isView(value) &&
    !(value instanceof ArrayBuffer)
  );
}
