import { text } from '@tenure/contract';
import { randomId } from '../../crypto/crypto.ts';
import type { ServiceCtx } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import { post, readReceiver } from './sending/post.ts';

/** Sends a signed test message, to which a receiver can respond as to events. */
export async function sendTest({ db, deps }: Pick<ServiceCtx, 'db' | 'deps'>, id: number) {
  const receiver = await readReceiver(db, deps.ring, id);
  if (!receiver) throw invalid('secret', text('webhooks.secret_lost'));
  const message = {
    type: 'webhook.test',
    timestamp: Temporal.Now.instant().toString({ smallestUnit: 'millisecond' }),
    data: { id },
  };
  const { http_status, error, ms } = await post(deps.door, receiver, {
    id: `evt_test_${randomId()}`,
    body: JSON.stringify(message),
  });
  return { is_sent: error === null, http_status, error, ms };
}
