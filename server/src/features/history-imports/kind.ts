import { dateFormats, historyImportFields, requiredHistoryFields } from '@tenure/contract';
import { tableLimits } from '../../files/limits.ts';
import { readsDate } from '../../imports/dates.ts';
import type { Vocabulary } from '../../imports/columns.ts';
import type { ImportKind } from '../../imports/kind.ts';
import { columnNamesOf, labelsOf } from '../../languages/languages.ts';
import { undoLater } from '../../imports/undo.ts';
import { checkAndSave, findStale } from './check.ts';
import { choices } from './choices.ts';
import { affectedRows, readLines } from './lines.ts';
import type { Lines } from './lines.ts';
import { historyUndo } from './undo.ts';
import { rightWithdrawn, writeImport } from './write.ts';

/** The headings of each field: its aliases, and its labels in every language. */
const headings = Object.fromEntries(
  Object.entries(historyImportFields).map(([field, aliases]) => [
    field,
    [...aliases, ...labelsOf('employee', field), ...columnNamesOf('job_history', field)],
  ]),
);

const vocabulary: Vocabulary = {
  fields: headings,
  isPersonal: (field) => ['employee_number', 'effective_from', 'effective_to'].includes(field),
  missing: (given) => requiredHistoryFields.filter((field) => !given.has(field)),
};

const none: ReadonlySet<string> = new Set();

/** Imports of former jobs: a row is a job, and the rows of a person are checked together. */
export const historyImportKind: ImportKind<Lines> = {
  type: 'job_history',
  permission: 'employees.import',
  rightWithdrawn,
  vocabulary,
  file: { use: 'import', limits: tableLimits.import },
  page: (id) => `/imports/jobs/${id}`,
  searched: ['employee_number', 'job_title'],
  hiddenFrom: () => none,
  isShared: (field) => !vocabulary.isPersonal(field),
  choices,
  days: { fields: new Set(['effective_from', 'effective_to']), formats: dateFormats, reads: readsDate },
  allowSettings: () => undefined,
  undo: undoLater(historyUndo),
  readKeys: readLines,
  affected: affectedRows,
  check: checkAndSave,
  findStale,
  write: writeImport,
};
