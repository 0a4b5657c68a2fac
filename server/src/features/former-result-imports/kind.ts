import { dateFormats, formerResultImportFields, requiredFormerResultFields } from '@tenure/contract';
import { tableLimits } from '../../files/limits.ts';
import type { Vocabulary } from '../../imports/columns.ts';
import { readsDate } from '../../imports/dates.ts';
import type { ImportKind } from '../../imports/kind.ts';
import { columnNamesOf } from '../../languages/languages.ts';
import { undoLater } from '../../imports/undo.ts';
import { checkAndSave, findStale } from './check.ts';
import { choices } from './choices.ts';
import { affectedRows, readKeys } from './keys.ts';
import type { Keys } from './keys.ts';
import { resultsUndo } from './undo.ts';
import { rightWithdrawn, writeImport } from './write.ts';

/** The headings of each field: its aliases, and its names in every language. */
const headings = Object.fromEntries(
  Object.entries(formerResultImportFields).map(([field, aliases]) => [
    field,
    [...aliases, ...columnNamesOf('former_results', field)],
  ]),
);

const vocabulary: Vocabulary = {
  fields: headings,
  isPersonal: (field) => field === 'employee_number' || field === 'result',
  missing: (given) =>
    requiredFormerResultFields.flatMap((names) => (names.some((name) => given.has(name)) ? [] : [names[0]])),
};

const dayFields: ReadonlySet<string> = new Set(['period_from', 'period_to']);
const none: ReadonlySet<string> = new Set();

/** Imports of results from former systems: a row is one person's result. */
export const formerResultImportKind: ImportKind<Keys> = {
  type: 'former_results',
  permission: 'kpi-evaluation.hr-review',
  rightWithdrawn,
  vocabulary,
  file: { use: 'result_import', limits: tableLimits.result_import },
  page: (id) => `/kpi/former-results/imports/${id}`,
  searched: ['employee_number', 'period', 'source'],
  hiddenFrom: () => none,
  isShared: (field) => !vocabulary.isPersonal(field),
  choices,
  days: { fields: dayFields, formats: dateFormats, reads: readsDate },
  allowSettings: () => undefined,
  undo: undoLater(resultsUndo),
  readKeys,
  affected: affectedRows,
  check: checkAndSave,
  findStale,
  write: writeImport,
};
