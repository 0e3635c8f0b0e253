/**
 * What a message is on the way. Arrays of numbers cross as typed arrays: moved where the channel can move them
 * (worker threads), copied where it cannot (VS Code's webview channel, which is JSON with typed arrays let through:
 * there NaN would become null and `undefined` would vanish, so such numbers travel under a name).
 */

/** "clone": structured clone, buffers can be moved. "json": VS Code's webview messages. */
export type Channel = "clone" | "json";

export interface Packed {
  readonly message: unknown;
  /** Buffers to be moved with the message; their arrays are empty at the sender afterwards. */
  readonly transfer: readonly ArrayBuffer[];
}

const NUMBER_KEY = "$number";
const ESCAPE = "$";

/**
 * Makes a value fit for the channel. An array that is a window on a larger buffer is copied, so that nothing but
 * what was meant crosses. On a "clone" channel the value is given away: whoever wants to keep an array copies it first.
 */
export function pack(value: unknown, channel: Channel): Packed {
  const buffers = new Set<ArrayBuffer>();
  const message = packValue(value, channel, buffers);
  return { message, transfer: channel === "clone" ? [...buffers] : [] };
}

function packValue(value: unknown, channel: Channel, buffers: Set<ArrayBuffer>): unknown {
  if (typeof value === "number" && channel === "json" && !Number.isFinite(value)) {
    return { [NUMBER_KEY]: String(value) };
  }
  if (typeof value !== "object" || value === null) return value;
  if (ArrayBuffer.isView(value)) return packView(value, buffers);
  if (value instanceof ArrayBuffer) {
    buffers.add(value);
    return value;
  }
  if (Array.isArray(value)) return packArray(value, channel, buffers);
  return packObject(value, channel, buffers);
}

function packArray(
  value: readonly unknown[],
  channel: Channel,
  buffers: Set<ArrayBuffer>,
): readonly unknown[] {
  let changed: unknown[] | null = null;
  for (let i = 0; i < value.length; i++) {
    const item = value[i];
    const packed = packValue(item, channel, buffers);
    if (packed !== item) {
      changed ??= value.slice();
      changed[i] = packed;
    }
  }
  return changed ?? value;
}

function packObject(value: object, channel: Channel, buffers: Set<ArrayBuffer>): object {
  const packed: [string, unknown][] = [];
  let changed = false;
  for (const [key, item] of Object.entries(value)) {
    const name = channel === "json" && key.startsWith(ESCAPE) ? ESCAPE + key : key;
    const next = packValue(item, channel, buffers);
    if (name !== key || next !== item) changed = true;
    packed.push([name, next]);
  }
  return changed ? record(packed) : value;
}

function packView(view: ArrayBufferView, buffers: Set<ArrayBuffer>): ArrayBufferView {
  const { buffer, byteOffset, byteLength } = view;
  const whole = byteOffset === 0 && byteLength === buffer.byteLength;
  // A Node Buffer is a Uint8Array by birth but crosses VS Code's channel as an object of digits.
  const plain =
    Object.getPrototypeOf(Object.getPrototypeOf(view)) === TYPED_ARRAY || view instanceof DataView;
  if (whole && plain && buffer instanceof ArrayBuffer) {
    buffers.add(buffer);
    return view;
  }
  const bytes = new Uint8Array(byteLength);
  bytes.set(new Uint8Array(buffer, byteOffset, byteLength));
  buffers.add(bytes.buffer);
  return viewOver(bytes.buffer, view);
}

const TYPED_ARRAY: unknown = Object.getPrototypeOf(Uint8Array.prototype);

function viewOver(buffer: ArrayBuffer, like: ArrayBufferView): ArrayBufferView {
  if (like instanceof Float64Array) return new Float64Array(buffer);
  if (like instanceof Float32Array) return new Float32Array(buffer);
  if (like instanceof Int32Array) return new Int32Array(buffer);
  if (like instanceof Uint32Array) return new Uint32Array(buffer);
  if (like instanceof Uint8Array) return new Uint8Array(buffer);
  throw new TypeError("This kind of array does not cross the protocol.");
}

/** Undoes {@link pack} at the receiving end. */
export function unpack(value: unknown, channel: Channel): unknown {
  return channel === "clone" ? value : unpackValue(value);
}

function unpackValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value;
  if (Array.isArray(value)) return value.map(unpackValue);
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && first?.[0] === NUMBER_KEY) return nonFinite(first[1]);
  return record(
    entries.map(([key, item]) => [key.startsWith(ESCAPE) ? key.slice(1) : key, unpackValue(item)]),
  );
}

function nonFinite(text: unknown): number {
  if (text === "Infinity") return Number.POSITIVE_INFINITY;
  if (text === "-Infinity") return Number.NEGATIVE_INFINITY;
  return Number.NaN;
}

/** Own keys whatever they are called ("__proto__" too), on an ordinary object, as every receiver expects one. */
function record(entries: readonly (readonly [string, unknown])[]): object {
  const object = {};
  for (const [key, value] of entries) {
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return object;
}
