/** Lies in a Parquet file that leave the rest of it whole: fields of its footer and page headers, bytes inside a page. */
import type { ByteMutation, Changed } from "./bytes.ts";
import { join, mutateBytes } from "./bytes.ts";
import type { Draw } from "./draw.ts";
import { all, field, int, items, type Node, readTree, writeTree } from "./thrift-tree.ts";

const TAIL = 8;

interface Parts {
  /** All before the footer. */
  readonly data: Uint8Array;
  readonly footer: Node;
}

function parts(bytes: Uint8Array): Parts {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = bytes.length - TAIL - view.getUint32(bytes.length - TAIL, true);
  return { data: bytes.subarray(0, start), footer: readTree(bytes, start).root };
}

function whole({ data, footer }: Parts): Uint8Array {
  const written = writeTree(footer);
  const tail = new Uint8Array(TAIL);
  new DataView(tail.buffer).setUint32(0, written.length, true);
  tail.set(new TextEncoder().encode("PAR1"), 4);
  return join(data, written, tail);
}

const utf8 = new TextEncoder();
const NAMES: readonly Uint8Array[] = [
  ...[
    "",
    "step",
    "__proto__",
    "constructor",
    "a.b",
    "kl_positional",
    "element",
    "reward_component.",
    "extra.",
  ],
  ...["timestamp", "sample_id", "completion_text", "\u0000", "\u202e", "x".repeat(20_000)],
]
  .map((name) => utf8.encode(name))
  .concat(Uint8Array.of(0xff, 0xfe, 0xc3));

function otherInt(value: bigint, draw: Draw, ints: readonly bigint[]): bigint {
  return draw.of([
    ...[0n, 1n, -1n, 2n, value + 1n, value - 1n, value * 2n, value / 2n, -value],
    ...[127n, 0x7fffffffn, 0x80000000n, -0x80000000n, 0xffffffffn, 1n << 40n, 1n << 53n],
    ...[(1n << 63n) - 1n, -(1n << 63n), BigInt(draw.below(40)), BigInt(draw.below(100_000))],
    draw.of(ints),
    draw.of(ints),
  ]);
}

function changeList(node: Extract<Node, { kind: "list" }>, draw: Draw): string {
  const { items: list } = node;
  const at = draw.below(list.length + 1);
  const one = list[Math.min(at, list.length - 1)];
  const how = draw.below(5);
  if (how === 0) list.splice(at, 1);
  else if (how === 1 && one) list.splice(at, 0, one);
  else if (how === 2 && one) for (let i = draw.of([10, 300]); i > 0; i--) list.push(one);
  else if (how === 3) list.length = 0;
  else node.element = draw.between(0, 15);
  return `list of ${list.length} changed (${how})`;
}

function changeStruct(node: Extract<Node, { kind: "struct" }>, draw: Draw, nodes: readonly Node[]): string {
  const { fields } = node;
  const at = draw.below(Math.max(1, fields.length));
  const one = fields[at];
  if (!one || draw.chance(0.15)) {
    fields.push({ id: draw.between(1, 20), node: draw.of(nodes.filter((n) => n.kind !== "struct")) });
    return "field added";
  }
  const how = draw.below(4);
  if (how === 0) fields.splice(at, 1);
  else if (how === 1) fields.splice(at, 0, one);
  else if (how === 2) one.id = draw.of([draw.between(0, 20), -1, 32_767]);
  else one.node = { ...one.node, type: draw.between(1, 15) };
  return `field ${one.id} changed (${how})`;
}

/** Changes one node of the tree. */
function changeTree(root: Node, draw: Draw): string {
  const nodes = all(root);
  const ints = nodes.flatMap((n) => (n.kind === "int" ? [n.value] : []));
  const kind = draw.of(["int", "int", "int", "int", "binary", "list", "struct"] as const);
  const chosen = nodes.filter((n) => n.kind === kind);
  if (chosen.length === 0) return "nothing";
  const node = draw.of(chosen);
  if (node.kind === "int") {
    const before = node.value;
    node.value = otherInt(before, draw, ints);
    return `${before} is ${node.value}`;
  }
  if (node.kind === "binary") {
    const others = nodes.flatMap((n) => (n.kind === "binary" ? [n.bytes] : []));
    const how = draw.below(3);
    if (how === 0) node.bytes = draw.of(others);
    else if (how === 1) node.bytes = draw.of(NAMES);
    else node.bytes = mutateBytes(node.bytes, draw, draw.of(others)).bytes;
    return `string of ${node.bytes.length} bytes`;
  }
  if (node.kind === "list") return changeList(node, draw);
  if (node.kind === "struct") return changeStruct(node, draw, nodes);
  return "nothing";
}

