import type { AbsenceDays } from '@tenure/contract';
import { notify } from './notify.ts';
import type { NotifyContext } from './notify.ts';
import { accounts, managerOf } from './recipients.ts';

/** Notifications about absences. They name the days, never the reason. */

type Person = { id: number; user_id: number | null; name: string };
type One = AbsenceDays & { id: number; revision: number };

const about = ({ id }: Person) => ({ subject: { type: 'employee', id }, url: `/employees/${id}?tab=job` }) as const;

/** Notifies the person and the manager of the days of an absence, also when they change. */
export async function notifyAbsence(context: NotifyContext, person: Person, absence: One): Promise<void> {
  const { id, revision, first_day: date, last_day: until } = absence;
  const notice = { ...about(person), round: `${id}-${revision}`, params: { person: person.name, date, until } };
  const own = until === null ? 'own_open' : 'own';
  await notify(context, 'absence_recorded', { ...notice, to: accounts([person.user_id]), variant: own });
  const others = { ...notice, to: managerOf(person.id) };
  await notify(context, 'absence_recorded', until === null ? { ...others, variant: 'open' } : others);
}

/** Notifies the same people of the first day back, or that the absence from a day on does not take place. */
export async function notifyAbsenceEnded(
  context: NotifyContext,
  person: Person,
  { id, revision, date }: { id: number; revision: number; date: string },
  how: 'ended' | 'cancelled',
): Promise<void> {
  const notice = { ...about(person), round: `${id}-${revision}-${how}`, params: { person: person.name, date } };
  const own = how === 'ended' ? 'own' : 'own_cancelled';
  await notify(context, 'absence_ended', { ...notice, to: accounts([person.user_id]), variant: own });
  const others = { ...notice, to: managerOf(person.id) };
  await notify(context, 'absence_ended', how === 'ended' ? others : { ...others, variant: 'cancelled' });
}
