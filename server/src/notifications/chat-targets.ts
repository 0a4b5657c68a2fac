import type { ChatTarget } from '@tenure/contract';
import { randomId } from '../crypto/crypto.ts';
import type { Db } from '../db/connect.ts';
import { notify } from './notify.ts';
import { administrators, everyone, holdersOf } from './recipients.ts';

type Stopped = Pick<ChatTarget, 'id' | 'name'> & { reason: NonNullable<ChatTarget['reason']> };

/** Notifies those who manage chat targets of one that no longer posts anything. */
export async function notifyChatTarget(db: Db, { id, name, reason }: Stopped): Promise<void> {
  await notify({ db, actor: null }, 'chat_target_stopped', {
    subject: { type: 'chat_target', id },
    round: randomId(),
    url: '/settings/webhooks?view=chat',
    params: { channel: name },
    variant: reason,
    to: everyone(administrators, holdersOf('webhooks.manage')),
  });
}
