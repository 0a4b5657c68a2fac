import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { JobContext } from '../../jobs/task.ts';
import { languageOf } from '../../languages/accept.ts';
import { countAll } from './counts.ts';
import { messageOf } from './message.ts';
import { findPermitted } from './rights.ts';
import { sendTo } from './send.ts';

const mostTries = 3;
/** Hours in which a post may still go out: a worker that was away must not post at night. */
const openHours = 3;

const idsOf = ({ rows }: { rows: { id: number }[] }) => rows.map(({ id }) => id);

const listActive = async (db: Db) =>
  idsOf(await sql<{ id: number }>`select id from chat_targets where status = 'active' order by id`.execute(db));

/** Takes the targets whose hour has come; one that is taken by another process is not taken twice. */
async function takeDue({ deps, now }: JobContext): Promise<number[]> {
  const local = sql`(${now.toString()}::timestamptz at time zone timezone)`;
  return idsOf(
    await sql<{ id: number }>`
    update chat_targets set posted_on = ${local}::date,
      tries = case when posted_on = ${local}::date then tries + 1 else 1 end
    where status = 'active' and extract(hour from ${local}) between hour and hour + ${openHours - 1}::int
      and (weekday is null or weekday = extract(isodow from ${local}))
      and (posted_on is distinct from ${local}::date or tries < ${mostTries})
    returning id`.execute(deps.db),
  );
}

/** Posts to a channel by the rights of now. Returns whether it was tried. */
async function post({ deps }: JobContext, id: number): Promise<boolean> {
  const target = await findPermitted(deps, id);
  if (!target) return false;
  const counted = await countAll(deps.db, target);
  // counting takes a while: its address and rights are those of after it
  const now = await findPermitted(deps, id);
  if (now?.revision !== target.revision) return false;
  const form = { kind: target.kind, language: languageOf(target.language), app: deps.config.APP_URL };
  const outcome = counted.length > 0 ? await sendTo(deps, now, messageOf(form, counted)) : undefined;
  // what arrived, or had nothing to say, is not tried again
  if (!outcome?.error) await sql`update chat_targets set tries = ${mostTries} where id = ${id}`.execute(deps.db);
  return outcome !== undefined;
}

/**
 * Stops the channels that may post no more, whenever their hour is. Then posts to those whose hour has come, one after
 * the other. What does not arrive is tried with the next rounds of the same hours. A channel gets nothing while nothing
 * is due.
 * @returns how many posts were tried
 */
export async function postToChat(ctx: JobContext): Promise<number> {
  for (const id of await listActive(ctx.deps.db)) await findPermitted(ctx.deps, id);
  let posted = 0;
  for (const id of await takeDue(ctx)) if (await post(ctx, id)) posted += 1;
  return posted;
}
