import type { ChatTarget } from '@tenure/contract';
import { sql } from 'kysely';
import { reachesEntity, reachOf } from '../../access/actor.ts';
import type { Holder } from '../../access/actor.ts';
import { loadHolder } from '../../access/rights.ts';
import { record } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../http/context.ts';
import { inJobTransaction } from '../../jobs/task.ts';
import { notifyChatTarget } from '../../notifications/chat-targets.ts';
import { sources } from './counts.ts';
import { ownReason } from '../../languages/answer.ts';

/**
 * This service does not know who reads a channel. So the channel gets what its responsible person can see, checked when
 * it is saved and again before each post.
 */

type Counting = Pick<ChatTarget, 'counts' | 'entity_ids'>;
type Reason = NonNullable<ChatTarget['reason']>;

/** The index of the first count that a person may not see in all companies of a target; -1 for none. */
export const unseenCount = (person: Pick<Holder, 'grants'>, { counts, entity_ids }: Counting): number =>
  counts.findIndex((count) => {
    const reach = reachOf(person, sources[count].permission);
    return !reach.everything && !(entity_ids?.every((id) => reachesEntity(reach, id)) ?? false);
  });

/** The reason why a person may not make a target post; null if they may. */
function reasonAgainst(person: Holder | undefined, target: Counting): Reason | null {
  if (!person) return 'account';
  if (!reachOf(person, 'webhooks.manage').everything) return 'permission';
  return unseenCount(person, target) >= 0 ? 'counts' : null;
}

/** `sealed`: the address, read together with the responsible person. */
export type Posting = Pick<ChatTarget, 'id' | 'kind' | 'entity_ids' | 'counts' | 'language'> & {
  revision: number;
  sealed: string | null;
};
type Checked = Posting & { set_by_id: number | null };

/** Stops a target in the state that was checked: if it changed meanwhile, the next run checks it again. */
async function stop({ db: outer, log }: Deps, { id, revision }: Checked, reason: Reason): Promise<void> {
  await inJobTransaction(outer, async (db) => {
    const { rows } = await sql<{ name: string }>`
      update chat_targets set status = 'stopped', reason = ${reason}
      where id = ${id} and status = 'active' and revision = ${revision} returning name`.execute(db);
    const [target] = rows;
    if (!target) return;
    log.warn({ event: 'chat_stopped', chat_target_id: id, reason }, 'posts to a chat channel stopped');
    await record(
      { db, actor: null },
      {
        action: 'chat_target.stopped',
        subject_id: id,
        subject_label: target.name,
        reason: ownReason(`reasons.chat_${reason}`),
      },
    );
    await notifyChatTarget(db, { id, name: target.name, reason });
  });
}

const personOf = async (db: Db, { set_by_id }: Checked) => (set_by_id === null ? undefined : loadHolder(db, set_by_id));

/** The current target if it may post with the current rights; otherwise stops it. */
export async function findPermitted(deps: Deps, id: number): Promise<Posting | undefined> {
  const { rows } = await sql<Checked>`
    select id, kind, entity_ids, counts, language, set_by_id, revision, url as sealed from chat_targets
    where id = ${id} and status = 'active'`.execute(deps.db);
  const [target] = rows;
  if (!target) return undefined;
  const reason = reasonAgainst(await personOf(deps.db, target), target);
  if (reason === null) return target;
  await stop(deps, target, reason);
  return undefined;
}
