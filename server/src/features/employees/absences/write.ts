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
import { findAbsence, sharingDays } from './queries.ts';
import type { StoredAbsence } from './queries.ts';

/** Callers hold the row of the person, so that two absences at the same moment see each other. */

type Values = AbsenceDays & { absence_reason: string | null };

/** An absence is no longer than this, and begins no later than `aheadYears` from today. */
const longestYears = 5;
const aheadYears = 2;

const yearsAfter = (day: string, years: number) => Temporal.PlainDate.from(day).add({ years }).toString();
const dayBefore = (day: string) => Temporal.PlainDate.from(day).subtract({ days: 1 }).toString();

/** The days are within the employment, in order, and not too many. */
function judgeDays(person: EmployeeRecord, { first_day, last_day }: AbsenceDays): void {
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

async function judge(ctx: WriteCtx, person: EmployeeRecord, values: Values, except: number | null): Promise<void> {
  judgeDays(person, values);
  const other = await sharingDays(ctx.db, person, values, except);
  if (other) throw invalid('first_day', text('absences.overlaps', { date: { date: other.first_day } }));
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

const shown = ({ first_day, last_day, absence_reason }: Values) => ({ first_day, last_day, absence_reason });

/** True for days that are all over: no one needs to hear of them. */
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
  };
  await judge(ctx, person, values, null);
  const { id } = await ctx.db
    .insertInto('absences')
    .values({ employee_id: person.id, ...values })
    .returning('id')
    .executeTakeFirstOrThrow();
  await note(ctx, person, 'absence_recorded', changesBetween({}, shown(values)));
  if (!isOver(person, values)) await notifyAbsence(ctx, person, await findAbsence(ctx.db, person, id));
  return id;
}

async function store(ctx: WriteCtx, person: EmployeeRecord, absence: StoredAbsence, values: Values, verb: Verb) {
  const changes = changesBetween(shown(absence), shown(values));
  if (Object.keys(changes).length === 0) return false;
  await ctx.db.updateTable('absences').set(shown(values)).where('id', '=', absence.id).execute();
  await note(ctx, person, verb, changes);
  return changes['first_day'] !== undefined || changes['last_day'] !== undefined;
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
  };
  await judge(ctx, person, values, absence.id);
  const moved = await store(ctx, person, absence, values, 'absence_changed');
  if (moved && !isOver(person, values)) await notifyAbsence(ctx, person, await findAbsence(ctx.db, person, absence.id));
}

/**
 * Ends an absence that has begun with the first day back, which may be ahead.
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
  const values = { ...shown(absence), last_day: dayBefore(back_on) };
  judgeDays(person, values);
  await store(ctx, person, absence, values, 'absence_ended');
  await notifyAbsenceEnded(ctx, person, { ...absence, date: back_on }, 'ended');
}

/** Deletes an absence. */
export async function deleteAbsence(ctx: WriteCtx, person: EmployeeRecord, absence: StoredAbsence): Promise<void> {
  await sql`delete from absences where id = ${absence.id}`.execute(ctx.db);
  const { first_day, last_day, absence_reason } = absence;
  await note(ctx, person, 'absence_deleted', {
    first_day: { from: first_day, to: null },
    ...(last_day !== null && { last_day: { from: last_day, to: null } }),
    ...(absence_reason !== null && { absence_reason: { from: absence_reason, to: null } }),
  });
  if (absence.state !== 'past') await notifyAbsenceEnded(ctx, person, { ...absence, date: first_day }, 'cancelled');
}
