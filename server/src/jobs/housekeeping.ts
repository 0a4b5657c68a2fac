import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { knownDays } from '../access/known-origins.ts';
import { deleteOldTries } from '../access/login-limits.ts';
import { prepareAuditPartitions } from '../audit.ts';
import type { DB } from '../db/schema.ts';
import { inBatches, inJobTransaction } from './task.ts';
import type { JobContext } from './task.ts';

const batch = 5_000;
const daysAgo = (now: Temporal.Instant, days: number) => now.subtract({ hours: 24 * days }).toString();

/** Deletes a table's old rows in batches, so that no transaction holds many locks for long. */
const deleteWhere =
  (table: keyof DB, isOld: (now: Temporal.Instant) => RawBuilder<SqlBool>, size = batch) =>
  ({ deps, now }: JobContext) =>
    inBatches(size, () =>
      inJobTransaction(deps.db, async (db) => {
        const { numAffectedRows } = await sql`
          delete from ${sql.table(table)} where ctid = any(array(
            select ctid from ${sql.table(table)} where ${isOld(now)} limit ${size}))`.execute(db);
        return Number(numAffectedRows ?? 0n);
      }),
    );

export const foldEmployeeCounts = ({ deps }: JobContext) =>
  inJobTransaction(deps.db, (db) => sql`select fold_employee_counts(), fold_employee_tenure_counts()`.execute(db));

export const foldEvaluationCounts = ({ deps }: JobContext) =>
  inJobTransaction(deps.db, (db) => sql`select fold_kpi_evaluation_counts()`.execute(db));

export const foldReviewCounts = ({ deps }: JobContext) =>
  inJobTransaction(deps.db, (db) => sql`select fold_probation_review_counts()`.execute(db));

/** Removes people recorded for HR tasks that have nothing left to do. */
export async function pruneCandidates({ deps }: JobContext) {
  for (const prune of [sql`prune_offboarding_candidates`, sql`prune_probation_review_candidates`])
    await inBatches(batch, () =>
      inJobTransaction(deps.db, async (db) => {
        const { rows } = await sql<{ removed: number }>`select ${prune}(${batch}::int) as removed`.execute(db);
        return rows[0]?.removed ?? 0;
      }),
    );
}

/**
 * Removes failed timed jobs that the next run of their task has replaced: the queue gave that one their key and no
 * longer retries them.
 */
export const deleteReplacedJobs = ({ deps }: JobContext) =>
  inJobTransaction(deps.db, (db) =>
    sql`
      select graphile_worker.complete_jobs(array(
        select j.id from graphile_worker._private_jobs j
        join graphile_worker._private_tasks t on t.id = j.task_id
        join graphile_worker._private_known_crontabs c on c.identifier = t.identifier
        where j.key is null and not j.is_available and j.locked_at is null))`.execute(db),
  );

export const prepareAuditLog = ({ deps }: JobContext) => inJobTransaction(deps.db, prepareAuditPartitions);

export const deleteLoginTries = ({ deps }: JobContext) => inJobTransaction(deps.db, deleteOldTries);

/** Stored answers serve repeated requests for a day. */
export const deleteIdempotencyKeys = deleteWhere(
  'idempotency_keys',
  (now) => sql<SqlBool>`created_at < ${daysAgo(now, 1)}`,
);

/** Access to private data lasts a quarter of an hour. */
export const deletePrivateLooks = deleteWhere('private_looks', (now) => sql<SqlBool>`looked_at < ${daysAgo(now, 1)}`);

/** Links sent by mail are deleted thirty days after they expire, used or not. */
export const deleteAccountLinks = deleteWhere('account_links', (now) => sql<SqlBool>`expires_at < ${daysAgo(now, 30)}`);

/** People who tried to sign in through a provider without a match are forgotten after thirty days. */
export const deleteSsoTries = deleteWhere('sso_unmatched', (now) => sql<SqlBool>`last_try_at < ${daysAgo(now, 30)}`);

/** SCIM requests of identity providers are forgotten after thirty days. */
export const deleteScimRequests = deleteWhere('scim_requests', (now) => sql<SqlBool>`at < ${daysAgo(now, 30)}`);

/** One-time values are deleted once they are too old to be used anyway. */
export const deleteUsedOnce = deleteWhere('used_once', (now) => sql<SqlBool>`expires_at < ${now.toString()}`);

/** The same for requests to SAML providers, including answers that no browser fetched. */
export const deleteSamlRequests = deleteWhere('saml_requests', (now) => sql<SqlBool>`expires_at < ${now.toString()}`);

/** Links that users requested are deleted thirty days after they expire, like links sent by mail. */
export const deleteOwnAccountLinks = deleteWhere(
  'own_account_links',
  (now) => sql<SqlBool>`expires_at < ${daysAgo(now, 30)}`,
);

/** Bulk changes of evaluations are deleted thirty days after their end; each evaluation keeps its history. */
export const deleteEvaluationBulks = deleteWhere(
  'kpi_evaluation_bulks',
  (now) => sql<SqlBool>`finished_at < ${daysAgo(now, 30)}`,
  50,
);

/** Sessions are deleted thirty days after their end. */
export const deleteSessions = deleteWhere(
  'session_register',
  (now) => sql<SqlBool>`expires_at < ${daysAgo(now, 30)} or revoked_at < ${daysAgo(now, 30)}`,
);

/** Exports and imports count until the end of their day. */
export const deleteBudgets = deleteWhere(
  'budgets',
  (now) => sql<SqlBool>`day < (${daysAgo(now, 1)}::timestamptz at time zone 'UTC')::date`,
);

/** Requests count until the end of their minute. */
export const deleteRateCounts = deleteWhere(
  'rate_counts',
  (now) => sql<SqlBool>`slot < ${now.subtract({ minutes: 10 }).toString()}::timestamptz`,
);

/** Networks and browsers without a sign-in during their retention period. */
export const deleteKnownOrigins = deleteWhere(
  'known_origins',
  (now) => sql<SqlBool>`last_at < ${daysAgo(now, knownDays.device)}
    or (kind = 'network' and last_at < ${daysAgo(now, knownDays.network)})`,
);

/** Notifications read a year ago are deleted with their mail log. */
export const deleteReadNotifications = deleteWhere(
  'notifications',
  (now) => sql<SqlBool>`read_at < ${daysAgo(now, 365)}`,
);
