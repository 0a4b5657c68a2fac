import type { QueryOut, responsibilities, Responsibility, ResponsibilityKind } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { departmentsIn, entitiesIn, peopleFor, visibleDepartments, visiblePeople } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, oneOfTexts, orderedBy, selectPage } from '../../db/lists.ts';
import { cyclesSeen } from '../kpi-cycles/policy.ts';
import { evaluationsIn, othersIn as otherEvaluations } from '../../access/evaluation-scope.ts';
import { othersIn as otherReviews, reviewsIn } from '../../access/review-scope.ts';

/** What a person is responsible for, one row each, as far as the caller may reassign it. */

type Condition = RawBuilder<SqlBool>;

type Part = {
  kind: ResponsibilityKind;
  from: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
  name: RawBuilder<unknown>;
  detail?: RawBuilder<unknown>;
  status?: RawBuilder<unknown>;
  entity: RawBuilder<unknown>;
  /** Whether the caller sees the record itself, beside being allowed to reassign it. */
  isSeen: Condition;
  where: Condition;
};

const departments = (actor: Actor, kind: ResponsibilityKind, head: RawBuilder<unknown>, personId: number): Part => ({
  kind,
  from: sql`departments d`,
  id: sql`d.id`,
  name: sql`d.name`,
  entity: sql`d.entity_id`,
  isSeen: visibleDepartments(actor),
  where: sql<SqlBool>`${head} = ${personId} and ${departmentsIn(actor, reachOf(actor, 'employees.deactivate'))}`,
});

const partsOf = (actor: Actor, id: number): Part[] => [
  departments(actor, 'department_managed', sql`d.manager_id`, id),
  departments(actor, 'department_led', sql`d.team_lead_id`, id),
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
  {
    kind: 'evaluation',
    from: sql`kpi_evaluations v join employees p on p.id = v.employee_id join kpi_cycles c on c.id = v.cycle_id`,
    id: sql`v.id`,
    name: sql`p.name`,
    detail: sql`c.name`,
    status: sql`v.status`,
    entity: sql`v.entity_id`,
    isSeen: evaluationsIn(actor, 'kpi-evaluation.view'),
    where: sql<SqlBool>`v.reviewer_id = ${id} and v.status not in ('completed', 'cancelled')
      and ${otherEvaluations(actor, 'employees.deactivate')}`,
  },
  {
    kind: 'probation_review',
    from: sql`probation_reviews v join employees p on p.id = v.employee_id`,
    id: sql`v.id`,
    name: sql`p.name`,
    status: sql`v.status`,
    entity: sql`v.entity_id`,
    isSeen: reviewsIn(actor, 'probation-review.view'),
    where: sql<SqlBool>`v.reviewer_id = ${id} and v.status in ('pending', 'submitted', 'sent_back')
      and ${otherReviews(actor, 'employees.deactivate')}`,
  },
  {
    kind: 'kpi_cycle',
    from: sql`kpi_cycles c`,
    id: sql`c.id`,
    name: sql`c.name`,
    status: sql`c.status`,
    entity: sql`c.entity_id`,
    isSeen: cyclesSeen(actor),
    where: sql<SqlBool>`c.owner_id = ${id} and c.status <> 'closed'
      and ${entitiesIn(reachOf(actor, 'employees.deactivate'), 'c.entity_id')}`,
  },
];

const seen = ({ isSeen }: Part, value: RawBuilder<unknown> | undefined) =>
  value ? sql`case when ${isSeen} then ${value} end` : sql`null::text`;

const rowsOf = (part: Part, place: number) => sql`
  select ${part.kind}::text as kind, ${place}::int as kind_order, ${part.id} as id, ${seen(part, part.name)} as name,
         ${seen(part, part.detail)} as detail, ${part.status ?? sql`null::text`} as status, ${part.entity} as entity_id
  from ${part.from} where ${part.where}`;

/** A page of what the person is responsible for. */
export function listResponsibilities(
  db: Db,
  actor: Actor,
  personId: number,
  query: QueryOut<typeof responsibilities.list>,
): Promise<{ rows: Responsibility[]; total: number }> {
  const all = sql.join(partsOf(actor, personId).map(rowsOf), sql` union all `);
  const where = every([
    ...oneOfTexts(sql`r.kind`, query.kind),
    ...holdsWords([sql`r.name`, sql`r.detail`], query.search),
  ]);
  const name = sql`fold(r.name) collate "C"`;
  const by = query.sort_by === 'name' ? name : sql`r.kind_order`;
  return selectPage<Responsibility>(db, query, {
    rows: sql`
      select r.kind, r.id, r.name, r.detail, r.status,
             case when n.id is not null then json_build_object('id', n.id, 'name', n.name) end as entity
      from (${all}) as r left join entities n on n.id = r.entity_id where ${where}
      ${orderedBy(by, query.sort_direction, sql`r.kind_order, ${name}, r.id`)}`,
    total: sql`select count(*) from (${all}) as r where ${where}`,
  });
}
