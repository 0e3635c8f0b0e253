/** Messages between the page and its bench host: JSON with typed arrays beside it, as VS Code's channel has them. */

const KINDS = { Float64Array, Float32Array, Int32Array, Uint32Array, Uint8Array } as const;
type Kind = keyof typeof KINDS;

const align = (length: number): number => (length + 7) & ~7;

interface Slot {
  readonly $array: Kind;
  readonly at: number;
  readonly length: number;
}

export function encode(message: unknown): Uint8Array<ArrayBuffer> {
  const arrays: Uint8Array[] = [];
  let size = 0;
  const json = JSON.stringify(message, (_, value: unknown) => {
    if (!ArrayBuffer.isView(value)) return value;
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    const kind = value.constructor.name as Kind;
    const slot: Slot = { $array: kind, at: size, length: bytes.length / KINDS[kind].BYTES_PER_ELEMENT };
    arrays.push(bytes);
    size += align(bytes.length);
    return slot;
  });
  const text = new TextEncoder().encode(json);
  const start = align(4 + text.length);
  const out = new Uint8Array(start + size);
  new DataView(out.buffer).setUint32(0, text.length, true);
  out.set(text, 4);
  let at = start;
  for (const bytes of arrays) {
    out.set(bytes, at);
    at += align(bytes.length);
  }
  return out;
}

/** A message with its length before it. */
export function frameOf(body: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(4 + body.length);
  new DataView(out.buffer).setUint32(0, body.length, true);
  out.set(body, 4);
  return out;
}

/** Messages out of a stream of frames, however it is cut. */
export class Frames {
  #rest = new Uint8Array(0);

  take(part: Uint8Array): ArrayBuffer[] {
    const all = new Uint8Array(this.#rest.length + part.length);
    all.set(this.#rest);
    all.set(part, this.#rest.length);
    const found: ArrayBuffer[] = [];
    let at = 0;
    while (at + 4 <= all.length) {
      const length = new DataView(all.buffer, at).getUint32(0, true);
      if (at + 4 + length > all.length) break;
      found.push(all.slice(at + 4, at + 4 + length).buffer);
      at += 4 + length;
    }
    this.#rest = all.slice(at);
    return found;
  }
}

export function decode(body: ArrayBuffer): unknown {
  const length = new DataView(body).getUint32(0, true);
  const start = align(4 + length);
  return JSON.parse(new TextDecoder().decode(new Uint8Array(body, 4, length)), (_, value: unknown) => {
    if (typeof value !== "object" || value === null || !("$array" in value)) return value;
    const { $array, at, length: count } = value as Slot;
    return new KINDS[$array](body, start + at, count);
  });
}
