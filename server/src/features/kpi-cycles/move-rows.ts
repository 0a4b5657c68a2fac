import type { CycleMove, kpiCycleMoves, QueryOut, ReplyIn, Text } from '@tenure/contract';
import { text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { visiblePeople } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, orderedBy, selectPage } from '../../db/lists.ts';
import { personRefTo, refTo } from '../../db/refs.ts';
import { partsOf, splitFacts, whyNoSplit } from './move-split.ts';
import type { SplitFacts } from './move-split.ts';
import { decidesMoves, undecided } from './move-scope.ts';
import { planOf } from './plan.ts';
import { employmentRefusals, templateRefusal } from './plan-refusals.ts';
import type { PlannedTemplate } from './plan-refusals.ts';
import { hasBegun } from './replacement-plan.ts';

/** People who moved to another department while their evaluation is open, and the effect of a switch. */

type Reading = { db: Db; actor: Actor };
type Refusals = Record<'refusal' | 'split_refusal', Text | null>;
export type Move = Omit<ReplyIn<typeof kpiCycleMoves.decide>['data']['move'], keyof Refusals> &
  Refusals & {
    covers_from: string | null;
    employee_id: number;
    to_department_id: number;
    new_template_id: number | null;
  };
type Moved = Omit<Move, 'new_template' | 'new_reviewer' | 'new_template_id' | 'parts' | keyof Refusals> & SplitFacts;
type Planned = Pick<Move, 'new_template' | 'new_reviewer'> &
  PlannedTemplate & {
    id: number;
    reason: string | null;
    is_foreign: boolean;
    reviewer_id: number | null;
  };

const movedOn = sql`(
  select max(h.effective_from) from job_history h
  where h.employee_id = e.id and h.status in ('current', 'past') and h.changed_fields && '{department_id,entity_id}')`;

const tables = sql`kpi_evaluations v
  join kpi_cycles c on c.id = v.cycle_id
  join employees e on e.id = v.employee_id
  join departments f on f.id = v.department_id
  join departments d on d.id = e.department_id
  join kpi_templates t on t.id = v.template_id
  left join employees r on r.id = v.reviewer_id
  cross join lateral (select ${movedOn} as day) as m`;

/** The undecided moves of a cycle that the actor can decide. */
const movedIn = (actor: Actor, cycleId: number) =>
  every([sql<boolean>`v.cycle_id = ${cycleId}`, undecided, decidesMoves(actor)]);

const columns = (actor: Actor) => sql`
  v.id as evaluation_id, v.revision, v.employee_id, ${personRefTo('e')} as employee, v.status, ${hasBegun} as has_begun,
  ${refTo('f')} as from_department, ${refTo('d')} as to_department, d.id as to_department_id, e.entity_id,
  m.day as moved_on, ${splitFacts}, v.covers_from, json_build_object('id', t.id, 'name', v.template_name) as template,
  case when ${visiblePeople(actor, 'r')} then ${personRefTo('r')} end as reviewer`;

/** What adding these people in their current department would give them. */
async function plannedFor(
  { db, actor }: Reading,
  cycleId: number,
  moved: readonly Moved[],
  template_id: number | null,
): Promise<Map<number, Planned>> {
  const only = moved.map(({ employee_id }) => employee_id);
  const departments = [...new Set(moved.map(({ to_department_id }) => to_department_id))];
  const { rows } = await sql<Planned>`
    with ${planOf(cycleId, departments, { only, invited: { template_id } })}
    select p.id, p.reason, p.template_id, p.template_status, p.is_foreign, p.is_foreign_template, p.reviewer_id,
           ${refTo('t')} as new_template,
           case when ${visiblePeople(actor, 'r')} then ${personRefTo('r')} end as new_reviewer
    from people p
    left join kpi_templates t on t.id = p.template_id
    left join employees r on r.id = p.reviewer_id`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

function refusalOf(planned: Planned | undefined): Text | null {
  if (!planned) return text('kpi_cycles.person_not_active');
  const { reason, is_foreign, reviewer_id } = planned;
  if (is_foreign) return text('kpi_cycles.person_of_other_company');
  const refusal = employmentRefusals[reason ?? ''] ?? templateRefusal(planned);
  if (refusal) return refusal;
  return reviewer_id === null ? text('kpi_cycles.person_without_reviewer') : null;
}

async function withPlan(
  reading: Reading,
  cycleId: number,
  moved: readonly Moved[],
  template_id: number | null,
): Promise<Move[]> {
  if (moved.length === 0) return [];
  const planned = await plannedFor(reading, cycleId, moved, template_id);
  return moved.map(({ split, ...row }) => {
    const plan = planned.get(row.employee_id);
    const refusal = refusalOf(plan);
    const split_refusal = whyNoSplit(row, split) ?? refusal;
    return {
      ...row,
      new_template: plan?.new_template ?? null,
      new_template_id: plan?.template_id ?? null,
      new_reviewer: plan?.new_reviewer ?? null,
      refusal,
      split_refusal,
      parts: split_refusal === null || split_refusal === refusal ? partsOf(row, split) : null,
    };
  });
}

/** A page of the moves to decide. */
export async function listMoves(reading: Reading, cycleId: number, query: QueryOut<typeof kpiCycleMoves.list>) {
  const { db, actor } = reading;
  const where = every([movedIn(actor, cycleId), ...holdsWords([sql`e.name`, sql`e.employee_number`], query.search)]);
  const { rows, total } = await selectPage(db, query, {
    rows: sql<Moved>`
      select ${columns(actor)} from ${tables} where ${where}
      ${orderedBy(sql`v.person_sort`, query.sort_direction, sql`v.id`)}`,
    total: sql`select count(*) from ${tables} where ${where}`,
  });
  return { rows: (await withPlan(reading, cycleId, rows, null)).map(presentMove), total };
}

/** The maximum number of moves that a preflight lists. */
const maxNamed = 500;
type NamedMove = Pick<Moved, 'employee' | 'from_department' | 'to_department'>;

/** The undecided moves out of or into departments of a cycle. */
export async function movesOfDepartments(
  { db, actor }: Reading,
  cycleId: number,
  departmentIds: readonly number[],
): Promise<NamedMove[]> {
  const ids = sql`any(${departmentIds}::bigint[])`;
  const { rows } = await sql<NamedMove>`
    select ${personRefTo('e')} as employee, ${refTo('f')} as from_department, ${refTo('d')} as to_department
    from ${tables}
    where ${movedIn(actor, cycleId)} and (v.department_id = ${ids} or e.department_id = ${ids})
    order by v.person_sort, v.id limit ${maxNamed}`.execute(db);
  return rows;
}

/** Finds and locks the move of an evaluation, with its person; undefined if there is none to decide. */
export async function lockMove(
  reading: Reading,
  { cycle_id, evaluation_id, template_id }: { cycle_id: number; evaluation_id: number; template_id: number | null },
): Promise<Move | undefined> {
  const { db, actor } = reading;
  // lock people before evaluations
  await sql`
    select from employees where id = (select employee_id from kpi_evaluations where id = ${evaluation_id})
    for key share`.execute(db);
  const { rows } = await sql<Moved>`
    select ${columns(actor)} from ${tables} where v.id = ${evaluation_id} and ${movedIn(actor, cycle_id)}
    for update of v`.execute(db);
  return (await withPlan(reading, cycle_id, rows, template_id))[0];
}

/** A move as responses show it. */
export function presentMove({
  employee_id: _person,
  to_department_id: _department,
  new_template_id: _template,
  covers_from: _from,
  ...move
}: Move): Omit<CycleMove, keyof Refusals> & Refusals {
  return move;
}
