import { text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { Writing as WritingOf } from '../../imports/kind.ts';
import { saveOutcomes } from '../../imports/outcomes.ts';
import type { Outcome } from '../../imports/record.ts';
import { importerOf } from '../../imports/run.ts';
import { writeInGroups } from '../../imports/write-groups.ts';
import { inBatches, checkGroups, loadContext } from './check.ts';
import type { Checked } from './check-group.ts';
import { readLines } from './lines.ts';
import type { Group, Lines } from './lines.ts';
import { planHistory } from './plan-jobs.ts';
import { stateOf, storeHistories } from './store.ts';
import type { Changing, Kept } from './store.ts';

type Writing = WritingOf<Lines>;

export const rightWithdrawn = text('imports.right_withdrawn');
const importer = { permission: 'employees.import', rightWithdrawn } as const;
const other = { row: [text('imports.row_other_plan')] };

/** The checked rows; rows whose outcome would differ from the shown one fail. */
function asShown({ lines }: Group, checked: Checked): Checked {
  const shown = new Map(lines.map(({ row, digest }) => [row, digest]));
  const isSame = checked.outcomes.every(({ row, digest }) => shown.get(row) === digest);
  if (isSame) return checked;
  const failed = checked.outcomes.map((one): Outcome => ({
    ...one,
    status: 'failed',
    action: 'none',
    subject_id: null,
    digest: '',
    errors: other,
  }));
  return { ...checked, outcomes: failed, entered: [] };
}

const doneStatus = { create: 'created', update: 'updated', skip: 'skipped', none: 'failed' } as const;

/** Stores what was written, with the former histories and checksums of the new ones, which an undo compares. */
async function markRows(
  db: Db,
  importId: number,
  outcomes: readonly Outcome[],
  kept: ReadonlyMap<number, Kept>,
): Promise<void> {
  const done = outcomes.map(({ row, action, subject_id }) => ({
    row,
    status: doneStatus[action],
    subject_id,
    ...kept.get(row),
  }));
  await sql`
    update import_rows r
    set status = t.status, subject_id = t.subject_id,
        before = case when t.person is not null
                      then jsonb_build_object('jobs', t.jobs::jsonb, 'after', ${stateOf(sql`t.person`)}) end
    from jsonb_to_recordset(${JSON.stringify(done)}::jsonb) as t (
      "row" int, status text, subject_id bigint, person bigint, jobs text)
    where r.import_id = ${importId} and r."row" = t."row"`.execute(db);
}

/** The people whose history changes, each with the first of their written rows. */
const changingOf = (checked: readonly Checked[]): Changing[] =>
  checked.flatMap((one) => {
    const rows = one.outcomes.filter(({ action }) => action === 'create' || action === 'update');
    const [first] = rows.toSorted((a, b) => a.row - b.row);
    if (!one.person || !first) return [];
    return [{ row: first.row, person: one.person, days: one.days, plan: planHistory(one.known, one.entered) }];
  });

/** Writes the jobs of some people by the current data, with the outcomes of their rows. Returns the first failure. */
async function writeGroups(db: Db, { record, keys }: Writing, groups: readonly Group[]): Promise<Outcome | undefined> {
  const actor = await importerOf(db, importer, record);
  const context = await loadContext(db, { actor, record }, keys);
  const found = await checkGroups(db, context, groups, { lock: true });
  const checked = found.map((one, index) => asShown(groups[index] as Group, one));
  const outcomes = checked.flatMap((one) => one.outcomes);
  const [failed, planned] = [true, false].map((wanted) =>
    outcomes.filter(({ status }) => (status === 'failed') === wanted),
  ) as [Outcome[], Outcome[]];
  const kept = await storeHistories({ db, actor, record }, changingOf(checked));
  await markRows(db, record.id, planned, kept);
  await saveOutcomes(db, record.id, failed);
  return failed[0];
}

/** The people with planned rows that are not written yet. */
async function openGroups(db: Db, { record, keys }: Writing): Promise<Group[]> {
  const { rows } = await sql<{ row: number }>`
    select "row" from import_rows where import_id = ${record.id} and status = 'valid'`.execute(db);
  const open = new Set(rows.map(({ row }) => row));
  return keys.groups.filter(({ lines }) => lines.some(({ row }) => open.has(row)));
}

/** Writes the planned jobs of an import. `finish` ends the import in the last transaction. Throws ImportFailed. */
export async function writeImport(asked: Writing, finish: (db: Db) => Promise<void>): Promise<void> {
  // the rows after the last check, including the shown outcome
  const writing = { ...asked, keys: await readLines(asked.db, asked.record) };
  const open = await openGroups(writing.db, writing);
  const write = (db: Db, groups: readonly Group[]) => writeGroups(db, writing, groups);
  await writeInGroups(writing, { open, inBatches, write, left_out: writing.keys.left_out }, finish);
}
