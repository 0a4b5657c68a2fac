import type { FileReply } from '../../http/context.ts';
import { sampleReply } from '../../imports/sample.ts';

const header = ['template_name', 'item_name', 'weight', 'item_description', 'sort_order', 'template_description'];
const rows = [
  ['Sales scorecard', 'Revenue', '50', 'Booked revenue against target', '1', 'For account executives'],
  ['Sales scorecard', 'New customers', '30', 'Signed in the period', '2', ''],
  ['Sales scorecard', 'Teamwork', '20', '', '3', ''],
  ['Support scorecard', 'Customer satisfaction', '66.67', 'Average of all ratings', '1', ''],
  ['Support scorecard', 'First response time', '33.33', '', '2', ''],
];

/** A sample file with all columns, whose template rows add up to 100. */
export const sampleFile = (format: 'csv' | 'xlsx'): FileReply =>
  sampleReply(format, { header, rows, name: 'kpi-templates-sample', sheet_name: 'KPI templates' });
