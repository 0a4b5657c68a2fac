import type { BodyOut, jobHistory } from '@tenure/contract';
import { jobFields, messages, text } from '@tenure/contract';
import { changesBetween, record } from '../audit.ts';
import type { Entry } from '../audit.ts';
import type { Db } from '../db/connect.ts';
import type { WriteCtx } from '../http/context.ts';
import { conflict, forbidden, invalid, invalidFields } from '../http/errors.ts';
import { chainFrom, loadRuleContexts, refuseCircle } from './rule-context.ts';
import { valuesOf } from './fields.ts';
import type { Values } from './fields.ts';
import { checkMoves, movesTo } from './gains.ts';
import type { GainsChecked } from './gains.ts';
import type { EmployeeRecord } from './record.ts';
import { changePeople } from './row-write.ts';
import { checkPerson } from './rules.ts';
import type { Verdict } from './rules.ts';
import { recordJobChange } from './job-write.ts';
import type { Follow } from './job-write.ts';

type Body = BodyOut<typeof jobHistory.create>;
type JobField = (typeof jobFields)[number];
/** A person's job change: the fields that differ from the job planned for that day. */
export type JobUpdate = { person: EmployeeRecord; fields: JobField[]; values: Values; before: Values };
type Updates = readonly JobUpdate[];

const leaves = ({ employment_lifecycle }: EmployeeRecord) => ['resigned', 'terminated'].includes(employment_lifecycle);
const ended = (person: EmployeeRecord) => leaves(person) && person.activity_status === 'inactive';

const idsOf = (people: readonly EmployeeRecord[]) => people.map(({ id }) => id);

/** The jobs planned for a day, including all changes scheduled until then. */
async function jobsOn(db: Db, people: readonly EmployeeRecord[], day: string): Promise<Map<number, Values>> {
  const scheduled = await db
    .selectFrom('job_history')
    .select(['employee_id', 'changed_fields', ...jobFields])
    .where('employee_id', 'in', idsOf(people))
    .where('status', '=', 'scheduled')
    .where('effective_from', '<=', day)
    .orderBy('effective_from')
    .orderBy('id')
    .execute();
  const jobs = new Map(people.map((person) => [person.id, valuesOf(person)]));
  for (const row of scheduled) {
    const fields = jobFields.filter((field) => row.changed_fields.includes(field));
    Object.assign(jobs.get(row.employee_id) as Values, Object.fromEntries(fields.map((field) => [field, row[field]])));
  }
  return jobs;
}

/** The first days of the current jobs. */
async function currentDays(db: Db, people: readonly EmployeeRecord[]): Promise<Map<number, string>> {
  const current = await db
    .selectFrom('job_history')
    .select(['employee_id', 'effective_from'])
    .where('employee_id', 'in', idsOf(people))
    .where('status', '=', 'current')
    .execute();
  return new Map(current.map((row) => [row.employee_id, row.effective_from]));
}

type Known = { before: Values; verdict: Verdict; began: string | undefined };

function allowedUpdate(
  person: EmployeeRecord,
  { effective_from: day }: Body,
  { before, verdict, began }: Known,
): JobUpdate {
  const { values, changed, errors } = verdict;
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  const fields = jobFields.filter((field) => changed.includes(field));
  const update = { person, fields, values, before };
  if (fields.length === 0) return update;
  if (began && day < began) throw invalid('effective_from', messages.afterOrEqual(began));
  const { employment_lifecycle: status, revision, last_working_date: last } = person;
  if (ended(person)) throw conflict(text('employees.has_left'), { status, revision });
  if (leaves(person) && last !== null && day > last) throw invalid('effective_from', messages.beforeOrEqual(last));
  return update;
}

type Checking = {
  /** Checks one of these people; throws the 403 or 422 of a single job change. */
  check: (person: EmployeeRecord) => JobUpdate;
  /** The proof that a write of checked changes requires. */
  gains: GainsChecked;
};

