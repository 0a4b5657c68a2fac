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
import { withdrawn, writeImport } from './write.ts';

const forAll: ReadonlySet<string> = new Set(['category', 'visibility']);
const fixed: ReadonlySet<string> = new Set(['file', 'size']);

const vocabulary: Vocabulary = {
  fields: attachmentImportFields,
  isPersonal: (field) => !forAll.has(field),
  // the columns are those of the archive, which has them all
  missing: () => [],
};

const none: ReadonlySet<string> = new Set();
const named: ReadonlySet<string> = new Set(['title', 'category', 'file']);

/** Files that are identity documents are for readers of private details; which ones are is open until the commit. */
function hiddenFrom(actor: Actor, { created_by }: { created_by: number | null }): ReadonlySet<string> {
  if (actor.viewed_as) return named;
  if (created_by === actor.user_id || reachOf(actor, 'employees.view_sensitive').everything) return none;
  return named;
}

/**
 * The files of the own record are kept by others: which of them a colleague imports is seen in the record, as far as it
 * is shown there. The cells name the person before a row is judged; with the whole folder, such as `1001 Anna Berg`, where
 * the importer does not reach that person.
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

/** Imports of files of people: a row is a file, and the rows of a person are judged together. */
export const attachmentImportKind: ImportKind<Lines> = {
  type: 'attachments',
  permission: 'employees.update',
  withdrawn,
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
