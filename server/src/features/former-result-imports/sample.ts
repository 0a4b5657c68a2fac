import { formerResultImportFields } from '@tenure/contract';
import type { FileReply } from '../../http/context.ts';
import { sampleReply } from '../../imports/sample.ts';

const rows = [
  ['1001', '2023', '2023-01-01', '2023-12-31', '87.5', 'percent', 'B', 'Former HR system'],
  ['1002', 'H1 2024', '', '', '4.2', '1-5', '', 'Former HR system'],
  ['1003', 'Annual review', '', '2024-12-31', '2', '6-1', '', 'Personnel file'],
];

/** A sample file with all columns: a percentage, points (more is better), and a mark (less is better). */
export const sampleFile = (format: 'csv' | 'xlsx'): FileReply =>
  sampleReply(format, {
    header: Object.keys(formerResultImportFields),
    rows,
    name: 'former-results-sample',
    sheet_name: 'Former results',
  });
