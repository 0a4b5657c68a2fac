export type Cell = string | number | null;

const startsFormula = /^[=+\-@\t\r]/;

/** A cell that a spreadsheet never reads as a formula. */
function written(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  return `"${(startsFormula.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`;
}

/** A table as CSV, in the same form as files of the service. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(written).join(',')).join('\r\n')}\r\n`;
