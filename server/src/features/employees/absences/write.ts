import { messages, text } from '@tenure/contract';
import type { absences, AbsenceDays, BodyOut } from '@tenure/contract';
import { sql } from 'kysely';
import { changesBetween, record } from '../../../audit.ts';
import type { Changes } from '../../../audit.ts';
import type { WriteCtx } from '../../../http/context.ts';
import { conflict, forbidden, invalid } from '../../../http/errors.ts';
import { notifyAbsence, notifyAbsenceEnded } from '../../../notifications/absences.ts';
import { fieldsFor } from '../../../people/policy.ts';
import type { EmployeeRecord } from '../../../people/record.ts';
import { checkRevision } from '../../../workflow/transition.ts';
import { companiesOf, checkDeputy } from './deputy.ts';
import type { Deputy, DeputyTask } from './deputy.ts';
import { absencesAfter, findAbsence, sharingDays } from './queries.ts';
import type { StoredAbsence } from './queries.ts';

/** Callers lock the person's row, so that two simultaneous absences see each other. */

type Values = AbsenceDays & Deputy & { absence_reason: string | null };

/** The maximum length of an absence; it begins at most `aheadYears` from today. */
const longestYears = 5;
const aheadYears = 2;

const yearsAfter = (day: string, years: number) => Temporal.PlainDate.from(day).add({ years }).toString();
const dayBefore = (day: string) => Temporal.PlainDate.from(day).subtract({ days: 1 }).toString();

/** Refuses days outside the employment, out of order, or too many. */
function checkDays(person: EmployeeRecord, { first_day, last_day }: AbsenceDays): void {
  const { joining_date: joined, last_working_date: leaves, today } = person;
  if (joined !== null && first_day < joined) throw invalid('first_day', messages.afterOrEqual(joined));
  if (leaves !== null && first_day > leaves) throw invalid('first_day', messages.beforeOrEqual(leaves));
  const latest = yearsAfter(today, aheadYears);
  if (first_day > latest) throw invalid('first_day', messages.beforeOrEqual(latest));
  if (last_day === null) return;
  if (last_day < first_day) throw invalid('last_day', messages.afterOrEqual({ field: 'first_day' }));
  if (last_day > yearsAfter(first_day, longestYears))
    throw invalid('last_day', text('absences.too_long', { years: longestYears }));
}

async function check(ctx: WriteCtx, person: EmployeeRecord, values: Values, except: number | null): Promise<void> {
  checkDays(person, values);
  const other = await sharingDays(ctx.db, person, values, except);
  if (other) throw invalid('first_day', text('absences.overlaps', { date: { date: other.first_day } }));
  await checkDeputy(ctx, person, values);
}

const withoutDeputy = { deputy_id: null, deputy_tasks: [] };

/** The deputy after a request; without a deputy there are no tasks. */
function deputyIn(
  sent: { deputy_id?: number | null | undefined; deputy_tasks?: readonly DeputyTask[] | undefined },
  stored: Deputy,
): Deputy {
  const deputy_id = sent.deputy_id === undefined ? stored.deputy_id : sent.deputy_id;
  if (deputy_id === null) return withoutDeputy;
  return { deputy_id, deputy_tasks: [...new Set(sent.deputy_tasks ?? stored.deputy_tasks)].toSorted() };
}

/** Refuses a reason from a user who could not read it. */
function refuseUnseen({ actor }: WriteCtx, person: EmployeeRecord, sent: { absence_reason?: unknown }): void {
  if (sent.absence_reason !== undefined && !fieldsFor(actor)(person).private) throw forbidden();
}

type Verb = 'absence_recorded' | 'absence_changed' | 'absence_ended' | 'absence_deleted';

const note = (ctx: WriteCtx, person: EmployeeRecord, verb: Verb, changes: Changes) =>
  record(ctx, {
    action: `employee.${verb}`,
    subject_id: person.id,
    subject_label: person.name,
    entity_id: person.entity_id,
    changes,
  });

