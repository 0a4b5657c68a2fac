import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { knownDays } from '../access/known-origins.ts';
import { forgetOldTries } from '../access/login-limits.ts';
import { prepareAuditPartitions } from '../audit.ts';
import { inBatches, inJob } from './task.ts';
import type { JobContext } from './task.ts';

const batch = 5_000;
const daysAgo = (now: Temporal.Instant, days: number) => now.subtract({ hours: 24 * days }).toString();

/** Deletes in rounds, so that no transaction holds many locks for long. */
const deleteInBatches = ({ deps }: JobContext, statement: RawBuilder<unknown>) =>
  inBatches(batch, () => inJob(deps.db, async (db) => Number((await statement.execute(db)).numAffectedRows ?? 0n)));

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

export const prepareAuditLog = ({ deps }: JobContext) => inJob(deps.db, prepareAuditPartitions);

export const forgetLoginTries = ({ deps }: JobContext) => inJob(deps.db, forgetOldTries);

/** Stored answers serve repeated requests for a day. */
export const forgetIdempotencyKeys = (ctx: JobContext) =>
  deleteInBatches(
    ctx,
    sql`delete from idempotency_keys where ctid = any(array(
          select ctid from idempotency_keys where created_at < ${daysAgo(ctx.now, 1)} limit ${batch}))`,
  );

/** An access to private data counts for a quarter of an hour. */
export const forgetPrivateLooks = (ctx: JobContext) =>
  deleteInBatches(
    ctx,
    sql`delete from private_looks where ctid = any(array(
          select ctid from private_looks where looked_at < ${daysAgo(ctx.now, 1)} limit ${batch}))`,
  );

/** Links by mail are deleted thirty days after their end, used or not. */
export const forgetAccountLinks = (ctx: JobContext) =>
  deleteInBatches(
    ctx,
    sql`delete from account_links where id = any(array(
          select id from account_links where expires_at < ${daysAgo(ctx.now, 30)} limit ${batch}))`,
  );

/** People who tried to sign in through a provider and were not found are forgotten after thirty days. */
export const forgetSsoTries = (ctx: JobContext) =>
  deleteInBatches(
    ctx,
    sql`delete from sso_unmatched where id = any(array(
          select id from sso_unmatched where last_try_at < ${daysAgo(ctx.now, 30)} limit ${batch}))`,
  );

/** Requests of identity providers over SCIM are forgotten after thirty days. */
export const forgetScimRequests = (ctx: JobContext) =>
  deleteInBatches(
    ctx,
    sql`delete from scim_requests where id = any(array(
          select id from scim_requests where at < ${daysAgo(ctx.now, 30)} limit ${batch}))`,
  );

/** What may be used once is deleted when it is too old to be used at all. */
export const forgetUsedOnce = (ctx: JobContext) =>
  deleteInBatches(
    ctx,
    sql`delete from used_once where (purpose, hash) in (
          select purpose, hash from used_once where expires_at < ${ctx.now.toString()} limit ${batch})`,
  );

/** The same of requests to providers of SAML, with the answers that no browser came for. */
export const forgetSamlRequests = (ctx: JobContext) =>
  deleteInBatches(
    ctx,
    sql`delete from saml_requests where id in (
          select id from saml_requests where expires_at < ${ctx.now.toString()} limit ${batch})`,
  );

/** The same of links of the accounts themselves. */
export const forgetOwnAccountLinks = (ctx: JobContext) =>
  deleteInBatches(
    ctx,
    sql`delete from own_account_links where id = any(array(
          select id from own_account_links where expires_at < ${daysAgo(ctx.now, 30)} limit ${batch}))`,
  );

/** Changes of many evaluations are deleted thirty days after their end; the history of each evaluation stays. */
export const forgetEvaluationBulks = (ctx: JobContext) =>
  inBatches(50, () =>
    inJob(ctx.deps.db, async (db) => {
      const { numAffectedRows } = await sql`
        delete from kpi_evaluation_bulks where id = any(array(
          select id from kpi_evaluation_bulks where finished_at < ${daysAgo(ctx.now, 30)} limit 50))`.execute(db);
      return Number(numAffectedRows ?? 0n);
    }),
  );

/** Sessions are deleted thirty days after their end. */
export const forgetSessions = (ctx: JobContext) =>
  deleteInBatches(
    ctx,
    sql`delete from session_register where id = any(array(
          select id from session_register
          where expires_at < ${daysAgo(ctx.now, 30)} or revoked_at < ${daysAgo(ctx.now, 30)} limit ${batch}))`,
  );

/** Exports and imports of a day count until its end. */
export const forgetBudgets = (ctx: JobContext) =>
  deleteInBatches(
    ctx,
    sql`delete from budgets where ctid = any(array(
          select ctid from budgets where day < (${daysAgo(ctx.now, 1)}::timestamptz at time zone 'UTC')::date limit ${batch}))`,
  );

/** Requests of a minute count until its end. */
export const forgetRateCounts = (ctx: JobContext) =>
  deleteInBatches(
    ctx,
    sql`delete from rate_counts where ctid = any(array(
          select ctid from rate_counts where slot < ${ctx.now.subtract({ minutes: 10 }).toString()}::timestamptz limit ${batch}))`,
  );

/** Networks and browsers without a sign-in for the respective retention time. */
export const forgetKnownOrigins = (ctx: JobContext) =>
  deleteInBatches(
    ctx,
    sql`delete from known_origins where ctid = any(array(
          select ctid from known_origins
          where last_at < ${daysAgo(ctx.now, knownDays.device)}
             or (kind = 'network' and last_at < ${daysAgo(ctx.now, knownDays.network)}) limit ${batch}))`,
  );

/** Notifications read a year ago are deleted with their mail log. */
export const forgetReadNotifications = (ctx: JobContext) =>
  deleteInBatches(
    ctx,
    sql`delete from notifications where id = any(array(
          select id from notifications where read_at < ${daysAgo(ctx.now, 365)} limit ${batch}))`,
  );
