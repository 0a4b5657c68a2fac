import { text } from '@tenure/contract';
import { sql } from 'kysely';
import { visiblePeople } from '../../../access/scope.ts';
import { mayReviewEvaluations } from '../../../people/reviewers.ts';
import { markReviewersMissing } from '../../../workflow/missing-reviewers.ts';
import { recordMoves } from '../history.ts';
import { eraseDrafts, noDraft } from '../steps/reviewer.ts';
import type { BulkActing, BulkRow, Checked } from './row.ts';
import type { BulkRequest } from './request.ts';

/** Another reviewer for many evaluations, by the rules of the single change, with one statement for all. */

type Verdict = { id: number; is_able: boolean; is_below: boolean | null };

/** For each pair: whether the person is visible to the user and can review, and whether they are below the employee. */
async function verdictsOf({ db, actor }: BulkActing, pairs: readonly object[]): Promise<Map<number, Verdict>> {
  const { rows } = await sql<Verdict>`
    with wanted as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as w (id bigint, employee_id bigint, reviewer bigint)
    ), able as materialized (
      select e.id, array(select superiors_of(e.id)) as superiors from employees e
      where e.id in (select reviewer from wanted) and ${mayReviewEvaluations} and ${visiblePeople(actor)}
    )
    select w.id, a.id is not null as is_able, w.employee_id = any(a.superiors) as is_below
    from wanted w left join able a on a.id = w.reviewer`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

function refusalOf(row: BulkRow, to: number | null, verdict: Verdict | undefined) {
  if (to === null) return text('evaluations.no_manager');
  if (to === row.reviewer_id) return text('reviews.is_reviewer_already');
  if (to === row.employee_id) return text('evaluations.own_reviewer');
  if (!verdict?.is_able) return text('evaluations.reviewer_unable');
  return verdict.is_below === true ? text('reviews.reviewer_is_below') : undefined;
}

/** Sets the next reviewer of each evaluation that can have another one; refuses those that the person cannot review. */
export async function reviewersFor(
  acting: BulkActing,
  { reviewer_id, to_manager }: BulkRequest,
  checked: readonly Checked[],
  holds: boolean,
): Promise<Checked[]> {
  const nextOf = ({ person_manager_id }: BulkRow) => (to_manager ? person_manager_id : reviewer_id);
  const pairs = checked.flatMap(({ row, refusal }) => {
    const reviewer = row && refusal === undefined ? nextOf(row) : null;
    return row && reviewer !== null ? [{ id: row.id, employee_id: row.employee_id, reviewer }] : [];
  });
  if (holds) {
    const ids = [...new Set(pairs.map(({ reviewer }) => reviewer))];
    await sql`select from employees where id = any(${ids}::bigint[]) order by id for share`.execute(acting.db);
  }
  const verdicts = await verdictsOf(acting, pairs);
  return checked.map((one) => {
    const { row, refusal } = one;
    if (!row || refusal !== undefined) return one;
    const to = nextOf(row);
    return { ...one, to, refusal: refusalOf(row, to, verdicts.get(row.id)) };
  });
}

/** E7 for many evaluations. Keeps the unsubmitted draft of each former reviewer, as the single change does. */
export async function assignMany(acting: BulkActing, ready: readonly Checked[], reason: string | null): Promise<void> {
  const chosen = ready.flatMap(({ row, to }) => (row && to !== null ? [{ ...row, next: to }] : []));
  const ids = chosen.map(({ id }) => id);
  const emptied = Object.entries(noDraft).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  await sql`
    update kpi_evaluations set ${sql.join(emptied)}, reviewer_id = n.next, reviewer_missing_since = null
    from jsonb_to_recordset(${JSON.stringify(chosen.map(({ id, next }) => ({ id, next })))}::jsonb)
      as n (id bigint, next bigint)
    where kpi_evaluations.id = n.id`.execute(acting.db);
  await recordMoves(
    acting,
    'reviewer',
    chosen.map((row) => ({
      ...row,
      from: row.status,
      to: row.status,
      changes: { reviewer_id: { from: row.reviewer_id, to: row.next } },
    })),
    reason,
  );
  await eraseDrafts(acting, ids);
  await markReviewersMissing(acting.db, 'kpi_evaluations', ids);
}
