import type { Endpoint } from '@tenure/contract';
import type { ControlledTransaction } from 'kysely';
import { setTimeout as wait } from 'node:timers/promises';
import type { Actor } from '../access/actor.ts';
import type { Db } from '../db/connect.ts';
import type { DB } from '../db/schema.ts';
import { FileReply } from './context.ts';
import type { Ctx, HandlerCtx } from './context.ts';
import { StreamReply } from './event-stream.ts';
import { HttpError, isDatabaseAway, isRetryable, notFound, tooMany, unavailable } from './errors.ts';
import { alreadyUsed, claimKey, claimKeyOrThrow, freeKey, KeyTaken, lookUpKey, storeAnswer } from './idempotency.ts';
import type { IdempotentRequest, Stored } from './idempotency.ts';
import { withLookUps } from './look-ups.ts';
import { refusalOf } from './permission.ts';
import { readAgain, sightPrint, withoutRecord } from './replay.ts';
import type { Result, Work } from './request-context.ts';
import { parseAll } from './sent.ts';
import { assertDeclared } from './serialise.ts';

const maxTries = 4;

function spendBudget({ visit: { actor, limits }, bound }: Work) {
  const { budget } = bound.endpoint;
  if (!budget || !actor) return;
  const { remaining, seconds } = limits[budget].take(actor.user_id);
  if (remaining < 0) throw tooMany(seconds, limits[budget].limit);
}

function refuseLiveValidation({ visit: { request }, bound }: Work) {
  if (bound.endpoint.method !== 'GET' && request.headers.precognition !== undefined)
    throw new HttpError(422, { message: 'Live validation is not supported.', errors: {} });
}

/** In the request's transaction the key was claimed before. */
const claimed: Ctx['claimKey'] = async () => async () => undefined;

/** A word that the path does not know is a row that is not there. */
function refuseWords({ bound, params }: Work) {
  for (const [name, known] of Object.entries(bound.endpoint.words ?? {}))
    if (!known.includes(String(params[name]))) throw notFound();
}

type Hooks = Pick<Ctx, 'afterCommit' | 'claimKey'>;
/** For what only looks. */
const noHooks: Hooks = { afterCommit: () => undefined, claimKey: claimed };

function contextOf({ visit, params, info }: Work, db: Db, hooks: Hooks): Ctx {
  return {
    deps: visit.deps,
    db,
    // public endpoints have no actor and never look at it
    actor: visit.actor,
    params,
    request: info,
    presented: visit.presented,
    ...hooks,
    setCookies: (lines: string[]) => {
      visit.cookies = lines;
    },
  } as unknown as Ctx;
}

/** The row of a path that the caller may go on with, or 404 or 403. */
async function reach(work: Work, ctx: Ctx): Promise<unknown> {
  refuseWords(work);
  const { find, allow } = work.bound.handler;
  const found = await find?.(ctx);
  await allow?.(ctx, found);
  return found;
}

type Handled = { value: unknown; ctx: Ctx };

/** Runs the endpoint's checks and its work; `refusal` was found before and waits for the row and its rules. */
async function handle(work: Work, db: Db, hooks: Hooks, refusal?: HttpError): Promise<Handled> {
  const { bound } = work;
  const ctx = contextOf(work, db, hooks);
  const found = await reach(work, ctx);
  spendBudget(work);
  if (refusal) throw refusal;
  refuseLiveValidation(work);
  const parsed = parseAll(work);
  const full = { ...ctx, ...parsed, file: work.body.file } as unknown as HandlerCtx<Endpoint>;
  return { value: await bound.handler.handle(full, found), ctx };
}

/** What is kept of an answer for repeats: which record it was, or all of it and what its sender could see. */
async function toStored({ bound, params, visit }: Work, ctx: Ctx, { status, text }: Result): Promise<Stored> {
  const again = readAgain(bound, params, text);
  if (again) return { status, text: withoutRecord(again.told), sight: null };
  // as the row stands after the work, which a repeat finds; a row that is gone it does not find
  const found = await bound.handler.find?.(ctx).catch(() => undefined);
  return { status, text, sight: visit.actor && sightPrint(visit.actor, found) };
}

/** The answer of a repeat: what the request would be refused for now, or as much as its sender may see now. */
async function replay(work: Work, db: Db, hooks: Hooks, { status, text, sight }: Stored): Promise<Result> {
  const { visit, bound } = work;
  const actor = visit.actor as Actor;
  const found = await reach(work, contextOf(work, db, hooks));
  const again = readAgain(bound, work.params, text);
  if (again) {
    const refusal = refusalOf(actor, again.bound.endpoint);
    if (refusal) throw refusal;
    const body = { ...work.body, input: {}, file: null };
    const read = await handle({ ...work, bound: again.bound, params: again.params, query: {}, body }, db, hooks);
    const { data } = read.value as { data: unknown };
    return { status, text: bound.write({ ...again.told, data }), replayed: true };
  }
  if (text !== '' && sight !== sightPrint(actor, found)) throw alreadyUsed();
  return { status, text, replayed: true };
}

