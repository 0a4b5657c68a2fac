import type { ChatCount, ChatTarget } from '@tenure/contract';
import { sql } from 'kysely';
import type { JobContext } from '../../jobs/task.ts';
import { languageOf } from '../../languages/accept.ts';
import { countAll } from './counts.ts';
import { messageOf } from './message.ts';
import { sendTo } from './send.ts';

type Due = Pick<ChatTarget, 'id' | 'kind' | 'entity_ids' | 'language'> & { counts: ChatCount[] };

const mostTries = 3;
/** Hours in which a post may still go out: a worker that was away must not post at night. */
const openHours = 3;

/** Takes the targets whose hour has come; one that is taken by another process is not taken twice. */
async function takeDue({ deps, now }: JobContext): Promise<Due[]> {
  const local = sql`(${now.toString()}::timestamptz at time zone timezone)`;
  const { rows } = await sql<Due>`
    update chat_targets set posted_on = ${local}::date,
      tries = case when posted_on = ${local}::date then tries + 1 else 1 end
    where extract(hour from ${local}) between hour and hour + ${openHours - 1}::int
      and (weekday is null or weekday = extract(isodow from ${local}))
      and (posted_on is distinct from ${local}::date or tries < ${mostTries})
    returning id, kind, entity_ids, counts, language`.execute(deps.db);
  return rows;
}

/**
 * Posts to the channels whose hour has come, one after the other. What does not arrive is tried with the next rounds of
 * the same hours. A channel gets nothing while nothing is due.
 * @returns how many posts were tried
 */
export async function postToChat(ctx: JobContext): Promise<number> {
  const { deps } = ctx;
  let posted = 0;
  for (const target of await takeDue(ctx)) {
    const counted = await countAll(deps.db, target);
    const { id, kind, language } = target;
    const form = { kind, language: languageOf(language), app: deps.config.APP_URL };
    const outcome = counted.length > 0 ? await sendTo(deps, id, messageOf(form, counted)) : undefined;
    if (outcome) posted += 1;
    // what arrived, or had nothing to say, is not tried again
    if (!outcome?.error) await sql`update chat_targets set tries = ${mostTries} where id = ${id}`.execute(deps.db);
  }
  return posted;
}
