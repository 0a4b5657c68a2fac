import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '../db/connect.ts';
import type { Missing } from '../db/lists.ts';
import { inJobTransaction } from '../jobs/task.ts';
import type { JobContext } from '../jobs/task.ts';
import type { Line } from './mail.ts';

/** One mail, for a single notification or several that are due together. */
export type Claimed = {
  mail_id: number;
  attempts: number;
  lines: Line[];
} & Sender &
  (Addressee | Missing<Addressee>);

/** Null if the account may no longer receive notifications. */
export type Addressee = { name: string; locale: string; address: string };

/** The brand for a recipient: their company's, else the installation's. Null for Tenure's. */
export type Sender = { brand_name: string | null; logo_key: string | null };

/** Mails sent in parallel by the installation's only active sender, because mail servers limit their clients. */
const together = 5;
/** Longer than sending one mail takes; a killed sender blocks the others for no longer than this. */
const leaseSeconds = 60;
/** Mails that a person gets within an hour; the rest is postponed and sent as one. */
export const maxPerHour = 10;
/** Serialises claims of mails: two simultaneous senders would both see no active sender. */
const claimLock = 7_365_048;
const window = 200;

/** The current moment: the database's, or a later one set by a test. */
export const moment = ({ now }: JobContext) => sql`greatest(now(), ${now.toString()}::timestamptz)`;

const isDue = (now: RawBuilder<unknown>) => sql`status = 'pending' and next_attempt_at <= ${now}`;
/** Sent immediately and alone: security notices, and copies to an old address. */
const isAlone = sql`(is_urgent or address is not null)`;

/**
 * Postpones mails that are due too early: to the daily digest, to the end of quiet hours, or because the person reached
 * the hourly limit. Returns the number postponed now.
 */
async function postpone(db: Db, now: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    with due as (
      select id, user_id, created_at from notification_deliveries where ${isDue(now)} and not ${isAlone}
      order by next_attempt_at, id limit ${window}
    ), people as (
      select u.user_id, p.digest, p.quiet_from, p.quiet_to, coalesce(p.time_zone, c.timezone, 'UTC') as time_zone,
             enough.until
      from (select distinct user_id from due) as u
      left join notification_preferences p on p.user_id = u.user_id
      left join employees e on e.user_id = u.user_id
      left join entities c on c.id = e.entity_id
      left join lateral (
        select min(m.sent_at) + interval '1 hour' as until
        from (select max(s.sent_at) as sent_at from notification_deliveries s
              where s.user_id = u.user_id and s.sent_at > ${now} - interval '1 hour' and not ${isAlone}
              group by s.mail_id order by 1 desc limit ${maxPerHour}) as m
        having count(*) = ${maxPerHour}) as enough on true
    ), timed as (
      select d.id, greatest(mail_time(d.created_at, ${now}, p.digest, p.quiet_from, p.quiet_to, p.time_zone),
                            p.until) as at
      from due d join people p on p.user_id = d.user_id
    )
    update notification_deliveries d set next_attempt_at = t.at from timed t where t.id = d.id and t.at > ${now}`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0n);
}

/** The mails to send next; all that is due for one person is sent as one mail. */
const nextMails = (now: RawBuilder<unknown>) => sql`
  with due as (
    select id, user_id, ${isAlone} as alone, next_attempt_at from notification_deliveries
    where ${isDue(now)} and not exists (select from notification_deliveries where leased_until > ${now})
    order by next_attempt_at, id limit ${window}
  ), mails as (
    select min(id) as mail_id, user_id, alone from due
    group by user_id, alone, case when alone then id end
    order by min(next_attempt_at), min(id) limit ${together}
  )
  select m.mail_id, m.mail_id as id from mails m where m.alone
  union all
  select m.mail_id, d.id
  from mails m join notification_deliveries d on d.user_id = m.user_id
  where not m.alone and ${isDue(now)} and not ${isAlone}`;

async function claimAlone(db: Db, now: RawBuilder<unknown>): Promise<Claimed[]> {
  while ((await postpone(db, now)) > 0);
  const { rows } = await sql<Claimed>`
    with claimed as (
      update notification_deliveries d
      set leased_until = ${now} + make_interval(secs => ${leaseSeconds}), attempts = attempts + 1,
          first_attempt_at = coalesce(first_attempt_at, ${now}), mail_id = m.mail_id
      from (${nextMails(now)}) as m
      where d.id = m.id
      returning d.mail_id, d.notification_id, d.user_id, d.attempts, d.address
    ), lines as (
      select c.mail_id, c.user_id, max(c.attempts) as attempts, max(c.address) as address, n.event,
             count(*) as count, min(n.url) as url, min(n.subject_id) as subject_id, bool_or(n.variant = 'test') as is_test
      from claimed c join notifications n on n.id = c.notification_id
      group by c.mail_id, c.user_id, n.event
    )
    select l.mail_id, max(l.attempts) as attempts, u.name, u.locale,
           case when u.user_id is not null then coalesce(max(l.address), u.email) end as address,
           jsonb_agg(jsonb_build_object('event', l.event, 'count', l.count, 'url', l.url, 'is_test', l.is_test,
                                        'subject_id', l.subject_id)
                     order by l.count desc, l.event) as lines,
           max(coalesce(own.name, main.name)) as brand_name, max(coalesce(own.logo_key, main.logo_key)) as logo_key
    from lines l
    join brands main on main.entity_id is null
    left join reachable_users u on u.user_id = l.user_id
    left join employees e on e.user_id = l.user_id
    left join brands own on own.entity_id = e.entity_id
    group by l.mail_id, u.user_id, u.name, u.locale, u.email
    order by l.mail_id`.execute(db);
  return rows;
}

/** Claims the next due mails, unless another sender holds some and continues until none are left. */
export const claimMails = (ctx: JobContext): Promise<Claimed[]> =>
  inJobTransaction(ctx.deps.db, async (trx) => {
    await sql`select pg_advisory_xact_lock(${claimLock})`.execute(trx);
    return claimAlone(trx, moment(ctx));
  });
