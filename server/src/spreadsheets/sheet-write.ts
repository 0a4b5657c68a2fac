export type CellValue = string | number | bigint | boolean | null | undefined;

export interface SheetColumn {
  header: string;
  /** XLSX: in characters; not used for CSV. */
  width?: number;
}

export type RowSource = Iterable<readonly CellValue[]> | AsyncIterable<readonly CellValue[]>;

/** Large enough to justify the overhead of compressing and sending, small enough to keep memory flat. */
export const CHUNK_CHARACTERS = 64 * 1024;