/** Reads the context for checking the same change to several jobs, and checks its gains. */
export async function checkJobs(
  { db, actor }: Pick<WriteCtx, 'db' | 'actor'>,
  people: readonly EmployeeRecord[],
  body: Body,
): Promise<Checking> {
  const { effective_from: _day, reason: _reason, ...sent } = body;
  const { entity_id, department_id, reporting_manager_id } = sent;
  const jobs = await jobsOn(db, people, body.effective_from);
  const references = { entity_id, department_id, reporting_manager_id };
  const contextFor = await loadRuleContexts({ db, actor }, 'employees.update', references, [...jobs.values()]);
  const began = await currentDays(db, people);
  const chain = reporting_manager_id ? await chainFrom(db, reporting_manager_id) : new Set<number>();
  const known = new Map(
    people.map((person) => {
      const before = jobs.get(person.id) as Values;
      const verdict = checkPerson({ kind: 'update', id: person.id, stored: before }, sent, contextFor(before));
      return [person.id, { before, verdict, began: began.get(person.id) }];
    }),
  );
  const moves = people.flatMap((person) => movesTo(person.id, person, (known.get(person.id) as Known).verdict));
  const { refused, checked: gains } = await checkMoves(db, actor, moves);
  const beyond = new Set([...refused].map(({ id }) => id));
  const checkOne = (person: EmployeeRecord) => {
    if (beyond.has(person.id)) throw forbidden();
    // on its day, a change is checked by all rights of its author, which may exceed those of the token
    if (actor.token_id !== undefined && body.effective_from > person.today)
      throw invalid('effective_from', text('job_history.no_later_day'));
    const update = allowedUpdate(person, body, known.get(person.id) as Known);
    if (update.fields.includes('reporting_manager_id')) refuseCircle(chain, person.id);
    return update;
  };
  return { check: checkOne, gains };
}

type Storing = Body & { gains: GainsChecked; follow: Follow };

const picked = ({ values, fields }: JobUpdate) => Object.fromEntries(fields.map((field) => [field, values[field]]));

async function applyNow({ db, actor }: WriteCtx, updates: Updates, body: Storing): Promise<void> {
  const alike = Map.groupBy(updates, (update) => JSON.stringify(picked(update)));
  for (const group of alike.values()) {
    const [first] = group as [JobUpdate, ...JobUpdate[]];
    const employee_ids = idsOf(group.map(({ person }) => person));
    await changePeople(db, actor, employee_ids, picked(first), body.gains);
    const { effective_from, reason = null } = body;
    const change = { employee_ids, changed_fields: first.fields, by: actor, reason, effective_from };
    await recordJobChange(db, change, body.follow);
  }
}

const scheduledRow = ({ person, fields, values }: JobUpdate, body: Body, actor: WriteCtx['actor']) => ({
  employee_id: person.id,
  effective_from: body.effective_from,
  status: 'scheduled',
  changed_fields: fields,
  entity_id: values.entity_id as number,
  department_id: values.department_id as number,
  reporting_manager_id: values.reporting_manager_id,
  job_title: values.job_title,
  grade: values.grade,
  employment_type: values.employment_type as string,
  employment_lifecycle: person.employment_lifecycle,
  reason: body.reason ?? null,
  created_by: actor.user_id,
  created_by_name: actor.name,
});

/** The history rows of the updates: the new current ones, or the scheduled ones. */
async function rowIds(db: Db, updates: Updates, status: 'current' | 'scheduled'): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('job_history')
    .select((eb) => ['employee_id', eb.fn.max<number>('id').as('id')])
    .where('employee_id', 'in', idsOf(updates.map(({ person }) => person)))
    .where('status', '=', status)
    .groupBy('employee_id')
    .execute();
  return new Map(rows.map((row) => [row.employee_id, row.id]));
}

/**
 * Writes checked updates: immediately unless the day is in the future in the person's company, else as scheduled rows.
 * Returns the id of each person's history row.
 */
export async function storeJobs(ctx: WriteCtx, updates: Updates, body: Storing): Promise<Map<number, number>> {
  const { db, actor } = ctx;
  const isLater = ({ person }: JobUpdate) => body.effective_from > person.today;
  const [later, now] = [updates.filter(isLater), updates.filter((update) => !isLater(update))];
  if (now.length > 0) await applyNow(ctx, now, body);
  if (later.length > 0)
    await db
      .insertInto('job_history')
      .values(later.map((update) => scheduledRow(update, body, actor)))
      .execute();
  const ids = new Map([
    ...(now.length > 0 ? await rowIds(db, now, 'current') : []),
    ...(later.length > 0 ? await rowIds(db, later, 'scheduled') : []),
  ]);
  const entries = updates.map((update): Entry => ({
    action: 'job_history.created',
    subject_id: ids.get(update.person.id) as number,
    subject_label: update.person.name,
    entity_id: update.person.entity_id,
    changes: changesBetween(update.before, { ...picked(update), effective_from: body.effective_from }),
    reason: body.reason ?? null,
  }));
  await record(ctx, ...entries);
  return ids;
}

/**
 * Changes a person's job from a day on, immediately unless the day is in the future in the person's company. Returns
 * the id of the history row.
 */
export async function changeJob(ctx: WriteCtx, person: EmployeeRecord, body: Body, follow: Follow): Promise<number> {
  const { check: checkOne, gains } = await checkJobs(ctx, [person], body);
  const update = checkOne(person);
  if (update.fields.length === 0) throw invalid('effective_from', text('job_history.nothing_would_change'));
  return (await storeJobs(ctx, [update], { ...body, gains, follow })).get(person.id) as number;
}
