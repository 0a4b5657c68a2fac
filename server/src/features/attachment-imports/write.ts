import { text } from '@tenure/contract';
import { sql } from 'kysely';
import { record as recordAudit } from '../../audit.ts';
import type { Entry } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import type { Writing as WritingOf } from '../../imports/kind.ts';
import { saveOutcomes } from '../../imports/outcomes.ts';
import type { Outcome } from '../../imports/record.ts';
import { reasonOf } from '../../imports/record.ts';
import { importerOf } from '../../imports/run.ts';
import { writeInGroups } from '../../imports/write-groups.ts';
import { inBatches, checkGroups, outcomeIn } from './check.ts';
import type { Checked, Plan } from './check-group.ts';
import { readLines } from './lines.ts';
import type { Group, Lines } from './lines.ts';

type Writing = WritingOf<Lines>;

export const rightWithdrawn = text('attachment_imports.right_withdrawn');
const importer = { permission: 'employees.update', rightWithdrawn } as const;
const other = { row: [text('imports.row_other_plan')] };

/** Fails rows whose outcome differs from the shown one. */
function asShown(groups: readonly Group[], checked: readonly Checked[]): Checked[] {
  const shown = new Map(groups.flatMap(({ lines }) => lines.map(({ row, digest }) => [row, digest])));
  return checked.map((one) =>
    one.status === 'failed' || shown.get(one.row) === one.digest
      ? one
      : { ...one, status: 'failed', action: 'none', errors: other, digest: '', plan: null },
  );
}

type Added = {
  row: number;
  id: number;
  employee_id: number;
  file_name: string;
  mime_type: string;
  size: number;
  checksum: string;
};

/** Creates attachments of staged files; their content stays where it is. Two statements. */
async function addFiles(
  db: Db,
  { id, created_by, created_by_name }: Writing['record'],
  planned: readonly { row: number; plan: Plan }[],
): Promise<Map<number, Added>> {
  const wanted = planned.map(({ row, plan: { known, fields } }) => ({ row, employee_id: known.person.id, ...fields }));
  const { rows } = await sql<Added>`
    with wanted as (
      select t.*, f.file_key, f.file_name, f.mime_type, f.size, f.checksum,
             nextval(pg_get_serial_sequence('attachments', 'id')) as id
      from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
        as t ("row" int, employee_id bigint, category text, title text, visibility text)
      join import_files f on f.import_id = ${id} and f."row" = t."row"
      order by t."row"),
    added as (
      insert into attachments (id, employee_id, category, title, visibility, file_key, file_name, mime_type, size,
                               checksum, uploaded_by, uploaded_by_name)
      overriding system value
      select w.id, w.employee_id, w.category, w.title, w.visibility, w.file_key, w.file_name, w.mime_type, w.size,
             w.checksum, ${created_by}::bigint, ${created_by_name}
      from wanted w)
    select w."row", w.id, w.employee_id, w.file_name, w.mime_type, w.size, w.checksum from wanted w`.execute(db);
  const written = rows.map(({ row }) => row);
  await sql`delete from import_files where import_id = ${id} and "row" = any(${written}::int[])`.execute(db);
  return new Map(rows.map((one) => [one.row, one]));
}

const entryFor =
  (reason: string, added: ReadonlyMap<number, Added>) =>
  ({ row, plan: { known, fields } }: { row: number; plan: Plan }): Entry => {
    const { id, file_name, mime_type, size, checksum } = added.get(row) as Added;
    const all = { ...fields, file_name, mime_type, size, checksum };
    return {
      action: 'attachment.created',
      subject_id: id,
      subject_label: `${known.person.name}: ${fields.title}`,
      entity_id: known.person.entity_id,
      about_employee_id: known.person.id,
      changes: Object.fromEntries(Object.entries(all).map(([field, to]) => [field, { from: null, to }])),
      reason,
    };
  };

const doneStatus = { create: 'created', update: 'updated', skip: 'skipped', none: 'failed' } as const;

/** Marks rows as written, with the attachment that an undo would delete. */
async function markRows(
  db: Db,
  importId: number,
  checked: readonly Checked[],
  added: ReadonlyMap<number, Added>,
): Promise<void> {
  const done = checked.map(({ row, action, subject_id }) => {
    const made = added.get(row);
    return { row, status: doneStatus[action], subject_id, before: made ? { attachment_id: made.id } : null };
  });
  await sql`
    update import_rows r set status = t.status, subject_id = t.subject_id, before = t.before
    from jsonb_to_recordset(${JSON.stringify(done)}::jsonb)
      as t ("row" int, status text, subject_id bigint, before jsonb)
    where r.import_id = ${importId} and r."row" = t."row"`.execute(db);
}

/** Writes the files of some people by the current data. Returns the first failure. */
async function writeGroups(db: Db, { record }: Writing, groups: readonly Group[]): Promise<Outcome | undefined> {
  const actor = await importerOf(db, importer, record);
  const checked = asShown(groups, await checkGroups(db, actor, groups, { lock: true }));
  const planned = checked.flatMap(({ row, plan }) => (plan ? [{ row, plan }] : []));
  const failed = checked.filter(({ status }) => status === 'failed').map(outcomeIn);
  const added = await addFiles(db, record, planned);
  await recordAudit({ db, actor }, ...planned.map(entryFor(reasonOf(record), added)));
  await markRows(
    db,
    record.id,
    checked.filter(({ status }) => status !== 'failed'),
    added,
  );
  await saveOutcomes(db, record.id, failed);
  return failed[0];
}

/** The people with planned rows that are not yet written. */
const openGroups = ({ groups }: Lines): Group[] =>
  groups.filter(({ lines }) => lines.some(({ status }) => status === 'valid'));

/** Adds the planned files of an import. `finish` ends the import in the last transaction. Throws ImportFailed. */
export async function writeImport(asked: Writing, finish: (db: Db) => Promise<void>): Promise<void> {
  // the rows after the last check, including the shown outcome
  const writing = { ...asked, keys: await readLines(asked.db, asked.record) };
  const write = (db: Db, groups: readonly Group[]) => writeGroups(db, writing, groups);
  const { left_out } = writing.keys;
  await writeInGroups(writing, { open: openGroups(writing.keys), inBatches, write, left_out }, finish);
}
