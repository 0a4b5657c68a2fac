import { sql } from 'kysely';
import { countsByKey } from '../access/sealed-columns.ts';
import type { KeyCount } from '../access/sealed-columns.ts';
import { isActive, tokenTables } from '../access/token-tables.ts';
import type { Db } from '../db/connect.ts';

/** What the database reports about the service's work. Times are in seconds; null if it never happened. */
export type Figures = {
  jobs_ready: number;
  jobs_oldest: number;
  jobs_failed: number;
  mail_pending: number;
  mail_oldest: number;
  webhook_pending: number;
  webhook_oldest: number;
  webhooks_failing: number;
  webhooks_disabled: number;
  sessions_alive: number;
  audit_unchained: number;
  commits_waiting: number;
  backup_at: number | null;
  first_backup_at: number | null;
  verified_at: number | null;
  drill_at: number | null;
  processes: { role: string; release: string; count: number }[];
  sealed: KeyCount[];
};

/** Counting stops here: a queue of this length is an incident, however long it is. */
const maxCounted = 10_000;

/** Every part reads an index and no more rows than are counted; the job table only contains jobs still to run. */
const statement = (idleSeconds: number) => sql<Figures>`
  with ready as (
    select run_at from graphile_worker._private_jobs
    where is_available = true and run_at <= now() limit ${sql.lit(maxCounted)}),
  mails as (
    -- one that was tried waits since then, whenever its next try is
    select coalesce(first_attempt_at, next_attempt_at) as since from notification_deliveries
    where status = 'pending' order by next_attempt_at, id limit ${sql.lit(maxCounted)}),
  -- of a receiver that works: one that fails is left alone for a while; and of an account that programs read for
  webhook_due as (
    select d.next_attempt_at as since from webhooks w
    join users a on a.id = w.service_account_id and a.is_enabled
    cross join lateral (
      select next_attempt_at from webhook_deliveries
      where webhook_id = w.id and status = 'pending' order by next_attempt_at limit 1) as d
    where w.status = 'active' and w.failing_since is null and d.next_attempt_at <= now()
      and exists (select from ${tokenTables} where t.user_id = w.service_account_id and ${isActive})),
  unchained as (
    -- the transaction that the chain has reached may be in it already, until the next run a moment later
    select at from audit_log
    where transaction >= (select transaction from audit_chain_reached)
      -- rows of another server may be of transactions that are still to come here
      and transaction < pg_snapshot_xmax(pg_current_snapshot())
    order by transaction, id limit 1)
  select
    (select count(*) from ready)::int as jobs_ready,
    (select coalesce(extract(epoch from now() - min(run_at)), 0) from ready)::float8 as jobs_oldest,
    (select count(*) from graphile_worker._private_jobs
     where is_available = false and locked_at is null)::int as jobs_failed,
    (select count(*) from mails)::int as mail_pending,
    (select greatest(extract(epoch from now() - min(since)), 0) from mails)::float8 as mail_oldest,
    (select count(*) from (
      select from webhook_deliveries where status = 'pending' limit ${sql.lit(maxCounted)}) as d)::int as webhook_pending,
    (select coalesce(extract(epoch from now() - min(since)), 0) from webhook_due)::float8 as webhook_oldest,
    (select count(*) from webhooks where status = 'active' and failing_since is not null)::int as webhooks_failing,
    (select count(*) from webhooks where status = 'disabled')::int as webhooks_disabled,
    (select count(*) from session_register
     where expires_at > now() and revoked_at is null
       and last_seen_at >= now() - make_interval(secs => ${idleSeconds}::float8))::int as sessions_alive,
    coalesce((select greatest(extract(epoch from now() - at), 0) from unchained), 0)::float8 as audit_unchained,
    (select count(*) from pg_stat_activity where wait_event = 'SyncRep')::int as commits_waiting,
    (select extract(epoch from finished_at) from backups
     where kind = 'backup' and status = 'done' order by finished_at desc limit 1)::float8 as backup_at,
    (select extract(epoch from finished_at) from backups
     where kind = 'backup' and status = 'done' order by finished_at limit 1)::float8 as first_backup_at,
    (select extract(epoch from finished_at) from backups
     where kind = 'verification' and status = 'done' order by finished_at desc limit 1)::float8 as verified_at,
    (select extract(epoch from finished_at) from backups
     where kind = 'drill' and status = 'done' order by finished_at desc limit 1)::float8 as drill_at,
    (select coalesce(json_agg(p), '[]') from (
      select role, release, count(*) from processes
      where last_seen_at > now() - interval '1 minute' group by role, release) as p) as processes,
    (select coalesce(json_agg(k), '[]') from (${countsByKey}) as k) as sealed`;

