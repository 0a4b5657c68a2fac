export type CellValue = string | number | bigint | boolean | null | undefined;

export interface SheetColumn {
  header: string;
  /** XLSX: in characters; CSV has none. */
  width?: number;
}

export type RowSource = Iterable<readonly CellValue[]> | AsyncIterable<readonly CellValue[]>;

/** Large enough that compressing and sending are worth their overhead, small enough to keep memory flat. */
export const CHUNK_CHARACTERS = 64 * 1024;
