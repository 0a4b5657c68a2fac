import { randomId } from '../crypto/crypto.ts';
import type { Db } from '../db/connect.ts';
import { notify } from './notify.ts';
import { accounts, administrators, everyone, holdersOf } from './recipients.ts';
import type { VariantOf } from './words.ts';

type Stopped = {
  id: number;
  name: string;
  account: string;
  owner_ids: readonly number[];
  variant: 'plain' | VariantOf<'webhook_failing'>;
};

/** Notifies those who manage webhooks, and the owners of the account, of one that nothing is sent to any more. */
export async function notifyWebhook(db: Db, { id, name, account, owner_ids, variant }: Stopped): Promise<void> {
  await notify({ db, actor: null }, 'webhook_failing', {
    subject: { type: 'webhook', id },
    round: randomId(),
    url: `/settings/webhooks?webhook=${id}`,
    params: { webhook: name, account },
    ...(variant !== 'plain' && { variant }),
    to: everyone(accounts(owner_ids), administrators, holdersOf('webhooks.manage')),
  });
}
