import type { FileReply } from '../../http/context.ts';
import { sampleReply } from '../../imports/sample.ts';

const header = [
  'employee_number',
  'effective_from',
  'effective_to',
  'job_title',
  'department',
  'reporting_manager',
  'grade',
];
const rows = [
  ['1001', '2019-04-01', '2021-06-30', 'Junior Buyer', 'Purchasing', 'Omar Diaz', 'C1'],
  ['1001', '2021-07-01', '2023-12-31', 'Buyer', 'Purchasing', 'Omar Diaz', 'C2'],
  ['1001', '2024-01-01', '', '', '', '', ''],
];

/** A sample file: two former jobs, and the first day of today's job. */
export const sampleFile = (format: 'csv' | 'xlsx'): FileReply =>
  sampleReply(format, { header, rows, name: 'job-history-sample', sheet_name: 'Job history' });
