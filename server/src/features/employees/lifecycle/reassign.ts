import type { Parameter } from '@tenure/contract';
import { messages, text } from '@tenure/contract';
import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import { peopleFor, visiblePeople } from '../../../access/scope.ts';
import { record } from '../../../audit.ts';
import type { Db } from '../../../db/connect.ts';
import type { WriteCtx } from '../../../http/context.ts';
import { invalid } from '../../../http/errors.ts';
import { among } from '../../../people/dependents.ts';
import type { Duty, PeopleCtx, Person, Reassignment, Selection } from '../../../people/dependents.ts';
import { lockReportingLines } from '../../../people/rule-context.ts';
import { refuseGains, positionOf } from '../../../people/gains.ts';
import type { GainsChecked } from '../../../people/gains.ts';
import { inSameCompany, recordJobChange } from '../../../people/job-write.ts';
import type { EmployeeRecord } from '../../../people/record.ts';
import { changePeople, guardPeople } from '../../../people/row-write.ts';
import { tally } from '../../../counts.ts';
import { ownReason } from '../../../languages/answer.ts';
import { cannotTakeOver } from '../../../workflow/reassign.ts';
import { endedEvaluations, openReviewStates } from '../../../workflow/open.ts';

type Report = Person & { department_id: number; reporting_manager_id: number | null; in_scope: boolean };
/** The responsibilities of a person in words; undefined when there are none. */
export function dutiesOf({ responsibilities: r }: Pick<EmployeeRecord, 'responsibilities'>): Parameter | undefined {
  return tally({
    departments: r.departments_managed + r.departments_led,
    direct_reports: r.direct_reports,
    open_evaluations: r.open_evaluations,
    open_probation_reviews: r.open_probation_reviews,
    cycles_owned: r.cycles_owned,
  });
}

async function findTaker({ db, actor }: WriteCtx, from: Person, id: number): Promise<Person> {
  const { rows } = await sql<Person>`
    select e.id, e.entity_id, e.name from employees e
    where e.id = ${id} and e.id <> ${from.id} and e.activity_status = 'active' and e.deleted_at is null
      and e.employment_lifecycle in ('probationary', 'confirmed') and ${visiblePeople(actor)}
    for share`.execute(db);
  const [successor] = rows;
  if (!successor) throw invalid('reassign_to', messages.unavailable);
  return successor;
}

/**
 * Refuses, before any check of state, rights that the successor would gain beyond the actor's, and reports that only
 * Admins can change. The reassignment itself refuses a successor whom the actor does not see. Throws 403.
 */
export async function refuseTaking(
  ctx: PeopleCtx,
  from: Person,
  successorId: number,
  only?: Selection,
): Promise<GainsChecked> {
  const { db, actor, dependents } = ctx;
  const { rows: seen } =
    await sql`select from employees e where e.id = ${successorId} and ${visiblePeople(actor)}`.execute(db);
  const reports = seen.length > 0 ? await reportsOf(ctx, from.id, only) : [];
  await guardPeople(
    db,
    actor,
    reports.map(({ id }) => id),
  );
  if (seen.length > 0)
    for (const { refuseGains: refuse } of dependents.duties) await refuse?.(ctx, { from, successorId, only });
  return refuseGains(
    db,
    actor,
    reports.map((report) => ({
      id: report.id,
      before: positionOf(report),
      after: { ...positionOf(report), reporting_manager_id: successorId },
    })),
  );
}

async function reportsOf({ db, actor }: WriteCtx, personId: number, only: Selection | undefined): Promise<Report[]> {
  const { rows } = await sql<Report>`
    select e.id, e.entity_id, e.name, e.department_id, e.reporting_manager_id,
           ${peopleFor(actor, 'employees.deactivate')} as in_scope from employees e
    where e.reporting_manager_id = ${personId} and e.deleted_at is null and ${among('e.id', only?.reports)} order by e.id for update`.execute(
    db,
  );
  return rows;
}

