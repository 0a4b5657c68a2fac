import { text } from '@tenure/contract';
import * as z from 'zod';
import { issueOwnLink } from '../../access/account-links.ts';
import { consumeRequest } from '../../access/login-limits.ts';
import { findResetAccount } from '../../access/requested-resets.ts';
import type { ResetAccount } from '../../access/requested-resets.ts';
import { record } from '../../audit.ts';
import { sha256Hex } from '../../crypto/crypto.ts';
import type { Db } from '../../db/connect.ts';
import type { GuestCtx } from '../../http/context.ts';
import { notFound, tooMany } from '../../http/errors.ts';
import { addJob } from '../../jobs/queue.ts';
import { inJobTransaction } from '../../jobs/task.ts';
import type { JobContext } from '../../jobs/task.ts';
import { notifyResetRequested } from '../../notifications/account.ts';

/** The job that checks a request. */
export const requestTask = 'send_requested_reset';
/** How many minutes a requested link is valid. */
const validMinutes = 30;
/** Requests per client address and hour. */
export const requestsPerAddress = 20;

/** Throws 404 where people cannot request links themselves. */
export async function requireRequests({ deps }: Pick<GuestCtx, 'deps'>): Promise<void> {
  if (!deps.config.PASSWORD_RESET_BY_MAIL) throw notFound();
}

/**
 * Accepts a request for a password link. A job checks it after the response, so that neither the response nor its
 * timing reveals whether the account exists. Throws 429 beyond the limit of the client's address.
 */
export async function requestReset({ db, request }: GuestCtx, email: string) {
  const { id, ip } = request;
  const wait = await consumeRequest(db, ip, requestsPerAddress);
  if (wait !== undefined) throw tooMany(wait, requestsPerAddress);
  await addJob(
    db,
    requestTask,
    { email, request_id: id, ip },
    { key: `${requestTask} ${sha256Hex(email)}`, maxAttempts: 5 },
  );
  return { message: text('account.reset_requested') };
}

const Payload = z.object({ email: z.string(), request_id: z.string(), ip: z.string() });
type Origin = { id: string; ip: string };

async function sendLink(db: Db, { id, email, name, entity_id }: ResetAccount, request: Origin): Promise<void> {
  const link = await issueOwnLink(db, {
    user_id: id,
    purpose: 'requested_reset',
    email,
    by: null,
    minutes: validMinutes,
  });
  await record(
    { db, actor: null, request },
    { action: 'account.password_link_requested', subject_id: id, subject_label: name, entity_id },
  );
  await notifyResetRequested(db, { user_id: id, address: email, link });
}

/** Sends the requested link if the account can have one. The log records the outcome of the request. */
export async function sendRequestedReset({ deps }: JobContext, payload: unknown): Promise<void> {
  const { email, request_id, ip } = Payload.parse(payload);
  if (!deps.config.PASSWORD_RESET_BY_MAIL) return;
  const account = await inJobTransaction(deps.db, async (db) => {
    const found = await findResetAccount(db, email);
    if (found && !found.refusal) await sendLink(db, found, { id: request_id, ip });
    return found;
  });
  const who = account ? { user_id: account.id } : { email_hash: sha256Hex(email).slice(0, 16) };
  const outcome = account ? (account.refusal ?? 'sent') : 'unknown';
  deps.log.info(
    { event: 'password_reset_requested', request_id, ip, outcome, ...who },
    'a link to a new password was asked for',
  );
}
