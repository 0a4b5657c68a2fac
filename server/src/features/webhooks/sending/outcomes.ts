import { sql } from 'kysely';
import { record } from '../../../audit.ts';
import { randomInteger } from '../../../crypto/crypto.ts';
import type { Db } from '../../../db/connect.ts';
import type { Deps } from '../../../http/context.ts';
import { inJobTransaction } from '../../../jobs/task.ts';
import { ownReason } from '../../../languages/answer.ts';
import { notifyWebhook } from '../../../notifications/webhooks.ts';
import type { Outcome } from './post.ts';

/** The result of attempts: the next attempt, the end of an event, or the end of a webhook. */

/** Seconds before each attempt; the first is immediate. */
const waits = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
export const maxAttempts = waits.length;
const longestWait = 86_400;

/** This many failures in a row over this many days disable a webhook. */
const hopeless = { failures: 100, days: 5 };

/** Jitter of 20 %, so that attempts that failed together are not repeated together. */
const around = (seconds: number) => (seconds * (80 + randomInteger(41))) / 100;

/** Seconds until the next attempt after this many; null after the last. */
export function nextWait(attempts: number, { retry_after }: Pick<Outcome, 'retry_after'>): number | null {
  const wait = waits[attempts];
  if (wait === undefined) return null;
  return Math.max(around(wait), Math.min(retry_after ?? 0, longestWait));
}

/** A completed attempt; `about`: the person whose review it was about. */
export type Tried = Outcome & { id: number; attempts: number; about: number | null };

/** The recent failures of the receiver. */
export type Streak = { failures: number; failing_since: string | null };

/** The status code with which a receiver asks for no more events. */
export const gone = 410;

const rowOf = ({ id, attempts, http_status, error, ms, retry_after }: Tried, at: string) => {
  const wait = error && http_status !== gone ? nextWait(attempts, { retry_after }) : null;
  const status = error === null ? 'sent' : wait === null ? 'dead' : 'pending';
  return { id, attempts, http_status, error, ms, status, wait, at };
};

const storeTries = (db: Db, rows: ReturnType<typeof rowOf>[]) => sql`
  update webhook_deliveries d
  set status = r.status, attempts = r.attempts, http_status = r.http_status, error = r.error, ms = r.ms, tried_at = r.at,
      next_attempt_at = now() + make_interval(secs => coalesce(r.wait, 0))
  from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
    id bigint, attempts integer, http_status smallint, error text, ms integer, status text, wait float8, at timestamptz)
  where d.id = r.id and d.status = 'pending' and d.attempts = r.attempts - 1`;

/** The last attempts keep their schedule, so that no event is given up earlier. */
const maxHastened = 6;

/**
 * When a receiver is back, unanswered attempts are due immediately, so that events arrive in order. Attempts that it
 * answered with an error keep their schedule: the error may concern the event, or the receiver may have asked for the
 * delay.
 */
const hasten = (webhookId: number) => sql`
  update webhook_deliveries set next_attempt_at = now()
  where webhook_id = ${webhookId} and status = 'pending' and next_attempt_at > now()
    and attempts <= ${maxHastened} and error in ('timeout', 'connection', 'unresolved', 'proxy')`;

const countHour = (db: Db, webhookId: number, { sent, failed }: { sent: number; failed: number }) => sql`
  insert into webhook_hours as h (webhook_id, hour, sent, failed)
  values (${webhookId}, date_trunc('hour', now(), 'UTC'), ${sent}, ${failed})
  on conflict (webhook_id, hour) do update set sent = h.sent + excluded.sent, failed = h.failed + excluded.failed`;

/** Counts attempts of the hour about the review of each person, who must not see them. */
const countAbout = (db: Db, webhookId: number, tried: readonly Tried[]) => sql`
  insert into webhook_hours_about as h (webhook_id, hour, employee_id, sent, failed)
  select ${webhookId}, date_trunc('hour', now(), 'UTC'), t.about, count(*) filter (where t.error is null), count(t.error)
  from jsonb_to_recordset(${JSON.stringify(tried)}::jsonb) as t (about bigint, error text)
  where t.about is not null group by t.about
  on conflict (webhook_id, hour, employee_id)
    do update set sent = h.sent + excluded.sent, failed = h.failed + excluded.failed`;

/** What a webhook stores about its latest deliveries, so that each reader learns of the latest visible one. */
function latestOf(tried: readonly Tried[]) {
  const sent = new Set(tried.filter(({ error }) => error === null).map(({ about }) => about));
  if (sent.size === 0) return sql`last_sent_at = last_sent_at`;
  const [first = null] = sent;
  const about = sent.size === 1 ? first : null;
  return sql`last_sent_at = now(), last_sent_about = ${about}::bigint,
    last_sent_before = case when ${about}::bigint is null then null
      when last_sent_about = ${about}::bigint then last_sent_before else last_sent_at end`;
}

type Disabled = { id: number; name: string; owner_ids: number[]; account: string };

/** Disables an active webhook until a person resumes it. */
async function disable(
  { db, deps }: { db: Db; deps: Deps },
  webhookId: number,
  reason: 'gone' | 'failing',
): Promise<void> {
  const { rows } = await sql<Disabled>`
    update webhooks w set status = 'disabled', reason = ${reason} from service_accounts s
    where w.id = ${webhookId} and w.status = 'active' and s.user_id = w.service_account_id
    returning w.id, w.name, s.owner_ids, s.name as account`.execute(db);
  const [webhook] = rows;
  if (!webhook) return;
  deps.log.warn({ event: 'webhook_disabled', webhook_id: webhookId, reason }, 'a webhook was disabled');
  await record(
    { db, actor: null },
    {
      action: 'webhook.disabled',
      subject_id: webhookId,
      subject_label: webhook.name,
      reason: ownReason(reason === 'gone' ? 'reasons.receiver_gone' : 'reasons.receiver_failed'),
    },
  );
  await notifyWebhook(db, { ...webhook, variant: reason === 'gone' ? 'gone' : 'plain' });
}

/** Stores attempts of a webhook together, and disables it if they require it. */
export async function storeOutcomes(
  deps: Deps,
  webhookId: number,
  { tried, streak, isBack }: { tried: readonly Tried[]; streak: Streak; isBack: boolean },
): Promise<void> {
  const at = Temporal.Now.instant().toString();
  const sent = tried.filter(({ error }) => error === null).length;
  const failed = tried.length - sent;
  deps.metrics.webhooksTried({ sent, failed });
  const { failures, failing_since } = streak;
  await inJobTransaction(deps.db, async (db) => {
    const { rows } = await sql<{ is_hopeless: boolean }>`
      update webhooks set failures = ${failures}, failing_since = ${failing_since}::timestamptz, ${latestOf(tried)}
      where id = ${webhookId}
      returning failures >= ${hopeless.failures}
        and failing_since <= now() - make_interval(days => ${hopeless.days}) as is_hopeless`.execute(db);
    const [webhook] = rows;
    // deleted meanwhile
    if (!webhook) return;
    await storeTries(
      db,
      tried.map((one) => rowOf(one, at)),
    ).execute(db);
    if (isBack) await hasten(webhookId).execute(db);
    await countHour(db, webhookId, { sent, failed }).execute(db);
    if (tried.some(({ about }) => about !== null)) await countAbout(db, webhookId, tried).execute(db);
    if (tried.some(({ http_status }) => http_status === gone)) await disable({ db, deps }, webhookId, 'gone');
    else if (webhook.is_hopeless) await disable({ db, deps }, webhookId, 'failing');
  });
}
