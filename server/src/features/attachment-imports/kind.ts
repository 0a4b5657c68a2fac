import { attachmentImportFields } from '@tenure/contract';
import type { AttachmentImportField } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { layoutOf } from '../../imports/columns.ts';
import type { Vocabulary } from '../../imports/columns.ts';
import type { ImportKind } from '../../imports/kind.ts';
import type { ImportRecord } from '../../imports/record.ts';
import { undoLater } from '../../imports/undo.ts';
import { checkAndSave, findStale } from './check.ts';
import { affectedRows, readLines } from './lines.ts';
import type { Lines } from './lines.ts';
import { filesUndo } from './undo.ts';
import { rightWithdrawn, writeImport } from './write.ts';

const forAll: ReadonlySet<string> = new Set(['category', 'visibility']);
const fixed: ReadonlySet<string> = new Set(['file', 'size']);

const vocabulary: Vocabulary = {
  fields: attachmentImportFields,
  isPersonal: (field) => !forAll.has(field),
  // the service creates the columns, so none can be missing
  missing: () => [],
};

const none: ReadonlySet<string> = new Set();
const named: ReadonlySet<string> = new Set(['title', 'category', 'file']);

/** Only readers of private details see identity documents; which files are some is open until the commit. */
function hiddenFrom(actor: Actor, { created_by }: { created_by: number | null }): ReadonlySet<string> {
  if (actor.viewed_as) return named;
  if (created_by === actor.user_id || reachOf(actor, 'employees.view_sensitive').everything) return none;
  return named;
}

/**
 * Colleagues keep a user's personal file: that user sees an imported file only in the record, if the record shows it.
 * Before a row is checked, its cells name the person; they contain the whole folder name, such as `1001 Anna Berg`,
 * where that person is outside the importer's scope.
 */
function hiddenRows(
  { employee_id: me, user_id }: Actor,
  { created_by, columns }: Pick<ImportRecord, 'created_by' | 'columns'>,
): RawBuilder<SqlBool> | undefined {
  if (me === null || created_by === user_id) return undefined;
  const index = layoutOf<AttachmentImportField>(columns).get('employee_number') ?? 0;
  const number = sql`(select fold(o.employee_number) from employees o where o.id = ${me})`;
  const isMine = (text: RawBuilder<unknown>) => sql<SqlBool>`(
    fold(btrim(${text})) = ${number} or ${number} = any(regexp_split_to_array(fold(${text}), '[\\s_,/]+')))`;
  return sql<SqlBool>`(r.subject_id = ${me} or ${isMine(sql`r.cells ->> ${index}::int`)} or ${isMine(sql`r.key`)})`;
}

/** Imports of people's files: a row is a file, and the rows of a person are checked together. */
export const attachmentImportKind: ImportKind<Lines> = {
  type: 'attachments',
  permission: 'employees.update',
  rightWithdrawn,
  vocabulary,
  file: { use: 'attachment_import', limits: {} },
  page: (id) => `/imports/files/${id}`,
  searched: ['file', 'title'],
  hiddenFrom,
  hiddenRows,
  isShared: (field) => field === 'employee_number' || forAll.has(field),
  isFixed: (field) => fixed.has(field),
  allowSettings: () => undefined,
  undo: undoLater(filesUndo),
  readKeys: readLines,
  affected: affectedRows,
  check: checkAndSave,
  findStale,
  write: writeImport,
};
