import { sql } from 'kysely';
import { notify, notifyEach } from './notify.ts';
import type { NotifyContext } from './notify.ts';
import { accounts, everyone, hrFor, managerOf, people, probationReviewerOf } from './recipients.ts';

/** Notifications about employment. Callers notify once the record has its new state. */

type Person = { id: number; name: string };
type State = { user_id: number | null; revision: number; company: string };

async function stateOf({ db }: NotifyContext, id: number): Promise<State> {
  const { rows } = await sql<State>`
    select e.user_id, e.revision, c.name as company from employees e join entities c on c.id = e.entity_id
    where e.id = ${id}`.execute(db);
  return rows[0] as State;
}

const about = ({ id }: Person) => ({ subject: { type: 'employee', id }, url: `/employees/${id}` }) as const;

const hrAndManager = ({ id }: Person) => everyone(hrFor('employees.update', id), managerOf(id));

/** Notifies HR and the manager of a new or rehired person; bulk imports do not call this. */
export async function notifyCreated(context: NotifyContext, person: Person): Promise<void> {
  const { revision, company } = await stateOf(context, person.id);
  await notify(context, 'employee_created', {
    ...about(person),
    round: revision,
    params: { person: person.name, company },
    to: hrAndManager(person),
  });
}

/** Notifies HR, the manager and the person that the probation was passed on the given day. */
export async function notifyConfirmed(context: NotifyContext, person: Person, day: string): Promise<void> {
  const { revision, user_id } = await stateOf(context, person.id);
  await notify(context, 'employee_confirmed', {
    ...about(person),
    round: revision,
    params: { person: person.name, date: day },
    to: everyone(hrAndManager(person), accounts([user_id])),
    about: user_id,
  });
}

/** Notifies HR and the manager of a departure. */
export async function notifySeparated(context: NotifyContext, person: Person, lastDay: string): Promise<void> {
  const { revision } = await stateOf(context, person.id);
  await notify(context, 'employee_separated', {
    ...about(person),
    round: revision,
    params: { person: person.name, date: lastDay },
    to: hrAndManager(person),
  });
}

/** Notifies the person, the manager and the reviewer of an open review that the probation is paused or resumed. */
async function notifyOfPause(
  context: NotifyContext,
  what: 'probation_paused' | 'probation_resumed',
  { id, name, date }: Person & { date: string },
): Promise<void> {
  const { revision, user_id } = await stateOf(context, id);
  await notify(context, what, {
    ...about({ id, name }),
    round: revision,
    params: { person: name, date },
    to: everyone(accounts([user_id]), managerOf(id), probationReviewerOf(id)),
    about: user_id,
  });
}

/** Notifies of a pause that starts on the given day. */
export const notifyPaused = (context: NotifyContext, { id, name }: Person, date: string) =>
  notifyOfPause(context, 'probation_paused', { id, name, date });

/** Notifies of the new end after a pause. */
export const notifyResumed = (context: NotifyContext, { id, name }: Person, date: string) =>
  notifyOfPause(context, 'probation_resumed', { id, name, date });

/** Notifies the person and the new manager of a scheduled job change that took effect. */
export async function notifyJobChange(
  context: NotifyContext,
  person: Person,
  change: { id: number; effective_from: string; new_manager_id: number | null },
): Promise<void> {
  const { user_id } = await stateOf(context, person.id);
  await notify(context, 'job_change_applied', {
    subject: { type: 'job_history', id: change.id },
    round: 1,
    url: `/employees/${person.id}`,
    params: { person: person.name, date: change.effective_from },
    to: everyone(accounts([user_id]), people([change.new_manager_id])),
    about: user_id,
  });
}

/** Notifies the author and HR of a job change that was cancelled because its author lost the right to make it. */
export async function notifyJobChangeCancelled(
  context: NotifyContext,
  person: Person,
  change: { id: number; effective_from: string; created_by: number | null },
): Promise<void> {
  await notify(context, 'job_change_cancelled', {
    subject: { type: 'job_history', id: change.id },
    round: 1,
    url: `/employees/${person.id}?tab=history`,
    params: { person: person.name, date: change.effective_from },
    to: everyone(hrFor('employees.update', person.id), accounts(change.created_by === null ? [] : [change.created_by])),
    about: change.created_by,
  });
}

/** Notifies people of their current roles. */
export async function notifyRolesChanged(context: NotifyContext, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  await notifyEach(
    context,
    'role_changed',
    { type: 'account' },
    sql`
      select u.id as user_id, u.id as subject_id, u.access_version::text as round, '/profile' as url,
             jsonb_build_object('roles', (select string_agg(r ->> 'name', ', ') from jsonb_array_elements(u.roles) as r))
               as params,
             'plain' as variant, null::text as copy_to
      from users u where u.id = any(${userIds}::bigint[])`,
  );
}
