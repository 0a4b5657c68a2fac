import { sql } from 'kysely';
import type { Attachment, KeptReason } from '@tenure/contract';
import type { Actor } from '../../access/actor.ts';
import { record as recordAudit } from '../../audit.ts';
import type { Entry } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import { undoReasonOf } from '../../imports/record.ts';
import type { ImportRecord } from '../../imports/record.ts';
import type { Undo, Undoing } from '../../imports/undo.ts';
import { findEmployees } from '../../people/queries.ts';
import type { EmployeeRecord } from '../../people/record.ts';
import { sightOf } from '../attachments/policy.ts';
import { rightWithdrawn } from './write.ts';

const batch = 1_000;
/** An attachment as the import created it; each change increments the revision. */
const firstRevision = 1;

type File = Pick<Attachment, 'id' | 'title' | 'category' | 'visibility' | 'revision'>;
/** A written row; `file` is null once the attachment is gone. */
type Written = { row: number; employee_id: number; file: File | null };
type Going = { row: number; file: File; person: EmployeeRecord };

/** The written rows with their attachments; a change of an attachment requires a lock on its person. */
async function loadWritten(db: Db, { id }: ImportRecord): Promise<Written[]> {
  const { rows } = await sql<Written>`
    select r."row", r.subject_id as employee_id,
           case when a.id is not null then json_build_object(
             'id', a.id, 'title', a.title, 'category', a.category, 'visibility', a.visibility, 'revision', a.revision)
           end as file
    from import_rows r left join attachments a on a.id = (r.before ->> 'attachment_id')::bigint
    where r.import_id = ${id} and r.status = 'created' order by r."row"`.execute(db);
  return rows;
}

/** The people whose files the actor can add and therefore delete. */
async function loadPeople({ db, actor }: { db: Db; actor: Actor }, { id }: ImportRecord) {
  const { rows } = await sql<{ id: number }>`
    select distinct subject_id as id from import_rows where import_id = ${id} and status = 'created'`.execute(db);
  const people = new Map<number, EmployeeRecord>();
  for (let start = 0; start < rows.length; start += batch) {
    const ids = rows.slice(start, start + batch).map((row) => row.id);
    for (const [key, person] of await findEmployees({ db, actor }, ids, 'employees.update', { lock: true }))
      people.set(key, person);
  }
  return people;
}

/** Why a file stays: the checks of a single deletion, and whether it changed since the import. */
function reasonToKeep(actor: Actor, { file }: Written, person: EmployeeRecord | undefined): KeptReason | null {
  const sight = person && sightOf(actor, person);
  if (!sight?.mayChange) return 'not_permitted';
  if (file === null) return 'changed_since';
  const isSeen = sight.visibilities.includes(file.visibility) && (sight.identity || file.category !== 'id_document');
  if (!isSeen) return 'not_permitted';
  return file.revision === firstRevision ? null : 'changed_since';
}

/** Marks the rows that stay. Returns the files to delete. */
async function check({ db, actor }: Undoing, record: ImportRecord): Promise<Going[]> {
  const people = await loadPeople({ db, actor }, record);
  const written = await loadWritten(db, record);
  const checked = written.map((one) => ({
    row: one.row,
    reason: reasonToKeep(actor, one, people.get(one.employee_id)),
  }));
  await sql`
    update import_rows r set kept_reason = t.reason
    from jsonb_to_recordset(${JSON.stringify(checked)}::jsonb) as t ("row" int, reason text)
    where r.import_id = ${record.id} and r."row" = t."row" and r.kept_reason is distinct from t.reason`.execute(db);
  return written.flatMap(({ row, employee_id, file }, index): Going[] => {
    const person = people.get(employee_id);
    return checked[index]?.reason === null && person && file ? [{ row, file, person }] : [];
  });
}

const entryFor =
  (reason: string) =>
  ({ file: { id, title }, person }: Going): Entry => ({
    action: 'attachment.deleted',
    subject_id: id,
    subject_label: `${person.name}: ${title}`,
    entity_id: person.entity_id,
    about_employee_id: person.id,
    reason,
  });

/** Deletes files like single deletions do: the content is deleted a day later. */
async function undoRows({ db, onBatch, ...acting }: Undoing, record: ImportRecord, files: Going[]): Promise<void> {
  const reason = undoReasonOf(record);
  for (let start = 0; start < files.length; start += batch) {
    const some = files.slice(start, start + batch);
    await sql`
      with gone as (delete from attachments where id = any(${some.map(({ file }) => file.id)}::bigint[]) returning file_key)
      insert into removed_files (file_key) select file_key from gone`.execute(db);
    await sql`
      update import_rows set status = 'undone'
      where import_id = ${record.id} and "row" = any(${some.map(({ row }) => row)}::int[])`.execute(db);
    await recordAudit({ db, ...acting }, ...some.map(entryFor(reason)));
    await onBatch();
  }
}

/** How file imports are undone. */
export const filesUndo: Undo<Going[]> = {
  permission: 'employees.update',
  rightWithdrawn,
  check,
  undoRows,
  sentences: { changed_since: 'imports.record_changed', not_permitted: 'imports.record_not_permitted' },
};
