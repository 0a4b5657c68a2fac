import { cut } from '@tenure/contract/cut';

const longestQuoted = 60;

/** A cell as a message quotes it. */
export const quoted = (cell: string): string =>
  cell.length > longestQuoted ? `${cut(cell, longestQuoted - 1)}…` : cell;
