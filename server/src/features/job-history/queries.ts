import { text } from '@tenure/contract';
import type { JobHistoryRow, jobHistory, QueryOut, Text } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, oneOfTexts, selectPage } from '../../db/lists.ts';
import { personRefTo, refTo } from '../../db/refs.ts';
import { notFound } from '../../http/errors.ts';
import { can } from '../../people/policy.ts';
import type { EmployeeRecord } from '../../people/record.ts';

type ListQuery = QueryOut<typeof jobHistory.list>;
/** A row as a response, whose message is rendered when it is sent. */
type ShownRow = Omit<JobHistoryRow, 'failure'> & { failure: Text | null };
export type Stored = Omit<ShownRow, 'allowed_actions' | 'created_by'> & {
  created_by_id: number | null;
  created_by_name: string;
};

/** The columns of a row `h` with its company `c`, department `d` and manager `m`. */
export const columns = sql`
         h.id, h.employee_id, h.effective_from, h.effective_to, h.status, h.source, h.changed_fields,
         h.entity_id, ${refTo('c')} as entity, h.department_id, ${refTo('d')} as department,
         h.reporting_manager_id, ${personRefTo('m')} as reporting_manager, h.job_title, h.grade, h.employment_type,
         h.employment_lifecycle, h.reason, h.failure, h.created_by as created_by_id, h.created_by_name,
         h.created_at, h.updated_at`;

const rows = sql`
  select ${columns}
  from job_history h
  join entities c on c.id = h.entity_id
  join departments d on d.id = h.department_id
  left join employees m on m.id = h.reporting_manager_id`;

/** The refusal of a change of a scheduled decision. */
export const decided = text('probation.decided_by_review');

const open = new Set(['scheduled', 'failed']);

/** True for the scheduled decision of a probation review, because nothing else changes the lifecycle. */
export const isDecided = ({ status, changed_fields }: Pick<Stored, 'status' | 'changed_fields'>) =>
  status === 'scheduled' && changed_fields.includes('employment_lifecycle');

/** Shows rows of a person as responses. */
export function present(actor: Actor, person: EmployeeRecord) {
  const may = can(actor)(person);
  const begun = may.includes('past-jobs') ? ['update'] : [];
  return ({ created_by_id, created_by_name, ...row }: Stored): ShownRow => ({
    ...row,
    created_by: { user_id: created_by_id, name: created_by_name },
    allowed_actions: ['past', 'current'].includes(row.status)
      ? begun
      : may.includes('job-history') && open.has(row.status) && !isDecided(row)
        ? ['delete']
        : [],
  });
}

/** A page of a person's history, by default the latest day first. */
export async function listHistory(db: Db, actor: Actor, person: EmployeeRecord, query: ListQuery) {
  const where = every([
    sql`h.employee_id = ${person.id}`,
    ...oneOfTexts(sql`h.status`, query.status),
    ...holdsWords([sql`h.job_title`, sql`h.reason`], query.search),
  ]);
  // of two rows on the same day, the later one took effect
  const order = query.sort_direction === 'asc' ? sql`h.effective_from, h.id` : sql`h.effective_from desc, h.id desc`;
  const page = await selectPage(db, query, {
    rows: sql<Stored>`${rows} where ${where} order by ${order}`,
    total: sql`select count(*) from job_history h where ${where}`,
  });
  return { rows: page.rows.map(present(actor, person)), total: page.total };
}

async function readOne(db: Db, condition: RawBuilder<unknown>): Promise<Stored> {
  const found = await sql<Stored>`${rows} where ${condition}`.execute(db);
  const [row] = found.rows;
  if (!row) throw notFound();
  return row;
}

/** Finds a row of this person's history. Throws 404 for another person's row. */
export const findRow = (db: Db, personId: number, rowId: number): Promise<Stored> =>
  readOne(db, sql`h.id = ${rowId} and h.employee_id = ${personId}`);

/** A row as a response. */
export const presentRow = (actor: Actor, person: EmployeeRecord, row: Stored): ShownRow => present(actor, person)(row);
