import { text } from '@tenure/contract';
import type { kpiCycleNewcomers, ReplyIn, Text } from '@tenure/contract';
import { sql } from 'kysely';
import { record } from '../../audit.ts';
import type { HandlerCtx, ReadCtx, WriteCtx } from '../../http/context.ts';
import { conflict, forbidden, notFound } from '../../http/errors.ts';
import { isLeftOut, leftOutPeople, reached } from './newcomer-lists.ts';
import { isNewlyEligible, members } from './newly-eligible.ts';
import { lockCycle } from './queries.ts';
import type { CycleRecord } from './queries.ts';

type LeaveOutCtx = HandlerCtx<typeof kpiCycleNewcomers.leaveOut>;
type Result = ReplyIn<typeof kpiCycleNewcomers.leaveOut>['data'];

/** The status of a person in the cycle: no row in the plan, an evaluation, a decision, or neither. */
type Person = {
  id: number;
  employee_number: string;
  name: string;
  is_new: boolean;
  has_evaluation: boolean;
  is_left_out: boolean;
};
type Checked = { id: number; person: Person | undefined; refusal: Text | null };

function refuseState(cycle: CycleRecord) {
  if (cycle.status === 'closed') throw conflict(text('kpi_cycles.closed_cannot_change'), cycle);
  if (cycle.status !== 'published') throw conflict(text('kpi_cycles.only_published_leave_out'), cycle);
  if (cycle.publishing_total !== null) throw conflict(text('kpi_cycles.being_published'), cycle);
}

/** The named people in the caller's scope, locked so that they neither leave nor move meanwhile. */
async function chosenPeople({ db, actor, body }: LeaveOutCtx, cycleId: number): Promise<Map<number, Person>> {
  const ids = sql`${body.employee_ids}::bigint[]`;
  await sql`
    select from employees e where e.id = any(${ids}) and ${reached(actor)} order by e.id for key share`.execute(db);
  const { rows } = await sql<Person>`
    select e.id, e.employee_number, e.name,
           exists (select from kpi_evaluations v
                   where v.cycle_id = ${cycleId} and v.employee_id = e.id and v.status <> 'cancelled') as has_evaluation,
           e.id in (select e.id from ${leftOutPeople} where c.id = ${cycleId} and e.id = any(${ids}) and ${isLeftOut})
             as is_left_out,
           e.id in (select e.id from ${members} where c.id = ${cycleId} and e.id = any(${ids}) and ${isNewlyEligible})
             as is_new
    from employees e where e.id = any(${ids}) and e.deleted_at is null and ${reached(actor)}`.execute(db);
  return new Map(rows.map((person) => [person.id, person]));
}

function refusalOf({ actor }: LeaveOutCtx, person: Person | undefined): Text | null {
  if (!person) return text('general.not_found');
  if (person.id === actor.employee_id) return text('kpi_cycles.not_about_yourself');
  if (person.has_evaluation) return text('kpi_cycles.has_evaluation');
  if (person.is_left_out) return text('kpi_cycles.left_out_already');
  return person.is_new ? null : text('kpi_cycles.not_newly_eligible');
}

async function writeDecisions({ db, actor, body }: LeaveOutCtx, cycle: CycleRecord, people: readonly Person[]) {
  const ids = people.map(({ id }) => id);
  // a decision from an earlier employment may still exist
  await sql`
    insert into kpi_cycle_left_out (cycle_id, employee_id, reason, decided_by, decided_by_name)
    select ${cycle.id}, id, ${body.reason}, ${actor.user_id}, ${actor.name} from unnest(${ids}::bigint[]) as id
    order by id
    on conflict (cycle_id, employee_id) do update
    set reason = excluded.reason, decided_at = now(), decided_by = excluded.decided_by,
        decided_by_name = excluded.decided_by_name`.execute(db);
}

/** Leaves newly eligible people out of a published cycle. Publishing again does not add them; adding by name does. */
export async function leaveOut(ctx: LeaveOutCtx, cycle: CycleRecord): Promise<Result> {
  refuseState(cycle);
  const chosen = await chosenPeople(ctx, cycle.id);
  const checked = [...new Set(ctx.body.employee_ids)].map((id): Checked => {
    const person = chosen.get(id);
    return { id, person, refusal: refusalOf(ctx, person) };
  });
  const ready = checked.flatMap(({ person, refusal }) => (person && refusal === null ? person : []));
  if (ready.length > 0) {
    await writeDecisions(ctx, cycle, ready);
    await record(ctx, {
      action: 'kpi_cycle.people_left_out',
      subject_id: cycle.id,
      subject_label: cycle.name,
      entity_id: cycle.entity_id,
      changes: { people: { from: null, to: ready.map(({ employee_number }) => employee_number) } },
      reason: ctx.body.reason,
    });
  }
  return {
    counts: { total: checked.length, left_out: ready.length, refused: checked.length - ready.length },
    people: checked.map(({ id, person, refusal }) => ({
      employee_id: id,
      employee: person ? { id, employee_number: person.employee_number, name: person.name } : null,
      outcome: refusal === null ? 'left_out' : 'refused',
      reason: refusal,
    })),
  };
}

type Decision = { cycle: CycleRecord; employee: { id: number; employee_number: string } };

/** Locks the cycle and finds the decision about a person in the caller's scope. Throws 404 otherwise. */
export async function lockDecision(ctx: ReadCtx & { params: { id: number; employeeId: number } }): Promise<Decision> {
  const { id, employeeId } = ctx.params;
  const cycle = await lockCycle(ctx, id, 'kpi-cycle.publish');
  const { rows } = await sql<Decision['employee']>`
    select e.id, e.employee_number from ${leftOutPeople}
    where l.cycle_id = ${id} and l.employee_id = ${employeeId} and ${isLeftOut} and ${reached(ctx.actor)}`.execute(
    ctx.db,
  );
  const [employee] = rows;
  if (!employee) throw notFound();
  return { cycle, employee };
}

/** People do not decide about themselves. */
export function allowUndo({ actor }: ReadCtx, { employee }: Decision): void {
  if (employee.id === actor.employee_id) throw forbidden();
}

/** Makes the person newly eligible again, if the rules still include them. */
export async function undoLeavingOut(ctx: WriteCtx, { cycle, employee }: Decision): Promise<void> {
  refuseState(cycle);
  await ctx.db
    .deleteFrom('kpi_cycle_left_out')
    .where('cycle_id', '=', cycle.id)
    .where('employee_id', '=', employee.id)
    .execute();
  await record(ctx, {
    action: 'kpi_cycle.leaving_out_undone',
    subject_id: cycle.id,
    subject_label: cycle.name,
    entity_id: cycle.entity_id,
    changes: { people: { from: [employee.employee_number], to: null } },
  });
}
