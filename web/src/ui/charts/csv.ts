export type Cell = string | number | null;

const startsFormula = /^[=+\-@\t\r]/;

/** A cell as spreadsheets read it: never as a formula. */
function written(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  return `"${(startsFormula.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`;
}

/** A table as the text of a CSV file, as the service writes its own. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(written).join(',')).join('\r\n')}\r\n`;
