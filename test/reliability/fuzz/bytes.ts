/** Bytes that a disk, a network or a hand got wrong, whatever file they are of. */
import type { Draw } from "./draw.ts";

/** A mutation: new bytes, and what was done in a few words. */
export interface Changed {
  readonly bytes: Uint8Array;
  readonly what: string;
}

/** @param other another file of the same kind, to splice with */
export type ByteMutation = (bytes: Uint8Array, draw: Draw, other: Uint8Array) => Changed;

export function join(...pieces: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

/** A stretch of the bytes, mostly short. */
function stretch(bytes: Uint8Array, draw: Draw): [number, number] {
  const start = draw.below(bytes.length + 1);
  const longest = draw.of([4, 64, 512, bytes.length]);
  return [start, Math.min(bytes.length, start + draw.between(1, Math.max(1, longest)))];
}

const flip: ByteMutation = (bytes, draw) => {
  const out = bytes.slice();
  const count = draw.few(12);
  for (let i = 0; i < count; i++) {
    const at = draw.below(out.length);
    out[at] = (out[at] ?? 0) ^ (1 << draw.below(8));
  }
  return { bytes: out, what: `${count} bits flipped` };
};

const fill: ByteMutation = (bytes, draw) => {
  const out = bytes.slice();
  const [start, end] = stretch(bytes, draw);
  const value = draw.of([0, 0, 0xff, 0x7f, 0x80, 0x0a, 0x22, draw.below(256)]);
  return { bytes: out.fill(value, start, end), what: `${start}…${end} filled with ${value}` };
};

const noise: ByteMutation = (bytes, draw) => {
  const out = bytes.slice();
  const [start, end] = stretch(bytes, draw);
  out.set(draw.bytes(end - start), start);
  return { bytes: out, what: `${start}…${end} random` };
};

const cutTail: ByteMutation = (bytes, draw) => {
  const length = draw.chance(0.3)
    ? Math.max(0, bytes.length - draw.between(1, 16))
    : draw.below(bytes.length + 1);
  return { bytes: bytes.slice(0, length), what: `cut to ${length} of ${bytes.length}` };
};

const cutOut: ByteMutation = (bytes, draw) => {
  const [start, end] = stretch(bytes, draw);
  return { bytes: join(bytes.subarray(0, start), bytes.subarray(end)), what: `${start}…${end} cut out` };
};

const MOST = 1 << 20;

const repeat: ByteMutation = (bytes, draw) => {
  const [start, end] = stretch(bytes, draw);
  const piece = bytes.subarray(start, end);
  const most = Math.floor(MOST / Math.max(1, piece.length));
  const times = Math.min(draw.of([1, 2, 3, 50, 1000]), most);
  const copies = Array.from({ length: times }, () => piece);
  return {
    bytes: join(bytes.subarray(0, end), ...copies, bytes.subarray(end)),
    what: `${start}…${end} repeated ${times} times`,
  };
};

const insert: ByteMutation = (bytes, draw) => {
  const at = draw.below(bytes.length + 1);
  const more = draw.chance(0.3) ? new Uint8Array(draw.between(1, 600)) : draw.bytes(draw.between(1, 40));
  return {
    bytes: join(bytes.subarray(0, at), more, bytes.subarray(at)),
    what: `${more.length} bytes put in at ${at}`,
  };
};

const splice: ByteMutation = (bytes, draw, other) => {
  const [a, b] = [draw.below(bytes.length + 1), draw.below(other.length + 1)];
  return {
    bytes: join(bytes.subarray(0, a), other.subarray(b)),
    what: `from ${a} on another file's from ${b} on`,
  };
};

const patch: ByteMutation = (bytes, draw, other) => {
  const [start, end] = stretch(other, draw);
  const at = draw.below(bytes.length + 1);
  const piece = other.subarray(start, end);
  return {
    bytes: join(bytes.subarray(0, at), piece, bytes.subarray(Math.min(bytes.length, at + piece.length))),
    what: `another file's ${start}…${end} over ${at}`,
  };
};

const swap: ByteMutation = (bytes, draw) => {
  const [a = 0, b = 0, c = 0] = [0, 0, 0].map(() => draw.below(bytes.length + 1)).sort((x, y) => x - y);
  return {
    bytes: join(bytes.subarray(0, a), bytes.subarray(b, c), bytes.subarray(a, b), bytes.subarray(c)),
    what: `${a}…${b} and ${b}…${c} swapped`,
  };
};

const replace: ByteMutation = (_bytes, _draw, other) => ({ bytes: other, what: "another file in its place" });

const MUTATIONS: readonly (readonly [number, ByteMutation])[] = [
  [4, flip],
  [2, fill],
  [2, noise],
  [2, cutTail],
  [2, cutOut],
  [1, repeat],
  [1, insert],
  [2, splice],
  [1, patch],
  [1, swap],
  [0.3, replace],
];

export const mutateBytes: ByteMutation = (bytes, draw, other) =>
  bytes.length === 0 ? insert(bytes, draw, other) : draw.weighted(MUTATIONS)(bytes, draw, other);
