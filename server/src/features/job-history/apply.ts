import { joinTexts } from '../../http/errors.ts';
import type { AuditVerb, Text } from '@tenure/contract';
import { jobFields, text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Selectable, Transaction } from 'kysely';
import { changesBetween, record } from '../../audit.ts';
import type { Changes } from '../../audit.ts';
import type { DB } from '../../db/schema.ts';
import { inJobTransaction } from '../../jobs/task.ts';
import type { JobContext } from '../../jobs/task.ts';
import { notifyConfirmed, notifyJobChange, notifyJobChangeCancelled } from '../../notifications/people.ts';
import { changePeople } from '../../people/row-write.ts';
import { followTransfers } from '../probation-reviews/transfers.ts';
import { authorityFor } from './authority.ts';
import { jobProblems } from './guards.ts';
import type { Job } from './guards.ts';
import { columnNames } from '../../db/all-columns.ts';

type HistoryRow = Selectable<DB['job_history']>;
type Person = Job & {
  id: number;
  name: string;
  is_admin: boolean;
  employment_lifecycle: string;
  activity_status: string;
  confirmation_date: string | null;
  last_working_date: string | null;
};

const batch = 200;

type Due = { id: number; employee_id: number; effective_from: string };
const beforeFirst: Due = { id: 0, employee_id: 0, effective_from: '0001-01-01' };

