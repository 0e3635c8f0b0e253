/** Rows as text, asked for piece by piece: a long run at once would hold up everything else. */

export interface Piece {
  readonly text: string;
  /** Rows in it. */
  readonly rows: number;
  /** Rows in all pieces. */
  readonly total: number;
}

const ROWS_AT_ONCE = 20_000;

/** All pieces, one after another; whoever goes through them ends it by going no further. */
export async function* inPieces(
  ask: (offset: number, limit: number) => Promise<Piece> | Piece,
): AsyncGenerator<Piece> {
  for (let offset = 0; ; ) {
    const piece = await ask(offset, ROWS_AT_ONCE);
    yield piece;
    offset += piece.rows;
    if (piece.rows === 0 || offset >= piece.total) return;
  }
}

/** Percent of the whole that a piece is. */
export const shareOf = ({ rows, total }: Piece): number => (total > 0 ? (100 * rows) / total : 100);
