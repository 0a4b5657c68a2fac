import type { OutageReason } from '@tenure/contract';
import { randomId } from '../crypto/crypto.ts';
import type { Db } from '../db/connect.ts';
import { notify } from './notify.ts';
import { administrators, everyone, holdersOf } from './recipients.ts';

/** Reminds those who manage providers of one whose last certificate expires on this date, in `lead` days or fewer. */
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

/** Notifies all administrators that a provider's addresses or algorithms have changed. */
export async function notifyProviderChanged(
  db: Db,
  { id, name, fields }: { id: number; name: string; fields: readonly string[] },
): Promise<void> {
  await notify({ db, actor: null }, 'sso_provider_changed', {
    subject: { type: 'identity_provider', id },
    round: randomId(),
    url: '/audit-log',
    params: { provider: name, fields: fields.join(', ') },
    to: administrators,
  });
}

/** Notifies administrators that a provider's discovery document cannot be read, or that sign-ins through it fail. */
export async function notifyProviderFailing(
  db: Db,
  { id, name }: { id: number; name: string },
  reason: OutageReason,
): Promise<void> {
  await notify({ db, actor: null }, 'provider_failing', {
    subject: { type: 'identity_provider', id },
    round: randomId(),
    url: `/settings/sign-in?provider=${id}`,
    params: { provider: name },
    ...(reason !== 'answer' && { variant: reason }),
    to: everyone(administrators, holdersOf('identity.manage')),
  });
}
