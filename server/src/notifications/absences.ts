import type { AbsenceDays } from '@tenure/contract';
import { notify } from './notify.ts';
import type { NotifyContext } from './notify.ts';
import { accounts, everyone, managerOf, people } from './recipients.ts';

/** Notifications about absences. They state the days, never the reason. */

type Person = { id: number; user_id: number | null; name: string };
type One = AbsenceDays & { id: number; revision: number; deputy_id: number | null };

const about = ({ id }: Person) => ({ subject: { type: 'employee', id }, url: `/employees/${id}?tab=job` }) as const;

/** Notifies the person, their manager and the deputy of new or changed absence days, and a previous deputy. */
export async function notifyAbsence(
  context: NotifyContext,
  person: Person,
  absence: One,
  formerDeputy: number | null = null,
): Promise<void> {
  const { id, revision, first_day: date, last_day: until } = absence;
  const notice = { ...about(person), round: `${id}-${revision}`, params: { person: person.name, date, until } };
  const own = until === null ? 'own_open' : 'own';
  await notify(context, 'absence_recorded', { ...notice, to: accounts([person.user_id]), variant: own });
  const others = { ...notice, to: managerOf(person.id) };
  await notify(context, 'absence_recorded', until === null ? { ...others, variant: 'open' } : others);
  const deputy = {
    ...notice,
    url: '/tasks',
    round: `${notice.round}-deputy`,
    to: people([absence.deputy_id]),
  } as const;
  await notify(context, 'absence_recorded', { ...deputy, variant: until === null ? 'deputy_open' : 'deputy' });
  const former = formerDeputy === absence.deputy_id ? null : formerDeputy;
  await notify(context, 'absence_ended', { ...deputy, to: people([former]), variant: 'former_deputy' });
}

/** Notifies the same people of the first day back, or that an absence was cancelled. */
export async function notifyAbsenceEnded(
  context: NotifyContext,
  person: Person,
  { id, revision, date, deputy_id }: Omit<One, keyof AbsenceDays> & { date: string },
  how: 'ended' | 'cancelled',
): Promise<void> {
  const notice = { ...about(person), round: `${id}-${revision}-${how}`, params: { person: person.name, date } };
  const own = how === 'ended' ? 'own' : 'own_cancelled';
  await notify(context, 'absence_ended', { ...notice, to: accounts([person.user_id]), variant: own });
  const others = { ...notice, to: everyone(managerOf(person.id), people([deputy_id])) };
  await notify(context, 'absence_ended', how === 'ended' ? others : { ...others, variant: 'cancelled' });
}
