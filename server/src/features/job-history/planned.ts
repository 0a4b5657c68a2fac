import type { BodyOut, PlannedChange, plannedChanges, QueryOut, ReplyIn } from '@tenure/contract';
import { text } from '@tenure/contract';
import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { peopleIn } from '../../access/scope.ts';
import { record } from '../../audit.ts';
import { every, holdsWords, oneOfIds, oneOfTexts, orderedBy, selectPage } from '../../db/lists.ts';
import { personRefTo, refTo } from '../../db/refs.ts';
import type { ReadCtx, WriteCtx } from '../../http/context.ts';
import { conflict, fromDatabase, HttpError } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { requireOther, workReach } from '../../people/policy.ts';
import { findEmployees } from '../../people/queries.ts';
import type { EmployeeRecord } from '../../people/record.ts';
import { stateOf } from '../../states.ts';
import { columns, decided, isDecided, present } from './queries.ts';
import type { Stored } from './queries.ts';

type Listed = Stored & Pick<PlannedChange, 'employee' | 'now'>;

const tables = sql`
  job_history h
  join entities c on c.id = h.entity_id
  join departments d on d.id = h.department_id
  left join employees m on m.id = h.reporting_manager_id
  join employees e on e.id = h.employee_id
  join entities n on n.id = e.entity_id
  join departments nd on nd.id = e.department_id
  left join employees nm on nm.id = e.reporting_manager_id`;

const now = sql`json_build_object('entity', ${refTo('n')}, 'department', ${refTo('nd')},
  'reporting_manager', ${personRefTo('nm')}, 'job_title', e.job_title, 'grade', e.grade,
  'employment_type', e.employment_type) as now`;

/** People whose employment the actor sees, so also their planned changes. A token does not add its owner's record. */
const seen = (actor: Actor) =>
  actor.token_id === undefined
    ? sql<SqlBool>`(${peopleIn(actor, workReach(actor))} or e.id = ${actor.employee_id}::bigint)`
    : peopleIn(actor, workReach(actor));

/** One of two columns: of the current or of the planned job. */
const eitherOf = (one: string, other: string, ids: readonly number[] | undefined) =>
  ids ? [sql<SqlBool>`(${every(oneOfIds(sql.ref(one), ids))} or ${every(oneOfIds(sql.ref(other), ids))})`] : [];

function conditions(actor: Actor, query: QueryOut<typeof plannedChanges.list>) {
  const { status, employee_id, entity_id, department_id, from, to, search } = query;
  return every([
    sql<SqlBool>`h.status in ('scheduled', 'failed')`,
    sql<SqlBool>`e.deleted_at is null`,
    seen(actor),
    ...oneOfTexts(sql`h.status`, status),
    ...oneOfIds(sql`h.employee_id`, employee_id),
    ...eitherOf('e.entity_id', 'h.entity_id', entity_id),
    ...eitherOf('e.department_id', 'h.department_id', department_id),
    ...(from ? [sql<SqlBool>`h.effective_from >= ${from}::date`] : []),
    ...(to ? [sql<SqlBool>`h.effective_from <= ${to}::date`] : []),
    ...holdsWords([sql`e.name`, sql`e.employee_number`], search),
  ]);
}

/** A page of the planned changes of people whose employment the actor sees, by default the next day first. */
export async function listPlanned(ctx: ReadCtx, query: QueryOut<typeof plannedChanges.list>) {
  const { db, actor } = ctx;
  const where = conditions(actor, query);
  const by = query.sort_by === 'name' ? sql`e.last_name_sort || ' ' || e.first_name_sort` : sql`h.effective_from`;
  const page = await selectPage(db, query, {
    rows: sql<Listed>`select ${columns}, ${personRefTo('e')} as employee, ${now} from ${tables} where ${where}
              ${orderedBy(by, query.sort_direction, sql`h.effective_from, h.id`)}`,
    total: sql`select count(*) from ${tables} where ${where}`,
  });
  const people = await findEmployees(
    ctx,
    [...new Set(page.rows.map(({ employee_id }) => employee_id))],
    'employees.view',
  );
  const rows = page.rows.flatMap(({ employee, now: job, ...row }): ShownPlan[] => {
    const person = people.get(row.employee_id);
    if (!person) return [];
    const { effective_to: _to, ...shown } = present(actor, person)(row);
    return [{ ...shown, status: row.status as PlannedChange['status'], employee, now: job }];
  });
  return { rows, total: page.total };
}

