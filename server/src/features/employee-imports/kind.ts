import { dateFormats, employeeRows, fieldsShownBy, importFields, requiredImportFields } from '@tenure/contract';
import { holds, reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { tableLimits } from '../../files/limits.ts';
import { forbidden } from '../../http/errors.ts';
import { labelsOf } from '../../languages/languages.ts';
import type { Vocabulary } from '../../imports/columns.ts';
import { readsDate } from '../../imports/dates.ts';
import type { ImportKind } from '../../imports/kind.ts';
import { undoLater } from '../../imports/undo.ts';
import { affectedRows } from './affected.ts';
import { choices } from './choices.ts';
import { checkAndSave, findStale } from './check.ts';
import { readFileKeys } from './file-keys.ts';
import type { FileKeys } from './file-keys.ts';
import { peopleUndo } from './undo.ts';
import { rightWithdrawn, writeImport } from './write.ts';

/** The headings of each field: its aliases, and its labels in every language. */
const headings = Object.fromEntries(
  Object.entries(importFields).map(([field, aliases]) => [field, [...aliases, ...labelsOf('employee', field)]]),
);

export const vocabulary: Vocabulary = {
  fields: headings,
  // unique per person
  isPersonal: (field) => field === 'employee_number' || field === 'email',
  // An update by number can omit unchanged columns. Its rows for new people fail one by one.
  missing: (given, on_conflict) =>
    on_conflict === 'update' && given.has('employee_number')
      ? []
      : requiredImportFields.flatMap((names) => (names.some((name) => given.has(name)) ? [] : [names[0]])),
};

const privateFields: ReadonlySet<string> = new Set(fieldsShownBy['employees.view_sensitive']);
const bankFields: ReadonlySet<string> = new Set([...privateFields].filter((name) => /^bank(_|$)/.test(name)));
const dayFields: ReadonlySet<string> = new Set(
  Object.entries(employeeRows).flatMap(([field, row]) => (row.kind === 'day' ? [field] : [])),
);
const none: ReadonlySet<string> = new Set();

/**
 * Private cells are visible to their uploader, while the uploader has access to private details, and to users with
 * access to those of all people. Only the uploader sees account numbers: the record shows them on request, with an
 * entry in the log.
 */
function hiddenFrom(actor: Actor, { created_by }: { created_by: number | null }): ReadonlySet<string> {
  const permission = 'employees.view_sensitive';
  if (!holds(actor, permission) || actor.viewed_as) return privateFields;
  if (created_by === actor.user_id) return none;
  return reachOf(actor, permission).everything ? bankFields : privateFields;
}

/** Imports of people. */
export const employeeImportKind: ImportKind<FileKeys> = {
  type: 'employees',
  permission: 'employees.import',
  rightWithdrawn,
  vocabulary,
  file: { use: 'import', limits: tableLimits.import },
  page: (id) => `/imports/${id}`,
  searched: ['first_name', 'last_name', 'display_name', 'email'],
  hiddenFrom,
  isShared: (field) => !vocabulary.isPersonal(field),
  choices,
  days: { fields: dayFields, formats: dateFormats, reads: readsDate },
  allowSettings: (actor, { create_departments }) => {
    if (create_departments && !holds(actor, 'departments.create')) throw forbidden();
  },
  undo: undoLater(peopleUndo),
  readKeys: readFileKeys,
  affected: affectedRows,
  check: checkAndSave,
  findStale,
  write: writeImport,
};
