import type { Db } from '../db/connect.ts';
import { notify } from './notify.ts';
import { holdersOf } from './recipients.ts';

/** Reminds those who manage providers of one whose last certificate ends at this date, in `lead` days or fewer. */
export async function notifyCertificateEnding(
  db: Db,
  { id, name, date, lead }: { id: number; name: string; date: string; lead: number },
): Promise<void> {
  await notify({ db, actor: null }, 'certificate_ending', {
    subject: { type: 'identity_provider', id },
    round: `${date}-${lead}`,
    url: `/settings/sign-in?provider=${id}`,
    params: { provider: name, date },
    to: holdersOf('identity.manage'),
  });
}