/** Due rows by day, so that of several missed changes of a person, the last one remains. */
async function dueRows({ deps, now }: JobContext, after: Due): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select h.id, h.employee_id, h.effective_from
    from job_history h
    join employees e on e.id = h.employee_id and e.deleted_at is null
    join entities c on c.id = e.entity_id
    where h.status = 'scheduled' and (h.effective_from, h.id) > (${after.effective_from}::date, ${after.id}::bigint)
      and h.effective_from <= (${now.toString()}::timestamptz at time zone c.timezone)::date
    order by h.effective_from, h.id limit ${batch}`.execute(deps.db);
  return rows;
}

/** The job after the change: its changed fields, and the person's current values otherwise. */
const jobOf = (row: HistoryRow, person: Person) =>
  Object.fromEntries(
    [...jobFields, 'employment_lifecycle' as const].map((field) => [
      field,
      (row.changed_fields.includes(field) ? row : person)[field],
    ]),
  ) as Job & { employment_lifecycle: string };

const leaves = ({ employment_lifecycle }: Person) => ['resigned', 'terminated'].includes(employment_lifecycle);
/** True if the employment is over on the day of a change. */
const isOver = (person: Person, { effective_from: day }: HistoryRow) =>
  leaves(person) &&
  (person.activity_status === 'inactive' || (person.last_working_date !== null && day > person.last_working_date));
const isConfirmation = ({ changed_fields }: HistoryRow) => changed_fields.includes('employment_lifecycle');

async function refusalFor(db: Transaction<DB>, row: HistoryRow, person: Person, job: Job): Promise<Text | undefined> {
  if (isConfirmation(row) && person.employment_lifecycle !== 'probationary')
    return text('job_history.probation_is_over');
  const problems = Object.values(await jobProblems(db, person.id, job, row.changed_fields)).flat();
  return problems.length > 0 ? joinTexts(problems) : undefined;
}

/** Makes the row the current one, from its own day or from the start of the current one if that is later. */
async function makeCurrent(db: Transaction<DB>, row: HistoryRow, job: ReturnType<typeof jobOf>) {
  const present = await db
    .updateTable('job_history')
    .set({
      status: 'past',
      effective_to: sql`greatest(effective_from, ${row.effective_from}::date - 1)`,
    })
    .where('employee_id', '=', row.employee_id)
    .where('status', '=', 'current')
    .returning('effective_from')
    .executeTakeFirst();
  const from = present && present.effective_from > row.effective_from ? present.effective_from : row.effective_from;
  await db
    .updateTable('job_history')
    .set({ ...job, status: 'current', effective_from: from })
    .where('id', '=', row.id)
    .execute();
}

async function recordEntry(
  db: Transaction<DB>,
  verb: AuditVerb<'job_history'>,
  row: HistoryRow,
  person: Person,
  changes: Changes,
) {
  const entry = {
    action: `job_history.${verb}`,
    subject_id: row.id,
    subject_label: person.name,
    entity_id: person.entity_id,
  } as const;
  await record({ db, actor: null }, { ...entry, changes, reason: row.reason });
}

type Applied = Pick<Job, 'reporting_manager_id'> & { confirmation: boolean };

async function notifyApplied(db: Transaction<DB>, row: HistoryRow, person: Person, after: Applied) {
  const { id, effective_from } = row;
  const context = { db, actor: null };
  if (after.confirmation) return notifyConfirmed(context, person, effective_from);
  const manager = after.reporting_manager_id;
  const new_manager_id = manager === person.reporting_manager_id ? null : manager;
  return notifyJobChange(context, person, { id, effective_from, new_manager_id });
}

/** Cancels a change that no one needs to act on. */
async function cancel(
  db: Transaction<DB>,
  row: HistoryRow,
  person: Person,
  failure: Text | null = null,
): Promise<'cancelled'> {
  await db
    .updateTable('job_history')
    .set({ status: 'cancelled', failure: failure && JSON.stringify(failure) })
    .where('id', '=', row.id)
    .execute();
  await recordEntry(db, 'cancelled', row, person, { status: { from: 'scheduled', to: 'cancelled' } });
  return 'cancelled';
}

// not every reader of this reason can see later changes
const authorMayNot = text('job_history.author_may_not');

/** Cancels a change and notifies its author and HR, who can schedule it again. */
async function cancelAndNotify(db: Transaction<DB>, row: HistoryRow, person: Person): Promise<'cancelled'> {
  await cancel(db, row, person, authorMayNot);
  await notifyJobChangeCancelled({ db, actor: null }, person, row);
  return 'cancelled';
}

type Result = 'applied' | 'failed' | 'cancelled';

async function applyRow(db: Transaction<DB>, row: HistoryRow, person: Person): Promise<Result> {
  if (isConfirmation(row) && leaves(person)) return cancel(db, row, person);
  // a separation can be withdrawn until its day, which makes the change valid again
  if (isOver(person, row)) return cancel(db, row, person, text('job_history.person_has_left'));
  const job = jobOf(row, person);
  const authority = await authorityFor(db, row, person, job);
  if (!authority) return cancelAndNotify(db, row, person);
  const failure = await refusalFor(db, row, person, job);
  if (failure !== undefined) {
    await db
      .updateTable('job_history')
      .set({ status: 'failed', failure: JSON.stringify(failure) })
      .where('id', '=', row.id)
      .execute();
    await recordEntry(db, 'failed', row, person, { status: { from: 'scheduled', to: 'failed' } });
    return 'failed';
  }
  const confirmation = job.employment_lifecycle === 'confirmed' && person.employment_lifecycle === 'probationary';
  const after = { ...job, ...(confirmation && { confirmation_date: row.effective_from }) };
  await changePeople(db, authority.by, [person.id], after, authority.gains);
  await makeCurrent(db, row, job);
  if (job.entity_id !== person.entity_id) await followTransfers({ db, actor: null }, [person.id]);
  await recordEntry(db, 'applied', row, person, changesBetween(person, after));
  await notifyApplied(db, row, person, { ...job, confirmation });
  return 'applied';
}

/** Applies one row in its own transaction; does nothing if another worker applied it or it was cancelled. */
async function applyOne({ deps }: JobContext, due: Due) {
  return inJobTransaction(deps.db, async (db) => {
    const person = await db
      .selectFrom('employees')
      .select([
        'id',
        'name',
        'activity_status',
        'employment_lifecycle',
        'confirmation_date',
        'last_working_date',
        ...jobFields,
      ])
      .select(sql<boolean>`holds_admin(user_id)`.as('is_admin'))
      .where('id', '=', due.employee_id)
      .forUpdate()
      .executeTakeFirst();
    const row = await db
      .selectFrom('job_history')
      .select(columnNames('job_history'))
      .where('id', '=', due.id)
      .where('status', '=', 'scheduled')
      .forUpdate()
      .executeTakeFirst();
    return person && row ? applyRow(db, row, person as Person) : undefined;
  });
}

/**
 * Applies the scheduled job changes whose day has come in the time zone of the person's company, including missed days.
 * An impossible change becomes `failed` with its reason. Cancels changes whose author lost the permission,
 * confirmations of leavers, and changes after the last working day.
 */
export async function applyDueJobChanges(ctx: JobContext): Promise<Record<Result, number>> {
  const counts = { applied: 0, failed: 0, cancelled: 0 };
  for (let after = beforeFirst; ;) {
    const rows = await dueRows(ctx, after);
    for (const row of rows) {
      const result = await applyOne(ctx, row);
      if (result) counts[result] += 1;
    }
    const last = rows.at(-1);
    if (!last || rows.length < batch) return counts;
    after = last;
  }
}