/** True when a person of `ids` is the given person or a superior. */
async function standsBelow(db: Db, personId: number, ids: number[]): Promise<boolean> {
  const { rows } = await sql<{ below: boolean }>`
    with recursive above as (
      select id, reporting_manager_id from employees where id = ${personId}
      union
      select e.id, e.reporting_manager_id from employees e join above on e.id = above.reporting_manager_id
    )
    select exists (select from above where id = any(${ids}::bigint[])) as below`.execute(db);
  return rows[0]?.below ?? false;
}

async function reassignReports(ctx: WriteCtx, { from, to, gains, only }: Reassignment): Promise<number> {
  const { db, actor } = ctx;
  const reports = await reportsOf(ctx, from.id, only);
  const ids = reports.map((report) => report.id);
  if (ids.length === 0) return 0;
  if (reports.some((report) => !report.in_scope)) throw cannotTakeOver(text('responsibilities.people_outside_scope'));
  if (await standsBelow(db, to.id, ids)) throw cannotTakeOver(text('responsibilities.people_above'));
  await changePeople(db, actor, ids, { reporting_manager_id: to.id }, gains);
  const job = { employee_ids: ids, changed_fields: ['reporting_manager_id'], reason: ownReason('reasons.handed_over') };
  await recordJobChange(db, { ...job, by: actor }, inSameCompany);
  await record(
    ctx,
    ...reports.map((report) => ({
      action: 'employee.updated' as const,
      subject_id: report.id,
      subject_label: report.name,
      entity_id: report.entity_id,
      changes: { reporting_manager_id: { from: from.id, to: to.id } },
      reason: ownReason('reasons.handed_over'),
    })),
  );
  return ids.length;
}

/** People with their manager. */
export const reportsDuty: Duty = {
  listed: (actor, id) => [
    {
      kind: 'direct_report',
      from: sql`employees e`,
      id: sql`e.id`,
      name: sql`e.name`,
      status: sql`e.activity_status`,
      entity: sql`e.entity_id`,
      isSeen: visiblePeople(actor),
      where: sql<SqlBool>`e.reporting_manager_id = ${id} and e.activity_status <> 'inactive' and e.deleted_at is null
        and ${peopleFor(actor, 'employees.deactivate')}`,
    },
  ],
  reassign: reassignReports,
};

/**
 * Locks the rows that the end of an employment and a reassignment change, in the order of docs/locks.md and before any
 * change. The caller has already locked the person and the team.
 */
export async function lockWork(db: Db, { id }: Person, successorId: number | null | undefined): Promise<void> {
  if (successorId) {
    await sql`select from employees where id = ${successorId} for share`.execute(db);
    await lockReportingLines(db);
    await sql`select from kpi_cycles where owner_id = ${id} and status <> 'closed' order by id for update`.execute(db);
  }
  await sql`
    select from probation_reviews where (employee_id = ${id} or reviewer_id = ${id})
      and status in ${openReviewStates} order by id for update`.execute(db);
  await sql`
    select from kpi_evaluations where (employee_id = ${id} or reviewer_id = ${id})
      and status not in ${endedEvaluations} order by id for update`.execute(db);
}

/**
 * Reassigns responsibilities of a person: all of them, or `only` some. No other record gets the reason. The rows must
 * be locked by `lockWork`. Returns how many were reassigned. Throws 422 on `reassign_to`, without any change, if the
 * successor cannot take one of them.
 */
export async function reassign(
  ctx: PeopleCtx,
  {
    from,
    successorId,
    gains,
    only,
  }: { from: Person; successorId: number; gains: GainsChecked; only?: Selection | undefined },
): Promise<number> {
  const to = await findTaker(ctx, from, successorId);
  let moved = 0;
  for (const duty of ctx.dependents.duties) moved += await duty.reassign(ctx, { from, to, gains, only });
  return moved;
}
