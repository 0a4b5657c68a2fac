import type { FileReply } from '../../http/context.ts';
import { sampleReply } from '../../imports/sample.ts';

const header = [
  'template_name',
  'item_name',
  'weight',
  'item_description',
  'sort_order',
  'item_type',
  'direction',
  'unit',
  'target_value',
  'evidence_required',
  'template_description',
];
const rated = ['rating', '', '', '', 'no'];
const revenue = ['measured', 'higher_better', 'EUR', '100000', 'yes', 'For account executives'];
const rows = [
  ['Sales scorecard', 'Revenue', '50', 'Booked revenue against target', '1', ...revenue],
  [
    'Sales scorecard',
    'New customers',
    '30',
    'Signed in the period',
    '2',
    'measured',
    'higher_better',
    '',
    '12',
    'no',
    '',
  ],
  ['Sales scorecard', 'Teamwork', '20', '', '3', ...rated, ''],
  ['Support scorecard', 'Customer satisfaction', '66.67', 'Average of all ratings', '1', ...rated, ''],
  ['Support scorecard', 'First response time', '33.33', '', '2', ...rated, ''],
];

/** A sample file with all columns, whose template rows add up to 100. */
export const sampleFile = (format: 'csv' | 'xlsx'): FileReply =>
  sampleReply(format, { header, rows, name: 'kpi-templates-sample', sheet_name: 'KPI templates' });