const shown = ({ first_day, last_day, absence_reason, deputy_id, deputy_tasks }: Values) => ({
  first_day,
  last_day,
  absence_reason,
  deputy_id,
  // no tasks count as no value
  deputy_tasks: deputy_tasks.length > 0 ? deputy_tasks.join(', ') : null,
});

const columnsOf = (values: Values) => ({ ...shown(values), deputy_tasks: [...values.deputy_tasks] });

/** True if all days are past, so that no one needs a notification. */
const isOver = (person: EmployeeRecord, { last_day }: AbsenceDays) => last_day !== null && last_day < person.today;

/** Records an absence. Returns its id. */
export async function recordAbsence(
  ctx: WriteCtx,
  person: EmployeeRecord,
  body: BodyOut<typeof absences.create>,
): Promise<number> {
  refuseUnseen(ctx, person, body);
  const values = {
    first_day: body.first_day,
    last_day: body.last_day ?? null,
    absence_reason: body.absence_reason ?? null,
    ...deputyIn(body, withoutDeputy),
  };
  const deputy_entity_ids = values.deputy_id === null ? null : companiesOf(ctx, person, values.deputy_tasks);
  await check(ctx, person, values, null);
  const { id } = await ctx.db
    .insertInto('absences')
    .values({ employee_id: person.id, ...columnsOf(values), deputy_entity_ids, deputy_named_by: ctx.actor.employee_id })
    .returning('id')
    .executeTakeFirstOrThrow();
  await note(ctx, person, 'absence_recorded', changesBetween({}, shown(values)));
  if (!isOver(person, values)) await notifyAbsence(ctx, person, await findAbsence(ctx.db, person, id));
  return id;
}

/** Deputies do not act on the record of the user who named them. */
const named = (companies: number[] | null, { actor }: WriteCtx) => ({
  deputy_entity_ids: companies,
  deputy_named_by: actor.employee_id,
});

type Kept = { values: Values; verb: Verb; companies?: number[] | null | undefined };

/** Stores the differences. True if days or deputy changed. */
async function store(ctx: WriteCtx, person: EmployeeRecord, absence: StoredAbsence, { values, verb, companies }: Kept) {
  const changes = changesBetween(shown(absence), shown(values));
  if (Object.keys(changes).length === 0) return false;
  const set = { ...columnsOf(values), ...(companies !== undefined && named(companies, ctx)) };
  await ctx.db.updateTable('absences').set(set).where('id', '=', absence.id).execute();
  await note(ctx, person, verb, changes);
  return ['first_day', 'last_day', 'deputy_id', 'deputy_tasks'].some((name) => changes[name] !== undefined);
}

const stateOf = ({ state, revision }: StoredAbsence) => ({ status: state, revision });

/** Changes the days or the reason. */
export async function changeAbsence(
  ctx: WriteCtx,
  { person, absence }: { person: EmployeeRecord; absence: StoredAbsence },
  { revision, ...sent }: BodyOut<typeof absences.update>,
): Promise<void> {
  refuseUnseen(ctx, person, sent);
  checkRevision(absence, { revision }, absence.state);
  const values = {
    first_day: sent.first_day ?? absence.first_day,
    last_day: sent.last_day === undefined ? absence.last_day : sent.last_day,
    absence_reason: sent.absence_reason === undefined ? absence.absence_reason : sent.absence_reason,
    ...deputyIn(sent, absence),
  };
  // new days for a deputy count as naming the deputy again
  const { absence_reason: _reason, ...rest } = changesBetween(shown(absence), shown(values));
  const isNamed = values.deputy_id !== null && Object.keys(rest).length > 0;
  const companies = isNamed ? companiesOf(ctx, person, values.deputy_tasks) : undefined;
  // the deputy may have left since, even if the days stay
  if (Object.keys(rest).length > 0) await check(ctx, person, values, absence.id);
  const moved = await store(ctx, person, absence, { values, companies, verb: 'absence_changed' });
  if (moved && !isOver(person, values))
    await notifyAbsence(ctx, person, await findAbsence(ctx.db, person, absence.id), absence.deputy_id);
}

