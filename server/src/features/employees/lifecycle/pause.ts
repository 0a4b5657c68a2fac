import { messages, text } from '@tenure/contract';
import { endAfterPause } from '@tenure/contract/probation-days';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { changesBetween, record } from '../../../audit.ts';
import type { Db } from '../../../db/connect.ts';
import type { WriteCtx } from '../../../http/context.ts';
import { conflict, invalid } from '../../../http/errors.ts';
import { notifyPaused, notifyResumed } from '../../../notifications/people.ts';
import type { PeopleCtx } from '../../../people/dependents.ts';
import type { EmployeeRecord } from '../../../people/record.ts';
import { movePerson } from '../../../people/row-write.ts';

/**
 * A probation pauses during a long absence: no task about its end is due. When it resumes, the end moves by the days of
 * the pause, which does not count as an extension. Callers lock the person's row.
 */

type Because = { reason: string; revision?: number | undefined };
type Set = {
  probation_end_date?: string;
  probation_paused_from: string | null;
  probation_resumed_on?: string;
  probation_pauses?: RawBuilder<unknown>;
};

const stateOf = (person: EmployeeRecord) => ({ status: person.employment_lifecycle, revision: person.revision });

async function change(
  ctx: WriteCtx,
  person: EmployeeRecord,
  verb: 'probation_paused' | 'probation_resumed',
  { set, reason, revision }: Because & { set: Set },
): Promise<void> {
  await movePerson(ctx.db, ctx.actor, {
    id: person.id,
    column: 'employment_lifecycle',
    from: ['probationary'],
    to: 'probationary',
    set,
    revision,
    refusal: () => text('probation.not_on_probation'),
  });
  const { probation_resumed_on: _day, probation_pauses: _days, ...shown } = set;
  await record(ctx, {
    action: `employee.${verb}`,
    subject_id: person.id,
    subject_label: person.name,
    entity_id: person.entity_id,
    changes: changesBetween(person, shown),
    reason,
  });
}

async function resumedOn(db: Db, id: number): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select probation_resumed_on as day from employees where id = ${id}`.execute(db);
  return rows[0]?.day ?? null;
}

/** The first day of absence must be within the probation, after the last pause, and not in the future. */
async function checkFirstDay({ db }: WriteCtx, person: EmployeeRecord, from: string): Promise<void> {
  const { probation_start_date: start, probation_end_date: end, today } = person;
  const after = await resumedOn(db, person.id);
  if (from > today) throw invalid('absent_from', messages.beforeOrEqual('today'));
  if (start !== null && from < start) throw invalid('absent_from', messages.afterOrEqual(start));
  if (after !== null && from < after) throw invalid('absent_from', messages.afterOrEqual(after));
  if (end !== null && from > end) throw invalid('absent_from', messages.beforeOrEqual(end));
}

/**
 * Pauses the probation from a day on.
 * @throws 422 in another state, with a submitted review, and on `absent_from` for a day outside the probation
 */
export async function pause(
  ctx: WriteCtx,
  person: EmployeeRecord,
  { absent_from, ...because }: Because & { absent_from: string },
): Promise<void> {
  const state = stateOf(person);
  if (person.employment_lifecycle !== 'probationary') throw conflict(text('probation.not_on_probation'), state);
  if (person.probation_end_date === null) throw conflict(text('probation.no_end_date'), state);
  if (person.probation_paused_from !== null) throw conflict(text('probation.paused_already'), state);
  if (person.is_confirmed_ahead) throw conflict(text('probation.decided_already'), state);
  if (person.is_submitted) throw conflict(text('probation.decide_first'), state);
  await checkFirstDay(ctx, person, absent_from);
  await change(ctx, person, 'probation_paused', { ...because, set: { probation_paused_from: absent_from } });
  await notifyPaused(ctx, person, absent_from);
}

/**
 * Resumes the probation; the end and an open review move by the days of the pause.
 * @throws 422 in another state, and on `back_on` for a future day or one not after the first day of the pause
 */
export async function resume(
  ctx: PeopleCtx,
  person: EmployeeRecord,
  { back_on, ...because }: Because & { back_on: string },
): Promise<void> {
  const { employment_lifecycle: lifecycle, probation_paused_from: from, probation_end_date: end, today } = person;
  if (lifecycle !== 'probationary' || from === null || end === null)
    throw conflict(text('probation.not_paused'), stateOf(person));
  if (back_on <= from) throw invalid('back_on', messages.after(from));
  if (back_on > today) throw invalid('back_on', messages.beforeOrEqual('today'));
  const until = endAfterPause(end, { from, back: back_on });
  if (until === null) throw invalid('back_on', text('probation.end_after_all_years'));
  if (person.decided_ends.includes(until)) throw invalid('back_on', text('probation.day_decided'));
  await change(ctx, person, 'probation_resumed', {
    ...because,
    set: {
      probation_end_date: until,
      probation_paused_from: null,
      probation_resumed_on: back_on,
      probation_pauses: sql`probation_pauses + datemultirange(daterange(${from}::date, ${back_on}::date))`,
    },
  });
  await ctx.dependents.moveReviews(ctx, person.id, { from, back: back_on, until });
  await notifyResumed(ctx, person, until);
}
