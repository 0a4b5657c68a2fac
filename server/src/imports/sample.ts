import { fileTypes } from '../files/limits.ts';
import { FileReply } from '../http/context.ts';
import { writeCsv } from '../spreadsheets/csv-write.ts';
import { writeXlsx } from '../spreadsheets/xlsx-write.ts';

type Sample = { header: readonly string[]; rows: readonly (readonly string[])[]; name: string; sheet_name: string };

/** Sends a sample file. */
export function sampleReply(format: 'csv' | 'xlsx', { header, rows, name, sheet_name }: Sample): FileReply {
  const columns = header.map((text) => ({ header: text, width: 20 }));
  const stream = format === 'csv' ? writeCsv(columns, rows) : writeXlsx(columns, rows, { sheet_name });
  const mime_type = format === 'csv' ? `${fileTypes.csv}; charset=utf-8` : fileTypes.xlsx;
  return new FileReply({ stream, mime_type, name: `${name}.${format}` });
}
