import type { Db } from '../db/connect.ts';
import { notify } from './notify.ts';
import { hrOfProvider } from './recipients.ts';

/** Where HR sees who waits. */
export const waitingPage = '/people-waiting';

/** Notifies HR of people who tried to sign in through a provider and were not found: once a day and provider. */
export async function notifyPeopleWaiting(db: Db, { id, name }: { id: number; name: string }): Promise<void> {
  await notify({ db, actor: null }, 'people_waiting', {
    subject: { type: 'identity_provider', id },
    round: Temporal.Now.plainDateISO('UTC').toString(),
    url: waitingPage,
    params: { provider: name },
    to: hrOfProvider(id),
  });
}
