import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { knownDays } from '../access/known-origins.ts';
import { forgetOldTries } from '../access/login-limits.ts';
import { prepareAuditPartitions } from '../audit.ts';
import type { DB } from '../db/schema.ts';
import { inBatches, inJob } from './task.ts';
import type { JobContext } from './task.ts';

const batch = 5_000;
const daysAgo = (now: Temporal.Instant, days: number) => now.subtract({ hours: 24 * days }).toString();

/** Deletes the old rows of a table in rounds, so that no transaction holds many locks for long. */
const forget =
  (table: keyof DB, isOld: (now: Temporal.Instant) => RawBuilder<SqlBool>, size = batch) =>
  ({ deps, now }: JobContext) =>
    inBatches(size, () =>
      inJob(deps.db, async (db) => {
        const { numAffectedRows } = await sql`
          delete from ${sql.table(table)} where ctid = any(array(
            select ctid from ${sql.table(table)} where ${isOld(now)} limit ${size}))`.execute(db);
        return Number(numAffectedRows ?? 0n);
      }),
    );

export const foldEmployeeCounts = ({ deps }: JobContext) =>
  inJob(deps.db, (db) => sql`select fold_employee_counts(), fold_employee_tenure_counts()`.execute(db));

export const foldEvaluationCounts = ({ deps }: JobContext) =>
  inJob(deps.db, (db) => sql`select fold_kpi_evaluation_counts()`.execute(db));

export const foldReviewCounts = ({ deps }: JobContext) =>
  inJob(deps.db, (db) => sql`select fold_probation_review_counts()`.execute(db));

/** Removes the people noted for tasks of HR for whom there is nothing to do. */
export async function pruneCandidates({ deps }: JobContext) {
  for (const prune of [sql`prune_offboarding_candidates`, sql`prune_probation_review_candidates`])
    await inBatches(batch, () =>
      inJob(deps.db, async (db) => {
        const { rows } = await sql<{ removed: number }>`select ${prune}(${batch}::int) as removed`.execute(db);
        return rows[0]?.removed ?? 0;
      }),
    );
}

/**
 * Removes timed jobs that failed after the next one of their task had begun to wait: the queue gives that one their key
 * and takes their further attempts, so nothing is left to do for them.
 */
export const forgetReplacedJobs = ({ deps }: JobContext) =>
  inJob(deps.db, (db) =>
    sql`
      select graphile_worker.complete_jobs(array(
        select j.id from graphile_worker._private_jobs j
        join graphile_worker._private_tasks t on t.id = j.task_id
        join graphile_worker._private_known_crontabs c on c.identifier = t.identifier
        where j.key is null and not j.is_available and j.locked_at is null))`.execute(db),
  );

export const prepareAuditLog = ({ deps }: JobContext) => inJob(deps.db, prepareAuditPartitions);

export const forgetLoginTries = ({ deps }: JobContext) => inJob(deps.db, forgetOldTries);

/** Stored answers serve repeated requests for a day. */
export const forgetIdempotencyKeys = forget('idempotency_keys', (now) => sql<SqlBool>`created_at < ${daysAgo(now, 1)}`);

/** An access to private data counts for a quarter of an hour. */
export const forgetPrivateLooks = forget('private_looks', (now) => sql<SqlBool>`looked_at < ${daysAgo(now, 1)}`);

/** Links by mail are deleted thirty days after their end, used or not. */
export const forgetAccountLinks = forget('account_links', (now) => sql<SqlBool>`expires_at < ${daysAgo(now, 30)}`);

/** People who tried to sign in through a provider and were not found are forgotten after thirty days. */
export const forgetSsoTries = forget('sso_unmatched', (now) => sql<SqlBool>`last_try_at < ${daysAgo(now, 30)}`);

/** Requests of identity providers over SCIM are forgotten after thirty days. */
export const forgetScimRequests = forget('scim_requests', (now) => sql<SqlBool>`at < ${daysAgo(now, 30)}`);

/** What may be used once is deleted when it is too old to be used at all. */
export const forgetUsedOnce = forget('used_once', (now) => sql<SqlBool>`expires_at < ${now.toString()}`);

/** The same of requests to providers of SAML, with the answers that no browser came for. */
export const forgetSamlRequests = forget('saml_requests', (now) => sql<SqlBool>`expires_at < ${now.toString()}`);

/** Links of the accounts themselves are deleted thirty days after their end, as links by mail. */
export const forgetOwnAccountLinks = forget(
  'own_account_links',
  (now) => sql<SqlBool>`expires_at < ${daysAgo(now, 30)}`,
);

/** Changes of many evaluations are deleted thirty days after their end, few at once; each evaluation keeps its history. */
export const forgetEvaluationBulks = forget(
  'kpi_evaluation_bulks',
  (now) => sql<SqlBool>`finished_at < ${daysAgo(now, 30)}`,
  50,
);

/** Sessions are deleted thirty days after their end. */
export const forgetSessions = forget(
  'session_register',
  (now) => sql<SqlBool>`expires_at < ${daysAgo(now, 30)} or revoked_at < ${daysAgo(now, 30)}`,
);

/** Exports and imports of a day count until its end. */
export const forgetBudgets = forget(
  'budgets',
  (now) => sql<SqlBool>`day < (${daysAgo(now, 1)}::timestamptz at time zone 'UTC')::date`,
);

/** Requests of a minute count until its end. */
export const forgetRateCounts = forget(
  'rate_counts',
  (now) => sql<SqlBool>`slot < ${now.subtract({ minutes: 10 }).toString()}::timestamptz`,
);

/** Networks and browsers without a sign-in for the respective retention time. */
export const forgetKnownOrigins = forget(
  'known_origins',
  (now) => sql<SqlBool>`last_at < ${daysAgo(now, knownDays.device)}
    or (kind = 'network' and last_at < ${daysAgo(now, knownDays.network)})`,
);

/** Notifications read a year ago are deleted with their mail log. */
export const forgetReadNotifications = forget('notifications', (now) => sql<SqlBool>`read_at < ${daysAgo(now, 365)}`);
