import type { Db } from '../db/connect.ts';
import { notify } from './notify.ts';
import { hrOfPlace } from './recipients.ts';

/** The page where HR sees unmatched people. */
export const waitingPage = '/people-waiting';

type Place = { id: number; name: string };

const today = () => Temporal.Now.plainDateISO('UTC').toString();

/** Notifies HR of people without a match who tried to sign in through a provider: once per day and provider. */
export async function notifyPeopleWaiting(db: Db, { id, name }: Place): Promise<void> {
  await notify({ db, actor: null }, 'people_waiting', {
    subject: { type: 'identity_provider', id },
    round: today(),
    url: waitingPage,
    params: { provider: name },
    to: hrOfPlace('identity_providers', id),
  });
}

/** The same for users sent by an identity provider through SCIM: once per day and connection. */
export async function notifyUsersWaiting(db: Db, { id, name }: Place): Promise<void> {
  await notify({ db, actor: null }, 'people_waiting', {
    subject: { type: 'scim_connection', id },
    // providers may have the same ids
    round: `scim ${today()}`,
    url: waitingPage,
    params: { provider: name },
    variant: 'provisioned',
    to: hrOfPlace('scim_connections', id),
  });
}
