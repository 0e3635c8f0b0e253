/**
 * The little of Thrift's compact protocol that a Parquet footer needs. Every count and length is checked against
 * the bytes that are left before anything is allocated or looped over, and depth is bounded: a footer of 1 KB
 * that claims 2^31 children must cost microseconds (research: ClickHouse PR 120203, arrow-rs #9742).
 */

export class ThriftError extends Error {
  override readonly name = "ThriftError";
}

export const T = {
  STOP: 0,
  TRUE: 1,
  FALSE: 2,
  BYTE: 3,
  I16: 4,
  I32: 5,
  I64: 6,
  DOUBLE: 7,
  BINARY: 8,
  LIST: 9,
  SET: 10,
  MAP: 11,
  STRUCT: 12,
} as const;

const MAX_SKIP_DEPTH = 32;
const utf8 = new TextDecoder("utf-8");

export class ThriftReader {
  readonly bytes: Uint8Array;
  pos: number;
  readonly end: number;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.bytes = bytes;
    this.pos = start;
    this.end = end;
  }

  byte(): number {
    if (this.pos >= this.end) throw new ThriftError("ends early");
    return this.bytes[this.pos++] as number;
  }

  /** Unsigned varint that must fit 2^53. */
  uvarint(): number {
    let result = 0;
    let scale = 1;
    for (let i = 0; i < 10; i++) {
      const b = this.byte();
      result += (b & 0x7f) * scale;
      if (b < 0x80) return result;
      scale *= 128;
    }
    throw new ThriftError("varint too long");
  }

  /** Signed 64-bit zigzag as a number; beyond 2^53 it is only near, which every caller's bounds refuse anyway. */
  zigzag(): number {
    const u = this.uvarint();
    return u % 2 === 0 ? u / 2 : -(u + 1) / 2;
  }

  binary(): Uint8Array {
    const length = this.uvarint();
    if (length > this.end - this.pos) throw new ThriftError("a string is longer than the footer");
    const out = this.bytes.subarray(this.pos, this.pos + length);
    this.pos += length;
    return out;
  }

  string(): string {
    return utf8.decode(this.binary());
  }

  /** Element type and count; the count is at most the bytes left, since no element is smaller than a byte. */
  list(): { type: number; size: number } {
    const head = this.byte();
    const short = head >> 4;
    const size = short === 15 ? this.uvarint() : short;
    if (size > this.end - this.pos) throw new ThriftError("a list claims more entries than there are bytes");
    return { type: head & 0x0f, size };
  }

  /** Calls `field(id, type)` for each field; the callee must consume it or call {@link skip}. */
  struct(field: (id: number, type: number) => void): void {
    let id = 0;
    for (;;) {
      const head = this.byte();
      const type = head & 0x0f;
      if (type === T.STOP) return;
      const delta = head >> 4;
      id = delta === 0 ? this.zigzag() : id + delta;
      field(id, type);
    }
  }

  skip(type: number, depth = 0): void {
    if (depth > MAX_SKIP_DEPTH) throw new ThriftError("nested too deep");
    switch (type) {
      case T.TRUE:
      case T.FALSE:
        return;
      case T.BYTE:
        this.byte();
        return;
      case T.I16:
      case T.I32:
      case T.I64:
        this.uvarint();
        return;
      case T.DOUBLE:
        this.advance(8);
        return;
      case T.BINARY:
        this.binary();
        return;
      case T.LIST:
      case T.SET:
        this.skipList(depth);
        return;
      case T.MAP:
        this.skipMap(depth);
        return;
      case T.STRUCT:
        this.struct((_, t) => this.skip(t, depth + 1));
        return;
      default:
        throw new ThriftError("unknown field type");
    }
  }

  private advance(n: number): void {
    if (n > this.end - this.pos) throw new ThriftError("ends early");
    this.pos += n;
  }

  private skipList(depth: number): void {
    const { type, size } = this.list();
    // Booleans in a list take a byte each, unlike booleans in a struct.
    if (type === T.TRUE || type === T.FALSE) this.advance(size);
    else for (let i = 0; i < size; i++) this.skip(type, depth + 1);
  }

  private skipMap(depth: number): void {
    const size = this.uvarint();
    if (size === 0) return;
    if (size > this.end - this.pos) throw new ThriftError("a map claims more entries than there are bytes");
    const types = this.byte();
    for (let i = 0; i < size; i++) {
      this.skip(types >> 4, depth + 1);
      this.skip(types & 0x0f, depth + 1);
    }
  }
}

/** Appends compact-protocol values; the counterpart of {@link ThriftReader} for footers that we write ourselves. */
export class ThriftWriter {
  private buffer = new Uint8Array(1024);
  private length = 0;
  private readonly lastIds: number[] = [];
  private lastId = 0;

  bytes(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }

  private reserve(n: number): void {
    if (this.length + n <= this.buffer.length) return;
    const grown = new Uint8Array(Math.max(this.buffer.length * 2, this.length + n));
    grown.set(this.buffer.subarray(0, this.length));
    this.buffer = grown;
  }

  private byte(b: number): void {
    this.reserve(1);
    this.buffer[this.length++] = b;
  }

  private uvarint(value: number): void {
    let v = value;
    while (v >= 128) {
      this.byte((v % 128) | 0x80);
      v = Math.floor(v / 128);
    }
    this.byte(v);
  }

  private zigzag(v: number): void {
    this.uvarint(v >= 0 ? v * 2 : -v * 2 - 1);
  }

  field(id: number, type: number): void {
    const delta = id - this.lastId;
    if (delta > 0 && delta < 16) this.byte((delta << 4) | type);
    else {
      this.byte(type);
      this.zigzag(id);
    }
    this.lastId = id;
  }

  int(id: number, type: number, value: number): void {
    this.field(id, type);
    this.zigzag(value);
  }

  raw(id: number, type: number, bytes: Uint8Array): void {
    this.field(id, type);
    this.append(bytes);
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  binary(bytes: Uint8Array): void {
    this.uvarint(bytes.length);
    this.append(bytes);
  }

  listHead(type: number, size: number): void {
    if (size < 15) this.byte((size << 4) | type);
    else {
      this.byte(0xf0 | type);
      this.uvarint(size);
    }
  }

  element(value: number): void {
    this.zigzag(value);
  }

  begin(): void {
    this.lastIds.push(this.lastId);
    this.lastId = 0;
  }

  end(): void {
    this.byte(T.STOP);
    this.lastId = this.lastIds.pop() ?? 0;
  }
}
