import { requiredTemplateFields, templateImportFields } from '@tenure/contract';
import { tableLimits } from '../../files/limits.ts';
import type { Vocabulary } from '../../imports/columns.ts';
import type { ImportKind } from '../../imports/kind.ts';
import { columnNamesOf, labelsOf } from '../../languages/languages.ts';
import { checkAndSave, findStale } from './check.ts';
import { affectedRows, readLines } from './lines.ts';
import type { Lines } from './lines.ts';
import { rightWithdrawn, writeImport } from './write.ts';

/** The headings of each field: its aliases, and its names in every language. */
const headings = Object.fromEntries(
  Object.entries(templateImportFields).map(([field, aliases]) => [
    field,
    [...aliases, ...columnNamesOf('kpi_templates', field), ...labelsOf('employee', field)],
  ]),
);

const vocabulary: Vocabulary = {
  fields: headings,
  isPersonal: (field) => field !== 'entity_id' && field !== 'entity',
  missing: (given) => requiredTemplateFields.filter((field) => !given.has(field)),
};

const none: ReadonlySet<string> = new Set();

/** Imports of KPI templates: a row is an item, and rows with the same name form a template. */
export const templateImportKind: ImportKind<Lines> = {
  type: 'kpi_templates',
  permission: 'kpi-template.import',
  rightWithdrawn,
  vocabulary,
  file: { use: 'template_import', limits: tableLimits.template_import },
  page: (id) => `/kpi/templates/imports/${id}`,
  searched: ['template_name', 'item_name'],
  hiddenFrom: () => none,
  isShared: (field) => !vocabulary.isPersonal(field),
  allowSettings: () => undefined,
  undo: null,
  readKeys: readLines,
  affected: affectedRows,
  check: checkAndSave,
  findStale,
  write: writeImport,
};
