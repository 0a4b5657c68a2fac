import type { FormerResult, formerResults, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import { reachesDepartment, reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, orderedBy, selectPage } from '../../db/lists.ts';
import { notFound } from '../../http/errors.ts';
import { isSelf } from '../../people/policy.ts';
import type { EmployeeRecord } from '../../people/record.ts';

type ListQuery = QueryOut<typeof formerResults.list>;
export type Stored = Omit<FormerResult, 'created_by' | 'allowed_actions'> & {
  created_by_id: number | null;
  created_by_name: string;
};

const rows = sql`
  select f.id, f.employee_id, f.period, f.period_from, f.period_to, f.unit, f.result, f.scale_from, f.scale_to,
         f.percentage, f.band, f.source, f.created_by as created_by_id, f.created_by_name, f.revision, f.created_at,
         f.updated_at
  from former_results f`;

/** True when the actor can correct and delete former results of the person: HR of the company, but never the person. */
export const mayCorrect = (actor: Actor, person: EmployeeRecord): boolean =>
  !isSelf(actor, person) && reachesDepartment(reachOf(actor, 'kpi-evaluation.hr-review'), person);

/** Shows results of a person as responses. */
export function present(actor: Actor, person: EmployeeRecord) {
  const allowed_actions = mayCorrect(actor, person) ? ['update', 'delete'] : [];
  return ({ created_by_id, created_by_name, ...row }: Stored): FormerResult => ({
    ...row,
    created_by: { user_id: created_by_id, name: created_by_name },
    allowed_actions,
  });
}

const sorts = { period_to: sql`f.period_to`, source: sql`fold(f.source)` };

/** A page of a person's results, by default the latest period first. */
export async function listResults(db: Db, actor: Actor, person: EmployeeRecord, query: ListQuery) {
  const where = every([
    sql`f.employee_id = ${person.id}`,
    ...(query.source ? [sql<boolean>`fold(f.source) = fold(${query.source})`] : []),
    ...holdsWords([sql`f.period`, sql`f.source`, sql`f.band`], query.search),
  ]);
  const by = query.sort_by ?? 'period_to';
  const direction = query.sort_direction ?? (by === 'period_to' ? 'desc' : 'asc');
  const page = await selectPage(db, query, {
    rows: sql<Stored>`${rows} where ${where} ${orderedBy(sorts[by], direction, sql`f.id`)}`,
    total: sql`select count(*) from former_results f where ${where}`,
  });
  return { rows: page.rows.map(present(actor, person)), total: page.total };
}

/** Finds a result of this person; throws 404 for another person's. */
export async function findResult(db: Db, personId: number, id: number, { lock = false } = {}): Promise<Stored> {
  const found = await sql<Stored>`${rows} where f.id = ${id} and f.employee_id = ${personId}
    ${lock ? sql`for update` : sql``}`.execute(db);
  const [row] = found.rows;
  if (!row) throw notFound();
  return row;
}
