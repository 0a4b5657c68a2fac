import { isUrgent, lockedForPeople, severityByVariant, severityOf } from '@tenure/contract';
import type { NotificationEvent } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '../db/connect.ts';
import { addJob } from '../jobs/queue.ts';
import { carriesLink } from './links.ts';
import type { Bundle } from './bundle.ts';
import type { Recipients } from './recipients.ts';
import type { ParamsOf, VariantOf } from './words.ts';

/** The transaction of a change and its actor; null for the service itself. */
export type NotifyContext = { db: Db; actor: { user_id: number } | null; bundle?: Bundle | undefined };

export type SubjectType =
  | 'employee'
  | 'account'
  | 'account_link'
  | 'backup'
  | 'chat_target'
  | 'job_history'
  | 'identity_provider'
  | 'scim_connection'
  | 'import'
  | 'kpi_cycle'
  | 'kpi_evaluation'
  | 'kpi_evaluation_bulk'
  | 'notification_setting'
  | 'probation_review'
  | 'token'
  | 'webhook';

export type Notice<E extends NotificationEvent> = {
  /** The record the notification is about. */
  subject: { type: SubjectType; id: number };
  /** Distinguishes repeated events of a subject: a person is notified once per round. */
  round: number | string;
  /** The page to open. */
  url: `/${string}`;
  params: ParamsOf<E>;
  to: Recipients;
  /** The account that the event concerns, which gets the text `own`. */
  about?: number | null;
  variant?: VariantOf<E>;
  /** Notifies the actor too, because an attacker may have acted in their name. */
  even_actor?: true;
  /** Address of a second mail. */
  copy_to?: string;
};

type NotifyOptions = {
  type: SubjectType;
  even_actor?: boolean | undefined;
  /** A test notification, which ignores its recipient's preferences. */
  is_test?: boolean;
  /** Stored for what counts notifications, but neither shown nor mailed: the person reads about it in another one. */
  is_silent?: boolean;
};

/** SQL that is true for users who muted an event on a channel; locked channels cannot be muted. */
const muted = (event: NotificationEvent, channel: 'in_app' | 'email', userId: string, { is_test }: NotifyOptions) =>
  is_test || lockedForPeople(event).includes(channel)
    ? sql<boolean>`false`
    : sql<boolean>`exists (select from notification_mutes m
        where m.user_id = ${sql.ref(userId)} and m.event = ${event} and m.channel = ${channel})`;

/**
 * Notifies many people of one event in one statement, possibly each about a different subject. Skips leavers, inactive
 * people, the actor, people already notified, and people who muted all channels. A job sends the mails after the
 * commit. `rows` is SQL with the columns user_id, subject_id, round, url, params, variant and copy_to. Returns how many
 * people were notified. Over 40 lines: one statement.
 */
export async function notifyEach(
  { db, actor }: NotifyContext,
  event: NotificationEvent,
  options: NotifyOptions,
  rows: RawBuilder<unknown>,
): Promise<number> {
  const actorId = actor?.user_id ?? null;
  const { type, even_actor, is_test = false, is_silent = false } = options;
  // a link that is not sent leaves the person without access
  const byMail = (userId: string) =>
    carriesLink(event) ? sql`true` : sql`(select email from setting) and not ${muted(event, 'email', userId, options)}`;
  const severity = sql`coalesce(${JSON.stringify(severityByVariant[event] ?? {})}::jsonb->>w.variant, ${severityOf(event)})`;
  const { rows: counts } = await sql<{ notified: number; mailed: number }>`
    with setting as (
      select in_app, email from notification_settings where event = ${event}
    ), wanted as (
      select distinct on (user_id, subject_id, round)
             *, ${event}::text || ':' || subject_id || ':' || round as dedupe_key,
             ${is_silent ? sql`false` : sql`(select in_app from setting) and not ${muted(event, 'in_app', 'r.user_id', options)}`} as in_app,
             ${is_silent ? sql`false` : byMail('r.user_id')} as email
      from (${rows}) as r
      where ${even_actor ? sql`true` : sql`user_id is distinct from ${actorId}::bigint`}
    ), notified as (
      insert into notifications (user_id, event, variant, severity, subject_type, subject_id, url, actor_id, params,
                                 dedupe_key, shown, read_at)
      select w.user_id, ${event}, w.variant, ${severity}, ${type}, w.subject_id, w.url, ${actorId}::bigint,
             w.params, w.dedupe_key, w.in_app, case when not w.in_app then now() end
      from wanted w join reachable_users u on u.user_id = w.user_id
      where w.in_app or w.email or ${is_silent}::boolean
      -- inserts by several transactions lock rows in one order
      order by w.user_id, w.dedupe_key
      on conflict on constraint notifications_dedupe_key do nothing
      returning id, user_id, dedupe_key
    ), copies as materialized (
      -- few rows: otherwise every wanted row is searched for each notified user
      select user_id, dedupe_key, copy_to from wanted where copy_to is not null
    ), mailed as (
      insert into notification_deliveries (notification_id, user_id, channel, address, is_urgent)
      select t.id, t.user_id, 'email', a.address, ${isUrgent(event) || is_test}::boolean
      from notified t
      cross join lateral (
        select null::text as address
        union all
        select c.copy_to from copies c where c.user_id = t.user_id and c.dedupe_key = t.dedupe_key) as a
      where ${is_silent ? sql`false` : byMail('t.user_id')}
      returning 1
    )
    select (select count(*) from notified) as notified, (select count(*) from mailed) as mailed`.execute(db);
  const { notified, mailed } = counts[0] as { notified: number; mailed: number };
  if (mailed > 0) await addJob(db, 'deliver_mail');
  return notified;
}

/** Notifies people of an event in the transaction of its change. Returns how many were notified. */
export function notify<E extends NotificationEvent>(
  context: NotifyContext,
  event: E,
  notice: Notice<E>,
): Promise<number> {
  const { subject, round, url, params, to, about = null, variant = 'plain', even_actor, copy_to } = notice;
  return notifyEach(
    context,
    event,
    { type: subject.type, even_actor },
    sql`
      select user_id, ${subject.id}::bigint as subject_id, ${String(round)}::text as round, ${url}::text as url,
             ${JSON.stringify(params)}::jsonb as params, ${copy_to ?? null}::text as copy_to,
             case when user_id = ${about}::bigint then 'own' else ${variant}::text end as variant
      from (${to}) as t`,
  );
}
