import { text } from '@tenure/contract';
import { sql } from 'kysely';
import { changesBetween, record as recordAudit } from '../../audit.ts';
import type { Entry } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import { inImportTransaction } from '../../imports/transaction.ts';
import { ImportFailed } from '../../imports/kind.ts';
import type { Writing as WritingOf } from '../../imports/kind.ts';
import { rowMessage, saveOutcomes } from '../../imports/outcomes.ts';
import { cellsOf, reasonOf } from '../../imports/record.ts';
import type { StagedCells } from '../../imports/record.ts';
import { importerOf } from '../../imports/run.ts';
import { percentageOf, shownIn } from '../former-results/result.ts';
import { outcomeIn } from './check.ts';
import { checkStaged } from './check-rows.ts';
import type { Checked, Plan } from './check-rows.ts';
import type { Keys } from './keys.ts';

type Writing = WritingOf<Keys>;

/** Rows per transaction. */
const batch = 2_000;

export const rightWithdrawn = text('former_results.right_withdrawn');
const importer = { permission: 'kpi-evaluation.hr-review', rightWithdrawn } as const;

const other = text('imports.row_other_plan');

/** Fails rows whose outcome differs from the shown one. */
const asShown = (checked: Checked, { digest }: StagedCells): Checked =>
  checked.status === 'failed' || checked.digest === digest
    ? checked
    : { ...checked, status: 'failed', action: 'none', errors: { row: [other] }, changes: null, digest: '', plan: null };

/** A row to write; `id` of a new result is reserved in advance. */
type Line = { checked: Checked; plan: Plan; id: number };

async function takeIds(db: Db, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('former_results', 'id')) as id from generate_series(1, ${count}::int)`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** The results as rows for a statement. */
const asRows = (lines: readonly Line[]) => sql`jsonb_to_recordset(${JSON.stringify(
  lines.map(({ id, plan: { person, values, percentage } }) => ({ id, employee_id: person.id, ...values, percentage })),
)}::jsonb) as t (id bigint, employee_id bigint, period text, period_from date, period_to date, unit text, result numeric,
  scale_from numeric, scale_to numeric, percentage numeric, band text, source text)`;

async function insert(db: Db, { created_by, created_by_name }: Writing['record'], lines: readonly Line[]) {
  if (lines.length === 0) return;
  await sql`
    insert into former_results (id, employee_id, period, period_from, period_to, unit, result, scale_from, scale_to,
                                percentage, band, source, created_by, created_by_name)
    overriding system value
    select t.id, t.employee_id, t.period, t.period_from, t.period_to, t.unit, t.result, t.scale_from, t.scale_to,
           t.percentage, t.band, t.source, ${created_by}::bigint, ${created_by_name} from ${asRows(lines)}`.execute(db);
}

async function update(db: Db, lines: readonly Line[]) {
  if (lines.length === 0) return;
  await sql`
    update former_results f
    set period = t.period, unit = t.unit, result = t.result, scale_from = t.scale_from, scale_to = t.scale_to,
        percentage = t.percentage, band = t.band, source = t.source
    from ${asRows(lines)} where f.id = t.id`.execute(db);
}

const entryFor =
  (reason: string) =>
  ({ id, plan: { person, values, existing } }: Line): Entry => ({
    action: existing ? 'former_result.updated' : 'former_result.created',
    subject_id: id,
    subject_label: person.name,
    entity_id: person.entity_id,
    about_employee_id: person.id,
    changes: changesBetween(existing ? shownIn(existing) : {}, shownIn(values)),
    reason,
  });

type Mark = { row: number; status: string; subject_id: number | null; before: object | null };

/** Marks rows as written, with what an undo restores, and the revisions before and after the import. */
async function markWritten(db: Db, importId: number, checked: readonly Checked[], lines: readonly Line[]) {
  const written = new Map(lines.map((line) => [line.checked.row, line]));
  const marks = checked.flatMap(({ row, status, subject_id }): Mark[] => {
    if (status === 'failed') return [];
    const line = written.get(row);
    if (!line) return [{ row, status: 'skipped', subject_id, before: null }];
    const { existing } = line.plan;
    const before = existing
      ? {
          found: existing.revision,
          revision: existing.revision + 1,
          values: { ...shownIn(existing), percentage: percentageOf(existing) },
        }
      : { revision: 1 };
    return [{ row, status: existing ? 'updated' : 'created', subject_id: line.id, before }];
  });
  await sql`
    update import_rows r set status = t.status, subject_id = t.subject_id, before = t.before
    from jsonb_to_recordset(${JSON.stringify(marks)}::jsonb)
      as t ("row" int, status text, subject_id bigint, before jsonb)
    where r.import_id = ${importId} and r."row" = t."row"`.execute(db);
}

/** Writes some rows by the current data, with a fixed number of statements. */
async function writeRows(db: Db, { record, keys }: Writing, staged: readonly StagedCells[]): Promise<void> {
  const actor = await importerOf(db, importer, record);
  const now = await checkStaged({ db, actor, record, keys }, staged, { lock: true });
  const checked = now.map((one, index) => asShown(one, staged[index] as StagedCells));
  const failed = checked.filter(({ status }) => status === 'failed');
  if (failed[0] && record.mode === 'atomic') throw new ImportFailed(rowMessage(failed[0]));
  const plans = checked.flatMap((one) => (one.plan ? [{ checked: one, plan: one.plan }] : []));
  const fresh = await takeIds(db, plans.filter(({ plan }) => !plan.existing).length);
  const lines = plans.map((one): Line => ({ ...one, id: one.plan.existing?.id ?? (fresh.shift() as number) }));
  await insert(
    db,
    record,
    lines.filter(({ plan }) => !plan.existing),
  );
  await update(
    db,
    lines.filter(({ plan }) => plan.existing),
  );
  await markWritten(db, record.id, checked, lines);
  if (failed.length > 0) await saveOutcomes(db, record.id, failed.map(outcomeIn));
  await recordAudit({ db, actor }, ...lines.map(entryFor(reasonOf(record))));
}

/** The rows to write: all, or those that an earlier run did not reach. */
async function openRows(db: Db, { id }: Writing['record']): Promise<number[]> {
  const { rows } = await sql<{ row: number }>`
    select "row" from import_rows where import_id = ${id} and status = 'valid' order by "row"`.execute(db);
  return rows.map(({ row }) => row);
}

async function readStaged(db: Db, id: number, rows: readonly number[]): Promise<StagedCells[]> {
  const staged: StagedCells[] = [];
  for await (const some of cellsOf(db, id, { size: rows.length, rows })) staged.push(...some);
  return staged;
}

/**
 * Writes the planned rows of an import: in separate batches, or all in one transaction. `finish` ends the import in the
 * last transaction. Throws ImportFailed.
 */
export async function writeImport(writing: Writing, finish: (db: Db) => Promise<void>): Promise<void> {
  const { record, keys } = writing;
  const open = await openRows(writing.db, record);
  const parts = Array.from({ length: Math.ceil(open.length / batch) }, (_, index) =>
    open.slice(index * batch, (index + 1) * batch),
  );
  let done = keys.rows.length - open.length;
  const part = async (db: Db, rows: readonly number[]) => {
    await writeRows(db, writing, await readStaged(db, record.id, rows));
    done += rows.length;
    await writing.onDone(db, { done, made: [] });
  };
  if (record.mode === 'atomic')
    return inImportTransaction(writing.db, async (db) => {
      for (const rows of parts) await part(db, rows);
      await finish(db);
    });
  for (const rows of parts) await inImportTransaction(writing.db, (db) => part(db, rows));
  await inImportTransaction(writing.db, finish);
}