const chunks = (footer: Node): Node[] =>
  items(field(footer, 4)).flatMap((group) =>
    items(field(group, 1)).flatMap((chunk) => field(chunk, 3) ?? []),
  );

const COLUMN = { COMPRESSED: 7, DATA: 9, INDEX: 10, DICTIONARY: 11 } as const;

const startOf = (chunk: Node): number => {
  const dictionary = int(field(chunk, COLUMN.DICTIONARY));
  return dictionary > 0 ? dictionary : int(field(chunk, COLUMN.DATA));
};

/** A page of a chunk: where its header starts and ends, and its length as the header gives it. */
function pageOf(
  data: Uint8Array,
  chunk: Node,
  draw: Draw,
): { at: number; header: Node; end: number; length: number } {
  const places = [field(chunk, COLUMN.DATA), field(chunk, COLUMN.DICTIONARY)].map(int).filter((at) => at > 0);
  const at = draw.of(places);
  const { root, end } = readTree(data, at);
  return { at, header: root, end, length: int(field(root, 3)) };
}

/** What lies behind a place moves with it. */
function shift(footer: Node, from: number, by: number): void {
  for (const chunk of chunks(footer)) {
    const start = startOf(chunk);
    const size = field(chunk, COLUMN.COMPRESSED);
    if (size?.kind === "int" && start <= from && from < start + Number(size.value)) size.value += BigInt(by);
    for (const id of [COLUMN.DATA, COLUMN.INDEX, COLUMN.DICTIONARY]) {
      const place = field(chunk, id);
      if (place?.kind === "int" && Number(place.value) > from) place.value += BigInt(by);
    }
  }
}

const footerMutation: ByteMutation = (bytes, draw) => {
  const { data, footer } = parts(bytes);
  const what = Array.from({ length: draw.few(4) }, () => changeTree(footer, draw));
  return { bytes: whole({ data, footer }), what: `footer: ${what.join(", ")}` };
};

const headerMutation: ByteMutation = (bytes, draw) => {
  const { data, footer } = parts(bytes);
  const { at, header, end } = pageOf(data, draw.of(chunks(footer)), draw);
  const what = Array.from({ length: draw.few(3) }, () => changeTree(header, draw));
  const written = writeTree(header);
  shift(footer, at, written.length - (end - at));
  return {
    bytes: whole({ data: join(data.subarray(0, at), written, data.subarray(end)), footer }),
    what: `page header at ${at}: ${what.join(", ")}`,
  };
};

/** Levels, dictionaries and indices lie bare in an uncompressed page: the first bytes say how to read the rest. */
const pageMutation: ByteMutation = (bytes, draw) => {
  const { data, footer } = parts(bytes);
  const { end, length } = pageOf(data, draw.of(chunks(footer)), draw);
  const out = data.slice();
  const count = draw.few(6);
  for (let i = 0; i < count; i++) {
    const at = end + draw.below(draw.chance(0.6) ? Math.min(24, length) : length);
    out[at] = draw.of([0, 0xff, 0x7f, 0x80, draw.below(256), (out[at] ?? 0) ^ (1 << draw.below(8))]);
  }
  return { bytes: whole({ data: out, footer }), what: `${count} bytes of the page at ${end}` };
};

const MUTATIONS: readonly (readonly [number, ByteMutation])[] = [
  [4, footerMutation],
  [2, headerMutation],
  [2, pageMutation],
  [2, mutateBytes],
];

/** @param bytes a file, perhaps damaged already */
export function mutateParquet(bytes: Uint8Array, draw: Draw, other: Uint8Array): Changed {
  try {
    return draw.weighted(MUTATIONS)(bytes, draw, other);
  } catch (error) {
    // An earlier mutation left no footer to change.
    if (error instanceof RangeError) return mutateBytes(bytes, draw, other);
    throw error;
  }
}