function toResult({ bound, visit }: Work, value: unknown): Result {
  const { endpoint } = bound;
  if (value instanceof FileReply) return { status: 200, text: '', file: value };
  if (value instanceof StreamReply) return { status: 200, text: '', stream: value };
  if (endpoint.status === 204) return { status: 204, text: '' };
  if (visit.deps.config.NODE_ENV === 'test') assertDeclared(endpoint, value);
  const { secret = false } = endpoint;
  const holdsSecret = typeof secret === 'string' ? secret in (value as object) : secret;
  return { status: endpoint.status, text: bound.write(value), secret: holdsSecret };
}

function idempotentRequest({ visit, bound, body }: Work): IdempotentRequest | undefined {
  const key = visit.request.headers['idempotency-key'];
  const { endpoint } = bound;
  if (key === undefined || endpoint.method !== 'POST' || !visit.actor || endpoint.path === '/logout') return undefined;
  const path = visit.request.url.split('?', 1)[0] ?? '';
  return { userId: visit.actor.user_id, key: String(key), method: endpoint.method, path, bodyHash: body.hash };
}

async function once(work: Work, db: Db, hooks: Hooks): Promise<Result> {
  const request = idempotentRequest(work);
  const claim = request && (await claimKey(db, request));
  if (claim?.stored) return replay(work, db, hooks, claim.stored);
  const { value, ctx } = await handle(work, db, hooks, claim?.refusal);
  const result = toResult(work, value);
  if (request && !result.secret) await storeAnswer(db, request, await toStored(work, ctx, result));
  return result;
}

async function commit(transaction: ControlledTransaction<DB>) {
  try {
    await transaction.commit().execute();
  } catch (error) {
    // gives the connection back, which a failed commit does not
    await transaction
      .rollback()
      .execute()
      .catch(() => undefined);
    if (isDatabaseAway(error)) throw unavailable(5, { outcome: 'unknown' });
    throw error;
  }
}

async function inTransaction(work: Work): Promise<Result> {
  const later: (() => void | Promise<void>)[] = [];
  const transaction = await work.visit.deps.db.startTransaction().execute();
  let result: Result;
  try {
    result = await once(work, transaction, { afterCommit: (task) => later.push(task), claimKey: claimed });
  } catch (error) {
    await transaction
      .rollback()
      .execute()
      .catch(() => undefined);
    throw error;
  }
  await commit(transaction);
  for (const task of later) await task();
  return result;
}

async function withRetries(work: Work): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(work);
    } catch (error) {
      // a deadlock is nobody's fault: the work was undone and may simply be done again
      if (!isRetryable(error) || attempt >= maxTries) throw error;
      await wait(10 * attempt * (0.5 + (work.visit.deps.config.NODE_ENV === 'test' ? 0.5 : performance.now() % 1)));
    }
  }
}

/** The hook with which work in several transactions claims its key, and whether it did. */
function claiming(work: Work, request: IdempotentRequest | undefined) {
  const claim = { made: false };
  const claimKey: Ctx['claimKey'] = async (db) => {
    claim.made = true;
    if (request) await claimKeyOrThrow(db, request);
    return async (first) => {
      if (!request) return;
      const { bound } = work;
      const result = { status: bound.endpoint.status, text: bound.write(first) };
      await storeAnswer(db, request, await toStored(work, contextOf(work, db, noHooks), result));
    };
  };
  return { claim, claimKey };
}

/** Frees the key of work that was refused; what broke may still go on as a job, whose answer a repeat wants. */
async function settleFailed(work: Work, request: IdempotentRequest, error: unknown): Promise<Result> {
  const { db } = work.visit.deps;
  if (error instanceof KeyTaken) {
    const { stored, refusal } = await lookUpKey(db, request);
    if (stored) return replay(work, db, noHooks, stored);
    throw refusal ?? unavailable(1);
  }
  if (error instanceof HttpError && error.status < 500) await freeKey(db, request);
  throw error;
}

/** Work in transactions of its own: repeats of one key are looked up before, and the work claims the key itself. */
async function inSeveralTransactions(work: Work, afterCommit: Ctx['afterCommit']): Promise<Result> {
  const { db } = work.visit.deps;
  const request = idempotentRequest(work);
  const before = request && (await lookUpKey(db, request));
  if (before?.stored) return replay(work, db, noHooks, before.stored);
  const { claim, claimKey } = claiming(work, request);
  try {
    const { value, ctx } = await handle(work, db, { afterCommit, claimKey }, before?.refusal);
    const result = toResult(work, value);
    if (request && !claim.made) throw new Error(`${work.bound.endpoint.path} does not claim its key`);
    if (request && !result.secret) await storeAnswer(db, request, await toStored(work, ctx, result));
    return result;
  } catch (error) {
    if (request && claim.made) return settleFailed(work, request, error);
    throw error;
  }
}

/** Does the work of an endpoint: one transaction where it changes data, retried when it lost a deadlock. */
export async function runWork(work: Work): Promise<Result> {
  const { endpoint, handler } = work.bound;
  if (endpoint.method === 'GET' || handler.withoutTransaction) {
    const later: (() => void | Promise<void>)[] = [];
    const result = await inSeveralTransactions(work, (task) => later.push(task));
    for (const task of later) await task();
    return result;
  }
  const { visit, params, body } = work;
  return withRetries(work).catch(async (error: unknown) => {
    const { lookUps } = handler;
    const { actor, deps } = visit;
    const sent = { endpoint, lookUps, actor, id: params['id'], input: body.input, db: deps.db };
    throw await withLookUps(error, sent);
  });
}
