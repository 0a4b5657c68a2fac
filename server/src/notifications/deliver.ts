import type { NotificationEvent } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '../db/connect.ts';
import { inJob } from '../jobs/task.ts';
import type { JobContext } from '../jobs/task.ts';
import { MailFailure } from '../mail/mailer.ts';
import { mailOf } from './mail.ts';
import type { Letter } from './mail.ts';

type Claimed = Omit<Letter, 'event' | 'address'> & {
  id: number;
  event: NotificationEvent;
  attempts: number;
  /** Null when the account may not be told anything any more. */
  address: string | null;
};
type Outcome = { id: number; status: 'pending' | 'sent' | 'failed'; error: string | null; wait_minutes: number };

/** So many mails are sent at once, by one sender in the whole installation: a mail server is easily offended. */
const together = 5;
/** Longer than one mail may take; who was killed while sending blocks the others for no longer. */
const leaseSeconds = 60;
export const giveUpAfterHours = 24;
/** Senders look for mails one after the other: two that look at the same moment would both find none being sent. */
const claimLock = 7_365_048;

/** The moment that counts: the database's, or a later one that a test says it is. */
const moment = ({ now }: JobContext) => sql`greatest(now(), ${now.toString()}::timestamptz)`;

/** Takes the next mails that are due, unless another sender has some: that one goes on until there are none. */
const claim = (ctx: JobContext): Promise<Claimed[]> =>
  inJob(ctx.deps.db, async (trx) => {
    await sql`select pg_advisory_xact_lock(${claimLock})`.execute(trx);
    return claimAlone(trx, moment(ctx));
  });

async function claimAlone(db: Db, now: RawBuilder<unknown>): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    with claimed as (
      update notification_deliveries d
      set leased_until = ${now} + make_interval(secs => ${leaseSeconds}), attempts = attempts + 1
      where d.id = any(array(
        select id from notification_deliveries
        where status = 'pending' and next_attempt_at <= ${now}
          and not exists (select from notification_deliveries where leased_until > ${now})
        order by next_attempt_at, id limit ${together} for update skip locked))
      returning d.id, d.notification_id, d.attempts, d.address
    )
    select c.id, c.attempts, n.event, n.url, u.name, u.locale,
           case when u.user_id is not null then coalesce(c.address, u.email) end as address
    from claimed c
    join notifications n on n.id = c.notification_id
    left join reachable_users u on u.user_id = n.user_id
    order by c.id`.execute(db);
  return rows;
}

/** Minutes until the next try: 1, 2, 4 … and never more than an hour. */
const pause = (attempts: number) => Math.min(2 ** (attempts - 1), 60);

async function attempt({ deps }: JobContext, { id, attempts, address, ...letter }: Claimed): Promise<Outcome> {
  const failed = (error: string): Outcome => ({ id, status: 'failed', error, wait_minutes: 0 });
  if (address === null) return failed('The person has left.');
  try {
    const result = await deps.mailer.send(mailOf({ ...letter, address }, deps.config.APP_URL));
    return result === 'sent' ? { id, status: 'sent', error: null, wait_minutes: 0 } : failed('Mail is off.');
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof MailFailure && error.kind === 'permanent') return failed(message);
    return { id, status: 'pending', error: message.slice(0, 500), wait_minutes: pause(attempts) };
  }
}

/** Notes what became of the mails; one that could not be sent for a day is given up. */
async function settle(ctx: JobContext, outcomes: readonly Outcome[]): Promise<void> {
  const now = moment(ctx);
  await sql`
    update notification_deliveries d
    set status = case when o.status = 'pending' and d.created_at < ${now} - make_interval(hours => ${giveUpAfterHours})
                      then 'failed' else o.status end,
        error = o.error, leased_until = null,
        next_attempt_at = ${now} + make_interval(mins => o.wait_minutes),
        sent_at = case when o.status = 'sent' then now() end
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb)
      as o (id bigint, status text, error text, wait_minutes int)
    where d.id = o.id`.execute(ctx.deps.db);
}

const giveUpAll = (db: Db) =>
  sql`update notification_deliveries set status = 'failed', error = 'Mail is off.' where status = 'pending'`.execute(
    db,
  );

/**
 * Sends the mails that are due. A server that works for none of them is left alone until the clock asks again, so that
 * a hanging one keeps one worker for seconds and nobody else.
 */
export async function deliverMail(ctx: JobContext): Promise<void> {
  for (;;) {
    const mails = await claim(ctx);
    if (mails.length === 0) return;
    const outcomes = await Promise.all(mails.map((mail) => attempt(ctx, mail)));
    await settle(ctx, outcomes);
    if (outcomes.some(({ error }) => error === 'Mail is off.')) await giveUpAll(ctx.deps.db);
    if (outcomes.every(({ status }) => status === 'pending')) return;
  }
}
