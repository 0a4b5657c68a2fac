import type { AuditVerb } from '@tenure/contract';
import { sql } from 'kysely';
import { changesBetween, record } from '../audit.ts';
import type { Acting } from '../audit.ts';
import type { Db } from '../db/connect.ts';
import { notifyConfirmed, notifySeparated } from '../notifications/people.ts';
import { recordLifecycle } from './job-write.ts';
import { decided } from './queries.ts';
import { changePeople } from './row-write.ts';
import type { Writer } from './row-write.ts';

/** An audit context with a deciding person. */
export type Deciding = Acting & { actor: Exclude<Writer, string> };

/** Effects of a probation decision on the person's record, with history, audit log and notifications. */

export type Probationer = {
  id: number;
  name: string;
  entity_id: number;
  user_id: number | null;
  is_admin: boolean;
  activity_status: string;
  employment_lifecycle: string;
  department_id: number;
  joining_date: string | null;
  probation_start_date: string | null;
  probation_end_date: string | null;
  extension_count: number;
  confirmation_date: string | null;
  notice_date: string | null;
  last_working_date: string | null;
  separation_reason: string | null;
  lifecycle_before_separation: string | null;
  /** The person will be confirmed on a later day. */
  is_confirmed_ahead: boolean;
  /** Probation ends that already had a decided review. */
  decided_ends: string[];
  is_paused: boolean;
  /** Today in the person's company. */
  today: string;
};

/** Reads the record of a locked person. */
export async function readProbationer(db: Db, id: number): Promise<Probationer> {
  const { rows } = await sql<Probationer>`
    select e.id, e.name, e.entity_id, coalesce(u.is_admin, false) as is_admin, e.user_id, e.activity_status, e.employment_lifecycle,
           e.department_id, e.joining_date, e.probation_start_date, e.probation_end_date,
           e.extension_count, e.confirmation_date, e.notice_date, e.last_working_date, e.separation_reason,
           e.lifecycle_before_separation, ${decided}, (now() at time zone n.timezone)::date as today
    from employees e
    join entities n on n.id = e.entity_id
    left join users u on u.id = e.user_id
    where e.id = ${id}`.execute(db);
  return rows[0] as Probationer;
}

type Changed = Partial<
  Pick<
    Probationer,
    Exclude<
      keyof Probationer,
      'id' | 'user_id' | 'is_admin' | 'department_id' | 'is_confirmed_ahead' | 'decided_ends' | 'is_paused' | 'today'
    >
  >
>;

async function change(
  acting: Deciding,
  person: Probationer,
  verb: AuditVerb<'employee'>,
  set: Changed,
  { reason = null, day = person.today }: { reason?: string | null; day?: string } = {},
) {
  const { db, actor } = acting;
  await changePeople(db, actor, [person.id], set);
  const { lifecycle_before_separation: _kept, ...changes } = changesBetween(person, set);
  const { employment_lifecycle: from } = person;
  if (changes['employment_lifecycle'])
    await recordLifecycle(db, {
      employee_id: person.id,
      from,
      to: String(set.employment_lifecycle),
      day,
      by: actor,
      reason,
    });
  const subject = { subject_id: person.id, subject_label: person.name, entity_id: person.entity_id };
  await record(acting, { action: `employee.${verb}`, ...subject, changes, reason });
}

/** Confirms the person on a day that is not in the future. */
export async function confirmProbationer(acting: Deciding, person: Probationer, day: string): Promise<void> {
  const set = { employment_lifecycle: 'confirmed', confirmation_date: day };
  await change(acting, person, 'confirmed', set, { day });
  await notifyConfirmed(acting, person, day);
}

/** Extends the probation until another day. */
export const extendProbation = (acting: Deciding, person: Probationer, until: string): Promise<void> =>
  change(acting, person, 'updated', { probation_end_date: until, extension_count: person.extension_count + 1 });

/** Ends the employment after a day that is not past; until then, the person works and can sign in. */
export async function terminateProbationer(acting: Deciding, person: Probationer, lastDay: string): Promise<void> {
  await change(acting, person, 'separated', {
    employment_lifecycle: 'terminated',
    last_working_date: lastDay,
    lifecycle_before_separation: person.employment_lifecycle,
  });
  await notifySeparated(acting, person, lastDay);
}

/** Restores active probation, as if nothing had been decided. */
export const putBackOnProbation = (
  acting: Deciding,
  person: Probationer,
  { until, extensions, reason }: { until: string; extensions: number; reason: string },
): Promise<void> =>
  change(
    acting,
    person,
    'updated',
    {
      employment_lifecycle: 'probationary',
      activity_status: 'active',
      probation_end_date: until,
      extension_count: extensions,
      confirmation_date: null,
      notice_date: null,
      last_working_date: null,
      separation_reason: null,
      lifecycle_before_separation: null,
    },
    { reason },
  );
