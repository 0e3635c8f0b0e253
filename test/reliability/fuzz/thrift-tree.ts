/** Thrift's compact protocol as a tree that can be changed anywhere and written again, sane or not. */

import { T as TYPE } from "../../../src/core/reader/thrift.ts";

export interface Field {
  id: number;
  node: Node;
}
/** `type` is what the parent says it is; what is written follows from the rest. */
export type Node =
  | { kind: "bool"; type: number }
  | { kind: "int"; type: number; value: bigint }
  | { kind: "raw"; type: number; bytes: Uint8Array }
  | { kind: "binary"; type: number; bytes: Uint8Array }
  | { kind: "list"; type: number; element: number; items: Node[] }
  | { kind: "struct"; type: number; fields: Field[] };

const LONG = (1n << 64n) - 1n;

class TreeReader {
  at: number;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  private byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new RangeError("ends early");
    return byte;
  }

  private varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError("too long");
  }

  private zigzag(): bigint {
    const value = this.varint();
    return value & 1n ? -((value + 1n) >> 1n) : value >> 1n;
  }

  private take(length: number): Uint8Array {
    if (this.at + length > this.bytes.length) throw new RangeError("ends early");
    this.at += length;
    return this.bytes.slice(this.at - length, this.at);
  }

  struct(type: number = TYPE.STRUCT): Extract<Node, { kind: "struct" }> {
    const fields: Field[] = [];
    let id = 0;
    for (let head = this.byte(); (head & 15) !== 0; head = this.byte()) {
      id = head >> 4 === 0 ? Number(this.zigzag()) : id + (head >> 4);
      fields.push({ id, node: this.value(head & 15) });
    }
    return { kind: "struct", type, fields };
  }

  private value(type: number, isElement = false): Node {
    if (type === TYPE.TRUE || type === TYPE.FALSE)
      return { kind: "bool", type: isElement ? this.byte() : type };
    if (type === TYPE.BYTE) return { kind: "raw", type, bytes: this.take(1) };
    if (type === TYPE.DOUBLE) return { kind: "raw", type, bytes: this.take(8) };
    if (type >= TYPE.I16 && type <= TYPE.I64) return { kind: "int", type, value: this.zigzag() };
    if (type === TYPE.BINARY) return { kind: "binary", type, bytes: this.take(Number(this.varint())) };
    if (type === TYPE.STRUCT) return this.struct();
    if (type !== TYPE.LIST && type !== TYPE.SET) throw new RangeError(`type ${type}`);
    const head = this.byte();
    const size = head >> 4 === 15 ? Number(this.varint()) : head >> 4;
    const element = head & 15;
    const items: Node[] = [];
    for (let i = 0; i < size; i++) items.push(this.value(element, true));
    return { kind: "list", type, element, items };
  }
}

/** @returns the tree and where it ends @throws RangeError when there is none */
export function readTree(
  bytes: Uint8Array,
  at = 0,
): { root: Extract<Node, { kind: "struct" }>; end: number } {
  const reader = new TreeReader(bytes, at);
  return { root: reader.struct(), end: reader.at };
}

function pushVarint(out: number[], value: bigint): void {
  let rest = value & LONG;
  for (; rest >= 128n; rest >>= 7n) out.push(Number(rest & 127n) | 128);
  out.push(Number(rest));
}

const pushZigzag = (out: number[], value: bigint): void =>
  pushVarint(out, value < 0n ? -value * 2n - 1n : value * 2n);

function pushBytes(out: number[], bytes: Uint8Array): void {
  for (const byte of bytes) out.push(byte);
}

function push(out: number[], node: Node, isElement = false): void {
  if (node.kind === "bool") {
    if (isElement) out.push(node.type);
  } else if (node.kind === "int") pushZigzag(out, node.value);
  else if (node.kind === "raw") pushBytes(out, node.bytes);
  else if (node.kind === "binary") {
    pushVarint(out, BigInt(node.bytes.length));
    pushBytes(out, node.bytes);
  } else if (node.kind === "list") {
    const { items, element } = node;
    if (items.length < 15) out.push((items.length << 4) | element);
    else {
      out.push(0xf0 | element);
      pushVarint(out, BigInt(items.length));
    }
    for (const item of items) push(out, item, true);
  } else {
    let last = 0;
    for (const { id, node: value } of node.fields) {
      const delta = id - last;
      if (delta > 0 && delta < 16) out.push((delta << 4) | value.type);
      else {
        out.push(value.type);
        pushZigzag(out, BigInt(id));
      }
      last = id;
      push(out, value);
    }
    out.push(0);
  }
}

export function writeTree(root: Node): Uint8Array {
  const out: number[] = [];
  push(out, root);
  return Uint8Array.from(out);
}

export const field = (node: Node | undefined, id: number): Node | undefined =>
  node?.kind === "struct" ? node.fields.find((f) => f.id === id)?.node : undefined;

export const items = (node: Node | undefined): readonly Node[] => (node?.kind === "list" ? node.items : []);

export const int = (node: Node | undefined): number => (node?.kind === "int" ? Number(node.value) : 0);

/** Every node below, the root first. */
export function all(root: Node): Node[] {
  const out: Node[] = [root];
  if (root.kind === "list") for (const item of root.items) out.push(...all(item));
  if (root.kind === "struct") for (const { node } of root.fields) out.push(...all(node));
  return out;
}
