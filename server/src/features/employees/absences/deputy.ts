import { messages, text } from '@tenure/contract';
import type { AbsenceDays, deputyTasks, Permission, Text } from '@tenure/contract';
import { sql } from 'kysely';
import { reachesEntity, reachOf } from '../../../access/actor.ts';
import { hasAccount, holdsPermission, visiblePeople } from '../../../access/scope.ts';
import type { WriteCtx } from '../../../http/context.ts';
import { forbidden, invalid } from '../../../http/errors.ts';
import type { EmployeeRecord } from '../../../people/record.ts';

export type DeputyTask = (typeof deputyTasks)[number];
export type Deputy = { deputy_id: number | null; deputy_tasks: readonly DeputyTask[] };

/** The permission that a deputy needs for each kind of task, and who can name one: users who can assign reviewers. */
const rulesOf = {
  kpi_reviews: { reviews: 'kpi-evaluation.review', assigns: 'kpi-evaluation.assign-reviewer' },
  probation_reviews: { reviews: 'probation-review.submit', assigns: 'probation-review.create' },
} as const satisfies Record<DeputyTask, Record<'reviews' | 'assigns', Permission>>;

/**
 * Naming a deputy assigns reviewers temporarily: refused with 403 without that permission in the person's company.
 * @returns the companies where the actor has the permission; null for all
 */
export function companiesOf(
  { actor }: WriteCtx,
  person: EmployeeRecord,
  tasks: readonly DeputyTask[],
): number[] | null {
  const reaches = tasks.map((task) => reachOf(actor, rulesOf[task].assigns));
  if (reaches.some((reach) => !reachesEntity(reach, person.entity_id))) throw forbidden();
  const limited = reaches.filter(({ everything }) => !everything).map(({ entity_ids }) => entity_ids);
  const [first, ...others] = limited;
  return first ? first.filter((id) => others.every((ids) => ids.includes(id))) : null;
}

type Found = { is_able: boolean; absent_from: string | null };

/**
 * Locks and checks the deputy: another active person whom the actor sees, with the permission for each of the tasks,
 * and not absent in these days.
 * @throws 422 on `deputy_id` or `deputy_tasks`
 */
export async function checkDeputy(
  { db, actor }: WriteCtx,
  person: EmployeeRecord,
  { deputy_id, deputy_tasks: tasks, first_day, last_day }: Deputy & AbsenceDays,
): Promise<void> {
  if (deputy_id === null) return;
  const refuse = (message: Text) => invalid('deputy_id', message);
  if (deputy_id === person.id) throw refuse(text('absences.deputy_is_person'));
  if (tasks.length === 0) throw invalid('deputy_tasks', messages.required);
  const able = sql.join(
    tasks.map((task) => holdsPermission('e', rulesOf[task].reviews)),
    sql` and `,
  );
  // a simultaneous loss of the role comes before, and is seen, or after, and marks the absence
  await sql`select from employees where id = ${deputy_id} for share`.execute(db);
  const { rows } = await sql<Found>`
    select ${able} as is_able, (
      select min(a.first_day) from absences a where a.employee_id = e.id
        and daterange(a.first_day, a.last_day, '[]') && daterange(${first_day}::date, ${last_day}::date, '[]')
    ) as absent_from
    from employees e
    where e.id = ${deputy_id} and e.activity_status = 'active' and e.deleted_at is null and ${hasAccount('e')}
      and ${visiblePeople(actor)}`.execute(db);
  const [found] = rows;
  if (!found) throw refuse(messages.unavailable);
  if (!found.is_able) throw refuse(text('absences.deputy_may_not_review'));
  if (found.absent_from !== null)
    throw refuse(text('absences.deputy_is_absent', { date: { date: found.absent_from } }));
}