type ShownPlan = ReplyIn<typeof plannedChanges.list>['data'][number];
type Body = BodyOut<typeof plannedChanges.cancel>;
type Result = ReplyIn<typeof plannedChanges.cancel>['data'];
type Plan = Pick<Stored, 'id' | 'employee_id' | 'status' | 'changed_fields'>;

/** The refusal of a single cancellation as errors of a row; rethrows other errors. */
function refusalOf(raw: unknown): FieldErrors {
  const error = fromDatabase(raw);
  if (!(error instanceof HttpError) || ![403, 422].includes(error.status)) throw error;
  return error.body.errors ?? { id: [error.body.message] };
}

/** The refusals of cancelling a single change. */
function check(actor: Actor, person: EmployeeRecord, plan: Plan): void {
  requireOther(actor, person);
  const now = { status: plan.status, revision: person.revision };
  if (isDecided(plan)) throw conflict(decided, now);
  if (plan.status !== 'scheduled' && plan.status !== 'failed')
    throw conflict(text('job_history.cannot_be_cancelled', { state: stateOf(plan.status) }), now);
}

async function plansOf({ db, actor }: WriteCtx, ids: readonly number[]) {
  // locks the people first, like every other job change
  const { rows: owners } = await sql<{ employee_id: number }>`
    select distinct employee_id from job_history where id = any(${ids}::bigint[])`.execute(db);
  const people = await findEmployees(
    { db, actor },
    owners.map(({ employee_id }) => employee_id),
    'employees.update',
    { lock: true },
  );
  const { rows: plans } = await sql<Plan>`
    select id, employee_id, status, changed_fields from job_history where id = any(${ids}::bigint[])`.execute(db);
  return { people, plans: new Map(plans.map((plan) => [plan.id, plan])) };
}

/** Cancels planned changes, each by the rules of the single cancellation; lists the others with the reason. */
export async function cancelPlanned(ctx: WriteCtx, { ids, dry_run = false }: Body): Promise<Result> {
  const { people, plans } = await plansOf(ctx, ids);
  const taken: { plan: Plan; person: EmployeeRecord }[] = [];
  const rows = [...new Set(ids)].map((id): Result['rows'][number] => {
    const plan = plans.get(id);
    const person = plan && people.get(plan.employee_id);
    if (!person) return { id, label: null, outcome: 'refused', errors: { id: [text('general.not_found')] } };
    try {
      check(ctx.actor, person, plan);
      taken.push({ plan, person });
      return { id, label: person.name, outcome: 'cancelled', errors: {} };
    } catch (error) {
      return { id, label: person.name, outcome: 'refused', errors: refusalOf(error) };
    }
  });
  if (!dry_run && taken.length > 0) await store(ctx, taken);
  return { counts: { cancelled: taken.length, refused: rows.length - taken.length }, rows };
}

async function store(ctx: WriteCtx, taken: readonly { plan: Plan; person: EmployeeRecord }[]): Promise<void> {
  await ctx.db
    .updateTable('job_history')
    .set({ status: 'cancelled' })
    .where(
      'id',
      'in',
      taken.map(({ plan }) => plan.id),
    )
    .where('status', 'in', ['scheduled', 'failed'])
    .execute();
  const entries = taken.map(({ plan, person }) => ({
    action: 'job_history.cancelled' as const,
    subject_id: plan.id,
    subject_label: person.name,
    entity_id: person.entity_id,
    changes: { status: { from: plan.status, to: 'cancelled' } },
  }));
  await record(ctx, ...entries);
}
