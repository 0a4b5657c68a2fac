import { messages } from '@tenure/contract';
import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import { reachesEntity, reachOf } from '../../../access/actor.ts';
import { peopleFor, visiblePeople } from '../../../access/scope.ts';
import { record } from '../../../audit.ts';
import type { Entry } from '../../../audit.ts';
import type { Db } from '../../../db/connect.ts';
import type { WriteCtx } from '../../../http/context.ts';
import { invalid } from '../../../http/errors.ts';
import { ownReasons, tally } from '../../../wording.ts';
import { inSameCompany, recordJobChange } from '../../../people/job-write.ts';
import { mayOwn } from '../../kpi-cycles/rules.ts';
import { reassignEvaluations } from '../../kpi-evaluations/reassign.ts';
import { reassignReviews } from '../../probation-reviews/reassign.ts';
import { refuseHeadGains } from '../../departments/gains.ts';
import { changeHeads } from '../../departments/row-write.ts';
import { lockReportingLines } from '../../../people/facts.ts';
import { refuseGains, positionOf } from '../../../people/gains.ts';
import type { Judged } from '../../../people/gains.ts';
import type { EmployeeRecord } from '../../../people/record.ts';
import { changePeople, guardPeople } from '../../../people/row-write.ts';

type Person = { id: number; entity_id: number; name: string };
type Report = Person & { department_id: number; reporting_manager_id: number | null; in_scope: boolean };
type Department = Person & { parent_id: number | null; manager_id: number | null; team_lead_id: number | null };
type Taking = { from: Person; to: Person; gains: Judged; only: Selection | undefined };

/** The responsibilities to reassign, by their ids; all of them where none is named. */
export type Selection = Readonly<
  Record<'departments' | 'reports' | 'evaluations' | 'reviews' | 'cycles', readonly number[]>
>;

const among = (reference: string, ids: readonly number[] | undefined) =>
  ids ? sql<SqlBool>`${sql.ref(reference)} = any(${ids}::bigint[])` : sql<SqlBool>`true`;

const cannot = (what: string) => invalid('reassign_to', `The selected :attribute cannot take over ${what}.`);

/** The responsibilities of a person in words; undefined when there are none. */
export function dutiesOf({ responsibilities: r }: Pick<EmployeeRecord, 'responsibilities'>): string | undefined {
  return tally(
    [r.departments_managed + r.departments_led, 'department', 'departments'],
    [r.direct_reports, 'direct report', 'direct reports'],
    [r.open_evaluations, 'open evaluation', 'open evaluations'],
    [r.open_probation_reviews, 'open probation review', 'open probation reviews'],
    [r.cycles_owned, 'KPI cycle', 'KPI cycles'],
  );
}

async function findTaker({ db, actor }: WriteCtx, from: Person, id: number): Promise<Person> {
  const { rows } = await sql<Person>`
    select e.id, e.entity_id, e.name from employees e
    where e.id = ${id} and e.id <> ${from.id} and e.activity_status = 'active' and e.deleted_at is null
      and e.employment_lifecycle in ('probationary', 'confirmed') and ${visiblePeople(actor)}
    for share`.execute(db);
  const [taker] = rows;
  if (!taker) throw invalid('reassign_to', messages.selected);
  return taker;
}

async function departmentsOf(db: Db, personId: number, only: Selection | undefined): Promise<Department[]> {
  return db
    .selectFrom('departments')
    .select(['id', 'entity_id', 'name', 'parent_id', 'manager_id', 'team_lead_id'])
    .where((eb) => eb.or([eb('manager_id', '=', personId), eb('team_lead_id', '=', personId)]))
    .where(among('id', only?.departments))
    .orderBy('id')
    .forUpdate()
    .execute();
}

const places = ['manager_id', 'team_lead_id'] as const;

/**
 * Puts the successor in the person's places as head of departments: same company unless the actor covers both, one
 * place each.
 */
async function handOverDepartments({ db, actor }: WriteCtx, taking: Taking): Promise<Entry[]> {
  const { from, to, only } = taking;
  const departments = await departmentsOf(db, from.id, only);
  const reach = reachOf(actor, 'employees.deactivate');
  for (const department of departments) {
    const mine =
      reachesEntity(reach, department.entity_id) ||
      (reach.managed && actor.managed_departments.includes(department.id));
    const near = department.entity_id === to.entity_id || reachesEntity(reach, to.entity_id);
    if (!mine || !near || places.some((place) => department[place] === to.id))
      throw cannot(mine ? `the department ${department.name}` : 'departments outside of your scope');
  }
  const ids = departments.map(({ id }) => id);
  await changeHeads(db, { from: from.id, to: to.id, ids }, taking.gains);
  return departments.map((department) => ({
    action: 'department.updated',
    subject_id: department.id,
    subject_label: department.name,
    entity_id: department.entity_id,
    changes: { [department.manager_id === from.id ? 'manager_id' : 'team_lead_id']: { from: from.id, to: to.id } },
  }));
}

/**
 * Refuses, before any check of state, gains of the successor beyond the actor's rights, and reports that only Admins
 * change. The reassignment itself refuses a successor whom the actor does not see. Throws 403.
 */
