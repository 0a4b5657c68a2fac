import { FileReply } from '../../http/context.ts';
import { writeCsv } from '../../spreadsheets/csv-write.ts';
import { writeXlsx } from '../../spreadsheets/xlsx-write.ts';
import { fileTypes } from '../../files/limits.ts';

const rows: Readonly<Record<string, readonly [string, string]>> = {
  employee_number: ['1001', ''],
  first_name: ['Lena', 'Omar'],
  last_name: ['Park', 'Diaz'],
  email: ['lena.park@example.com', 'omar.diaz@example.com'],
  entity: ['Example Foods Ltd', 'Example Foods Ltd'],
  department: ['Purchasing', 'Purchasing'],
  date_of_birth: ['1995-07-14', ''],
  gender: ['female', 'male'],
  marital_status: ['single', 'married'],
  nationality: ['South Korean', 'Spanish'],
  job_title: ['Buyer', 'Head of Purchasing'],
  activity_status: ['active', 'active'],
  employment_lifecycle: ['probationary', 'confirmed'],
};

/** A file that shows which columns there are and how they are filled in. */
export function sampleFile(format: 'csv' | 'xlsx'): FileReply {
  const columns = Object.keys(rows).map((header) => ({ header, width: 20 }));
  const lines = [0, 1].map((index) => Object.values(rows).map((cells) => cells[index]));
  const stream = format === 'csv' ? writeCsv(columns, lines) : writeXlsx(columns, lines, { sheet_name: 'Employees' });
  const mime_type = format === 'csv' ? `${fileTypes.csv}; charset=utf-8` : fileTypes.xlsx;
  return new FileReply({ stream, mime_type, name: `employees-sample.${format}` });
}
