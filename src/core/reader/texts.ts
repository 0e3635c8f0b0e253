/** Arrow vectors → columns of UTF-8 text, as samples show it (sampleRow.ts). */
import { type Data, DataType, type Vector } from "apache-arrow";
import type { TextColumn } from "../run/model.ts";
import { textOf } from "./sampleRow.ts";

const utf8 = new TextEncoder();
const NOTHING = new Uint8Array(0);

interface Piece {
  readonly row: number;
  readonly rows: number;
  readonly bytes: Uint8Array;
  readonly offsets: Int32Array;
  readonly isValid: ((i: number) => boolean) | null;
}

/** Pieces can come in any order; rows without a piece are null. */
export class TextBuilder {
  private readonly rows: number;
  private readonly pieces: Piece[] = [];

  constructor(rows: number) {
    this.rows = rows;
  }

  append(vector: Vector, row: number): void {
    if (!DataType.isBinary(vector.type)) {
      this.pieces.push(converted(vector, row));
      return;
    }
    let at = row;
    for (const data of vector.data) {
      // Where nothing is, something else may begin: pieces of one row have no order.
      if (data.length > 0) this.pieces.push(plain(data, at));
      at += data.length;
    }
  }

  finish(): TextColumn {
    this.pieces.sort((a, b) => a.row - b.row);
    const [only] = this.pieces;
    if (this.pieces.length === 1 && only && only.rows === this.rows && !only.isValid)
      return { bytes: only.bytes, offsets: only.offsets, valid: null };
    const total = this.pieces.reduce((n, p) => n + lengthOf(p), 0);
    const bytes = new Uint8Array(total);
    const offsets = new Int32Array(this.rows + 1);
    const valid = new Uint8Array(this.rows);
    let at = 0;
    let row = 0;
    for (const piece of this.pieces) {
      offsets.fill(at, row, piece.row + 1);
      const start = piece.offsets[0] as number;
      bytes.set(piece.bytes.subarray(start, start + lengthOf(piece)), at);
      for (let i = 0; i < piece.rows; i++) {
        valid[piece.row + i] = !piece.isValid || piece.isValid(i) ? 1 : 0;
        offsets[piece.row + i + 1] = at + (piece.offsets[i + 1] as number) - start;
      }
      at += lengthOf(piece);
      row = piece.row + piece.rows;
    }
    offsets.fill(at, row);
    return { bytes, offsets, valid: valid.includes(0) ? valid : null };
  }
}

const lengthOf = ({ offsets, rows }: Piece): number => (offsets[rows] as number) - (offsets[0] as number);

function validity(data: Data): ((i: number) => boolean) | null {
  const { nullBitmap, nullCount, offset } = data;
  if (nullCount === 0 || nullBitmap.length === 0) return null;
  return (i) => (((nullBitmap[(offset + i) >> 3] as number) >> ((offset + i) & 7)) & 1) === 1;
}

function plain(data: Data, row: number): Piece {
  return {
    row,
    rows: data.length,
    bytes: (data.values as Uint8Array | undefined) ?? NOTHING,
    offsets: (data.valueOffsets as Int32Array).subarray(0, data.length + 1),
    isValid: validity(data),
  };
}

/** Anything that is no plain text: by way of what a sample shows of it, which is slow and rare. */
function converted(vector: Vector, row: number): Piece {
  const texts = Array.from({ length: vector.length }, (_, i) => textOf(vector.get(i)));
  const parts = texts.map((text) => (text === null ? NOTHING : utf8.encode(text)));
  const offsets = new Int32Array(vector.length + 1);
  for (const [i, part] of parts.entries()) offsets[i + 1] = (offsets[i] as number) + part.length;
  const bytes = new Uint8Array(offsets[vector.length] as number);
  for (const [i, part] of parts.entries()) bytes.set(part, offsets[i]);
  return { row, rows: vector.length, bytes, offsets, isValid: (i) => texts[i] !== null };
}
