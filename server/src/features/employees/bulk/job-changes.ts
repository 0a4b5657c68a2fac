import { text } from '@tenure/contract';
import type { BulkState, Text } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { reachOf } from '../../../access/actor.ts';
import { departmentsIn, visiblePeople } from '../../../access/scope.ts';
import { personRefTo, refTo } from '../../../db/refs.ts';
import type { WriteCtx } from '../../../http/context.ts';
import { forbidden } from '../../../http/errors.ts';
import { checkJobs, storeJobs } from '../../../people/job-changes.ts';
import type { JobUpdate } from '../../../people/job-changes.ts';
import type { BulkBody } from './input.ts';
import { attempt } from './rows.ts';
import type { Outcomes } from './rows.ts';
import { chainFrom, loadRuleContexts, refuseCircle } from '../../../people/rule-context.ts';
import { valuesOf } from '../../../people/fields.ts';
import { requireAdminFor, requireOther } from '../../../people/policy.ts';
import type { EmployeeRecord } from '../../../people/record.ts';
import type { PeopleCtx } from '../../../people/dependents.ts';
import { getsManager, checkGains, checkUpdate, requireFit, storeUpdates } from '../record/update.ts';
import type { Update } from '../record/update.ts';

type People = readonly EmployeeRecord[];
type Fields = { entity_id?: number; department_id?: number; reporting_manager_id?: number | null };

/** The fields to set, and their display for the caller. */
export type Target = { fields: Fields; state: BulkState };

const one = async <T>(db: WriteCtx['db'], query: RawBuilder<T>): Promise<T | undefined> =>
  (await query.execute(db)).rows[0];

/** The department and its company; outside the caller's scope only the id, which the rules then refuse. */
async function departmentTarget({ db, actor }: WriteCtx, id: number): Promise<Target> {
  const found = await one(
    db,
    sql<{ entity_id: number; state: BulkState }>`
      select d.entity_id, json_build_object('entity', ${refTo('n')}, 'department', ${refTo('d')}) as state
      from departments d join entities n on n.id = d.entity_id
      where d.id = ${id} and ${departmentsIn(actor, reachOf(actor, 'employees.update'))}`,
  );
  return found
    ? { fields: { entity_id: found.entity_id, department_id: id }, state: found.state }
    : { fields: { department_id: id }, state: {} };
}

async function managerTarget({ db, actor }: WriteCtx, id: number | null): Promise<Target> {
  if (id === null) return { fields: { reporting_manager_id: null }, state: { reporting_manager: null } };
  const found = await one(
    db,
    sql<BulkState>`select ${personRefTo('e')} as reporting_manager from employees e
                   where e.id = ${id} and ${visiblePeople(actor)}`,
  );
  return { fields: { reporting_manager_id: id }, state: found ?? {} };
}

/** A manager named with a move is changed in the same step. */
export async function targetOf(
  ctx: WriteCtx,
  { kind, department_id, reporting_manager_id }: BulkBody,
): Promise<Target> {
  if (kind !== 'move') return managerTarget(ctx, reporting_manager_id ?? null);
  const department = await departmentTarget(ctx, department_id as number);
  if (reporting_manager_id === undefined) return department;
  const manager = await managerTarget(ctx, reporting_manager_id);
  return { fields: { ...department.fields, ...manager.fields }, state: { ...department.state, ...manager.state } };
}

/** Warns of people who move out of a department that they head. */
export async function headWarnings({ db }: WriteCtx, people: People, { fields }: Target): Promise<Map<number, Text[]>> {
  const { department_id: to } = fields;
  const movers = new Map(
    people.flatMap((person) => (to === undefined || person.department_id === to ? [] : [[person.id, person]])),
  );
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e join departments d on d.id = e.department_id and d.manager_id = e.id
    where e.id = any(${[...movers.keys()]}::bigint[])`.execute(db);
  return new Map(
    rows.flatMap(({ id }) => {
      const person = movers.get(id);
      if (!person) return [];
      return [[id, [text('employees.head_moves', { name: person.name, department: person.department_name })]]];
    }),
  );
}

/** Changes jobs from today, each like an update of one person. */
export async function changeJobsToday(ctx: PeopleCtx, people: People, { fields }: Target, body: BulkBody) {
  const { db, actor } = ctx;
  const stored = people.map(valuesOf);
  const references = { entity_id: undefined, department_id: undefined, reporting_manager_id: undefined, ...fields };
  const contextFor = await loadRuleContexts(ctx, 'employees.update', references, stored);
  const manager = fields.reporting_manager_id;
  const chain = manager ? await chainFrom(db, manager) : new Set<number>();
  const outcomes: Outcomes = new Map();
  const wanted: Update[] = [];
  const updates: Update[] = [];
  for (const person of people)
    attempt(outcomes, person, () => {
      requireAdminFor(actor, person);
      wanted.push({ person, verdict: checkUpdate(actor, person, fields, contextFor(valuesOf(person))) });
      return { changes: false };
    });
  const { refused, gains } = await checkGains(ctx, wanted);
  for (const { person, verdict } of wanted)
    attempt(outcomes, person, () => {
      if (refused(person)) throw forbidden();
      requireFit(person, fields, verdict);
      if (getsManager(verdict)) refuseCircle(chain, person.id);
      updates.push({ person, verdict });
      return { changes: verdict.changed.length > 0, warnings: Object.values(verdict.warnings).flat() };
    });
  await storeUpdates(ctx, updates, { reason: body.reason ?? null, gains });
  return outcomes;
}

/** Changes jobs from a day on, each like a job change of one person. */
export async function changeJobsFrom(
  ctx: PeopleCtx,
  people: People,
  { fields }: Target,
  { effective_from, reason }: { effective_from: string; reason?: string | null | undefined },
) {
  const body = { ...fields, effective_from, reason };
  const { check, gains } = await checkJobs(ctx, people, body);
  const outcomes: Outcomes = new Map();
  const updates: JobUpdate[] = [];
  for (const person of people)
    attempt(outcomes, person, () => {
      requireOther(ctx.actor, person);
      const update = check(person);
      if (update.fields.length > 0) updates.push(update);
      return { changes: update.fields.length > 0 };
    });
  if (updates.length === 0) return { outcomes, planned: [] };
  const ids = await storeJobs(ctx, updates, { ...body, gains, follow: ctx.dependents.follow });
  const later = updates.filter(({ person }) => effective_from > person.today);
  return { outcomes, planned: later.map(({ person }) => ids.get(person.id) as number) };
}