/** `figures` is absent while the database is down or cannot provide them. */
export type DatabaseState = { isUp: boolean; figures: Figures | undefined };

/** Reads the figures. */
export async function readFigures(db: Db, idleSeconds: number): Promise<DatabaseState> {
  const isUp = await sql`select`.execute(db).then(
    () => true,
    () => false,
  );
  if (!isUp) return { isUp, figures: undefined };
  const figures = await statement(idleSeconds)
    .execute(db)
    .then(
      ({ rows }) => rows[0],
      () => undefined,
    );
  return { isUp, figures };
}

/** Gauges for the figures: name, help, value. */
export const databaseGauges: Readonly<Record<string, [help: string, read: (figures: Figures) => number | null]>> = {
  tenure_jobs_ready: ['Jobs that are due, counted up to 10,000', (of) => of.jobs_ready],
  tenure_jobs_oldest_seconds: ['How long the oldest due job has been due', (of) => of.jobs_oldest],
  tenure_jobs_failed: ['Jobs that failed in all their attempts', (of) => of.jobs_failed],
  tenure_mail_pending: ['Mails to send, now or later, counted up to 10,000', (of) => of.mail_pending],
  tenure_mail_oldest_seconds: [
    'How long the oldest mail has been due, or since its first attempt',
    (of) => of.mail_oldest,
  ],
  tenure_webhook_pending: [
    'Events waiting to be delivered to webhooks, counted up to 10,000',
    (of) => of.webhook_pending,
  ],
  tenure_webhook_oldest_seconds: [
    'How long the oldest event with a working receiver has been due',
    (of) => of.webhook_oldest,
  ],
  tenure_webhooks_failing: ['Webhooks whose last try failed', (of) => of.webhooks_failing],
  tenure_webhooks_disabled: ['Webhooks disabled after failures', (of) => of.webhooks_disabled],
  tenure_sessions_alive: ['Sessions that have neither ended nor timed out', (of) => of.sessions_alive],
  tenure_audit_unchained_seconds: ['Age of the oldest audit log entry without a link', (of) => of.audit_unchained],
  tenure_commits_waiting: ['Commits by the role of the service that wait for a standby', (of) => of.commits_waiting],
  tenure_backup_last_success_timestamp_seconds: ['Time of the last backup', (of) => of.backup_at],
  tenure_backup_first_timestamp_seconds: ['Time of the first backup in the list of runs', (of) => of.first_backup_at],
  tenure_backup_verified_timestamp_seconds: ['Time of the last verification of a backup', (of) => of.verified_at],
  tenure_backup_drill_timestamp_seconds: ['Time of the last restore, as a drill or in earnest', (of) => of.drill_at],
};

/** Reads at most once in so many milliseconds, however often it is called. */
export function keptFigures(
  db: Db,
  { idleSeconds, keptMilliseconds = 15_000 }: { idleSeconds: number; keptMilliseconds?: number | undefined },
): () => Promise<DatabaseState> {
  let looked = -Infinity;
  let last: Promise<DatabaseState> | undefined;
  return () => {
    if (!last || performance.now() - looked >= keptMilliseconds) {
      looked = performance.now();
      last = readFigures(db, idleSeconds);
    }
    return last;
  };
}