export async function refuseTaking(ctx: WriteCtx, from: Person, takerId: number, only?: Selection): Promise<Judged> {
  const { db, actor } = ctx;
  const { rows: seen } = await sql`select from employees e where e.id = ${takerId} and ${visiblePeople(actor)}`.execute(
    db,
  );
  const [departments, reports] =
    seen.length > 0 ? [await departmentsOf(db, from.id, only), await reportsOf(ctx, from.id, only)] : [[], []];
  await guardPeople(
    db,
    actor,
    reports.map(({ id }) => id),
  );
  const taker = (head: number | null) => (head === from.id ? takerId : head);
  await refuseHeadGains(
    db,
    actor,
    departments.map((department) => {
      const { manager_id, team_lead_id } = department;
      return {
        id: department.id,
        after: { ...department, manager_id: taker(manager_id), team_lead_id: taker(team_lead_id) },
      };
    }),
  );
  return refuseGains(
    db,
    actor,
    reports.map((report) => ({
      id: report.id,
      before: positionOf(report),
      after: { ...positionOf(report), reporting_manager_id: takerId },
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

async function handOverReports(ctx: WriteCtx, { from, to, gains, only }: Taking): Promise<Entry[]> {
  const { db, actor } = ctx;
  const reports = await reportsOf(ctx, from.id, only);
  const ids = reports.map((report) => report.id);
  if (ids.length === 0) return [];
  if (reports.some((report) => !report.in_scope)) throw cannot('people outside of your scope');
  if (await standsBelow(db, to.id, ids)) throw cannot('people that stand above');
  await changePeople(db, actor, ids, { reporting_manager_id: to.id }, gains);
  const job = { employee_ids: ids, changed_fields: ['reporting_manager_id'], reason: ownReasons.handedOver };
  await recordJobChange(db, { ...job, by: actor }, inSameCompany);
  return reports.map((report) => ({
    action: 'employee.updated',
    subject_id: report.id,
    subject_label: report.name,
    entity_id: report.entity_id,
    changes: { reporting_manager_id: { from: from.id, to: to.id } },
  }));
}

/** Makes the successor the owner of the person's cycles. */
async function handOverCycles({ db, actor }: WriteCtx, { from, to, only }: Taking): Promise<Entry[]> {
  const { rows } = await sql<{ id: number; name: string; entity_id: number | null }>`
    select id, name, entity_id from kpi_cycles where owner_id = ${from.id} and status <> 'closed' and ${among('id', only?.cycles)}
    order by id for update`.execute(db);
  if (rows.length === 0) return [];
  const reach = reachOf(actor, 'employees.deactivate');
  if (rows.some(({ entity_id }) => !reachesEntity(reach, entity_id))) throw cannot('cycles outside of your scope');
  const ids = rows.map(({ id }) => id);
  const { rows: unfit } = await sql`
    select from kpi_cycles c where c.id = any(${ids}::bigint[])
      and not exists (select from employees e where e.id = ${to.id} and ${mayOwn(sql`c.entity_id`)})`.execute(db);
  if (unfit.length > 0) throw cannot('cycles without the right to publish them');
  await db.updateTable('kpi_cycles').set({ owner_id: to.id }).where('id', 'in', ids).execute();
  return rows.map(({ id, name, entity_id }) => ({
    action: 'kpi_cycle.updated',
    subject_id: id,
    subject_label: name,
    entity_id,
    changes: { owner_id: { from: from.id, to: to.id } },
  }));
}

/**
 * Locks the rows that the end of an employment and a reassignment change, in the order of docs/locks.md and before any
 * change. The person and the team must be locked already.
 */
export async function holdWork(db: Db, { id }: Person, takerId: number | null | undefined): Promise<void> {
  if (takerId) {
    await sql`select from employees where id = ${takerId} for share`.execute(db);
    await lockReportingLines(db);
    await sql`select from kpi_cycles where owner_id = ${id} and status <> 'closed' order by id for update`.execute(db);
  }
  await sql`
    select from probation_reviews where (employee_id = ${id} or reviewer_id = ${id})
      and status in ('pending', 'submitted', 'sent_back') order by id for update`.execute(db);
  await sql`
    select from kpi_evaluations where (employee_id = ${id} or reviewer_id = ${id})
      and status not in ('completed', 'cancelled') order by id for update`.execute(db);
}

/**
 * Reassigns responsibilities of a person: all of them, or `only` some. The reason is recorded on no other record. The
 * rows must be locked by `holdWork`. Returns how many were reassigned. Throws 422 on `reassign_to` when the successor
 * cannot take one of them; nothing is changed then.
 */
export async function handOver(
  ctx: WriteCtx,
  { from, takerId, gains, only }: { from: Person; takerId: number; gains: Judged; only?: Selection | undefined },
): Promise<number> {
  const to = await findTaker(ctx, from, takerId);
  const taking = { from: from.id, to: to.id };
  const all = { from, to, gains, only };
  const reviews = await reassignReviews(ctx, { ...taking, only: only?.reviews });
  if (typeof reviews === 'string') throw cannot(reviews);
  const evaluations = await reassignEvaluations(ctx, { ...taking, only: only?.evaluations });
  if (typeof evaluations === 'string') throw cannot(evaluations);
  const entries = [
    ...(await handOverDepartments(ctx, all)),
    ...(await handOverReports(ctx, all)),
    ...(await handOverCycles(ctx, all)),
  ];
  await record(ctx, ...entries.map((entry) => ({ ...entry, reason: ownReasons.handedOver })));
  return reviews + evaluations + entries.length;
}
