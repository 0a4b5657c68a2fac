import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { JobContext } from '../../jobs/task.ts';
import { languageOf } from '../../languages/accept.ts';
import { countAll } from './counts.ts';
import { messageOf } from './message.ts';
import { findPermitted } from './rights.ts';
import { sendTo } from './send.ts';

const maxTries = 3;
/** Hours in which a post can still be sent: a worker that was down must not post at night. */
const openHours = 3;

const idsOf = ({ rows }: { rows: { id: number }[] }) => rows.map(({ id }) => id);

const listActive = async (db: Db) =>
  idsOf(await sql<{ id: number }>`select id from chat_targets where status = 'active' order by id`.execute(db));

type Due = { id: number; day: string; posted_on: string | null; tries: number };

/** The due targets with an attempt left on this day. */
async function listDue({ deps, now }: JobContext): Promise<Due[]> {
  const local = sql`(${now.toString()}::timestamptz at time zone timezone)`;
  const { rows } = await sql<Due>`
    select id, ${local}::date as day, posted_on, tries from chat_targets
    where status = 'active' and extract(hour from ${local}) between hour and hour + ${openHours - 1}::int
      and (weekday is null or weekday = extract(isodow from ${local}))
      and (posted_on is distinct from ${local}::date or tries < ${maxTries})
    order by id`.execute(deps.db);
  return rows;
}

/** Takes a target, which then has no attempt left; only one of two overlapping rounds can. True if it was taken. */
async function take({ deps }: JobContext, { id, day, posted_on, tries }: Due): Promise<boolean> {
  const { rows } = await sql`
    update chat_targets set posted_on = ${day}::date, tries = ${maxTries}
    where id = ${id} and posted_on is not distinct from ${posted_on}::date and tries = ${tries}
    returning id`.execute(deps.db);
  return rows.length > 0;
}

/** Leaves the remaining attempts of the day to the next rounds. */
const giveBack = ({ deps }: JobContext, { id, day, posted_on, tries }: Due) =>
  sql`update chat_targets set tries = ${posted_on === day ? tries + 1 : 1} where id = ${id} and posted_on = ${day}::date`.execute(
    deps.db,
  );

type Posted = { is_tried: boolean; is_done: boolean };
const notTried: Posted = { is_tried: false, is_done: false };

/** Posts to a channel with the current rights. It is done if the post was delivered or had nothing to say. */
async function post({ deps }: JobContext, id: number): Promise<Posted> {
  const target = await findPermitted(deps, id);
  if (!target) return notTried;
  const counted = await countAll(deps.db, target);
  // counting takes a while, so address and rights are read afterwards
  const now = await findPermitted(deps, id);
  if (now?.revision !== target.revision) return notTried;
  if (counted.length === 0) return { is_tried: false, is_done: true };
  const form = { kind: target.kind, language: languageOf(target.language), app: deps.config.APP_URL };
  const { error } = await sendTo(deps, now, messageOf(form, counted));
  return { is_tried: true, is_done: error === null };
}

/** Posts to a due channel, unless another round does. True when it tried to send. */
async function postOnce(ctx: JobContext, due: Due): Promise<boolean> {
  if (!(await take(ctx, due))) return false;
  let posted = notTried;
  try {
    posted = await post(ctx, due.id);
  } finally {
    if (!posted.is_done) await giveBack(ctx, due);
  }
  return posted.is_tried;
}

/**
 * Stops the channels that may no longer post, at any hour. Then posts to those that are due, one after the other. A
 * failed post is retried in the next rounds within the same hours. A channel gets no post if nothing is due.
 * @returns how many posts were tried
 */
export async function postToChat(ctx: JobContext): Promise<number> {
  for (const id of await listActive(ctx.deps.db)) await findPermitted(ctx.deps, id);
  let posted = 0;
  for (const due of await listDue(ctx)) if (await postOnce(ctx, due)) posted += 1;
  return posted;
}