/**
 * Ends a current absence with the first day back, which can be in the future.
 * @throws 422 on `back_on` for a day that is not after the first day, or not earlier than the planned return
 */
export async function endAbsence(
  ctx: WriteCtx,
  { person, absence }: { person: EmployeeRecord; absence: StoredAbsence },
  { back_on, revision }: BodyOut<typeof absences.end>,
): Promise<void> {
  if (absence.state === 'planned') throw conflict(text('absences.not_begun'), stateOf(absence));
  if (absence.state === 'past') throw conflict(text('absences.is_over'), stateOf(absence));
  checkRevision(absence, { revision }, absence.state);
  if (back_on <= absence.first_day) throw invalid('back_on', messages.after(absence.first_day));
  if (absence.last_day !== null && back_on > absence.last_day)
    throw invalid('back_on', messages.beforeOrEqual(absence.last_day));
  const values = { ...absence, last_day: dayBefore(back_on) };
  checkDays(person, values);
  await store(ctx, person, absence, { values, verb: 'absence_ended' });
  await notifyAbsenceEnded(ctx, person, { ...absence, date: back_on }, 'ended');
}

async function remove(ctx: WriteCtx, person: EmployeeRecord, absence: StoredAbsence): Promise<void> {
  await sql`delete from absences where id = ${absence.id}`.execute(ctx.db);
  const gone = Object.entries(shown(absence)).filter(([, value]) => value !== null);
  await note(
    ctx,
    person,
    'absence_deleted',
    Object.fromEntries(gone.map(([name, from]) => [name, { from, to: null }])),
  );
}

/** Deletes an absence. */
export async function deleteAbsence(ctx: WriteCtx, person: EmployeeRecord, absence: StoredAbsence): Promise<void> {
  await remove(ctx, person, absence);
  const { first_day } = absence;
  if (absence.state !== 'past') await notifyAbsenceEnded(ctx, person, { ...absence, date: first_day }, 'cancelled');
}

/** Ends the absences of a former employment on its last day; deletes those that would start later. */
export async function endFormerAbsences(ctx: WriteCtx, person: EmployeeRecord, last_day: string): Promise<void> {
  for (const absence of await absencesAfter(ctx.db, person, last_day)) {
    if (absence.first_day > last_day) await remove(ctx, person, absence);
    else await store(ctx, person, absence, { values: { ...absence, last_day }, verb: 'absence_ended' });
  }
}

type Covered = { id: number; name: string; entity_id: number; deputy_tasks: string[] };

/** Ends the deputy roles of a person in a former employment. Past absences keep the name. */
export async function endDeputising(ctx: WriteCtx, { id: deputy }: EmployeeRecord): Promise<void> {
  const { rows } = await sql<Covered>`
    update absences y set deputy_id = null, deputy_tasks = '{}', deputy_entity_ids = null, deputy_named_by = null
    from absences o join employees p on p.id = o.employee_id join entities n on n.id = p.entity_id
    where y.deputy_id = ${deputy} and o.id = y.id
      and coalesce(y.last_day, 'infinity') >= (now() at time zone n.timezone)::date
    returning p.id, p.name, p.entity_id, o.deputy_tasks`.execute(ctx.db);
  await record(
    ctx,
    ...rows.map(({ id, name, entity_id, deputy_tasks }) => ({
      action: 'employee.absence_changed' as const,
      subject_id: id,
      subject_label: name,
      entity_id,
      changes: {
        deputy_id: { from: deputy, to: null },
        deputy_tasks: { from: deputy_tasks.join(', '), to: null },
      },
    })),
  );
}
