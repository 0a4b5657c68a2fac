import { text } from '@tenure/contract';
import type { Endpoint } from '@tenure/contract';
import type { FastifyRequest } from 'fastify';
import type { ControlledTransaction } from 'kysely';
import { setTimeout as wait } from 'node:timers/promises';
import type { Actor } from '../access/actor.ts';
import type { Db } from '../db/connect.ts';
import { rollBack } from '../db/roll-back.ts';
import type { DB } from '../db/schema.ts';
import { languageOf } from '../languages/accept.ts';
import { checkAgain } from './actors.ts';
import { FileReply } from './context.ts';
import type { Ctx, HandlerCtx, RequestInfo, TransactionHooks } from './context.ts';
import { StreamReply } from './event-stream.ts';
import { HttpError, isRetryable, notFound, tooMany, unavailable } from './errors.ts';
import {
  alreadyUsed,
  claimKey,
  claimKeyOrThrow,
  freeKey,
  idempotentRequest,
  KeyTaken,
  lookUpKey,
  storeAnswer,
} from './idempotency.ts';
import type { IdempotentRequest, Stored } from './idempotency.ts';
import { withLookUps } from './look-ups.ts';
import type { RefusedRequest } from './look-ups.ts';
import { refusalOf } from './permission.ts';
import { readAgain, sightHash, withoutRecord } from './replay.ts';
import type { Result, Execution } from './request-context.ts';
import { parseAll } from './sent.ts';
import { storedReply, renderedReply } from './serialise.ts';

const maxTries = 4;

async function consumeBudget({ context: { actor, limits }, route }: Execution, db: Db) {
  const { budget } = route.endpoint;
  if (!budget || !actor) return;
  const { remaining, seconds } =
    budget === 'lookup' ? limits.lookup.consume(actor.user_id) : await limits[budget].consume(db, actor.user_id);
  if (remaining < 0) throw tooMany(seconds, limits[budget].limit);
}

function refuseLiveValidation({ context: { request }, route }: Execution) {
  if (route.endpoint.method !== 'GET' && request.headers.precognition !== undefined)
    throw new HttpError(422, { message: text('general.no_live_validation'), errors: {} });
}

/** In the request's transaction, the key was already claimed. */
const claimed: Ctx['claimKey'] = async () => async () => undefined;

/** A word or text that the path does not accept is a row that does not exist. */
function refuseWords({ route, params }: Execution) {
  const { words = {}, texts = {} } = route.endpoint;
  for (const [name, known] of Object.entries(words)) if (!known.includes(String(params[name]))) throw notFound();
  for (const [name, pattern] of Object.entries(texts))
    if (!new RegExp(`^(?:${pattern})$`).test(String(params[name]))) throw notFound();
}

/** What handlers may know about the connection; forwarded addresses only count from trusted proxies. */
const requestInfo = ({ id, ip, headers, raw }: FastifyRequest): RequestInfo => ({
  id,
  ip,
  user_agent: headers['user-agent'] ?? '',
  url: raw.url ?? '',
  language: languageOf(headers['accept-language']),
  accept_language: headers['accept-language'],
});

/** For requests that only read. */
const noHooks: TransactionHooks = { afterCommit: () => undefined, claimKey: claimed };

function contextOf(execution: Execution, db: Db, hooks: TransactionHooks): Ctx {
  const { context, params } = execution;
  return {
    deps: context.deps,
    db,
    // public endpoints have no actor and never use it
    actor: context.actor,
    params,
    request: requestInfo(context.request),
    credentials: context.credentials,
    ...hooks,
    setCookies: (lines: string[]) => {
      context.cookies = lines;
    },
    checkAgain: () => checkAgain(execution),
  } as unknown as Ctx;
}

/** The row in a path that the caller may use, or 404 or 403. */
async function findAllowed(execution: Execution, ctx: Ctx): Promise<unknown> {
  refuseWords(execution);
  const { find, allow } = execution.route.handler;
  const found = await find?.(ctx);
  await allow?.(ctx, found);
  return found;
}

type Handled = { value: unknown; ctx: Ctx };

/** Runs the endpoint's checks and its work; `refusal` was found earlier, but the row and its rules come first. */
async function handle(execution: Execution, db: Db, hooks: TransactionHooks, refusal?: HttpError): Promise<Handled> {
  const { route } = execution;
  const ctx = contextOf(execution, db, hooks);
  const found = await findAllowed(execution, ctx);
  await consumeBudget(execution, db);
  if (refusal) throw refusal;
  refuseLiveValidation(execution);
  const parsed = parseAll(execution);
  const full = { ...ctx, ...parsed, file: execution.body.file } as unknown as HandlerCtx<Endpoint>;
  return { value: await route.handler.handle(full, found), ctx };
}

/** What is stored of an answer for repeats: which record it was, or all of it and what its sender could see. */
async function toStored(execution: Execution, ctx: Ctx, status: number, text: string): Promise<Stored> {
  const { route, params, context } = execution;
  const again = readAgain(route, params, text);
  if (again) return { status, text: withoutRecord(again.stored), sight: null };
  // as the row is after the work, which is what a repeat finds; it does not find a row that is gone
  const found = await route.handler.find?.(ctx).catch(() => undefined);
  return { status, text, sight: context.actor && sightHash(context.actor, found) };
}

/** The answer to a repeat: the refusal that applies now, or as much of the answer as its sender may see now. */
async function replay(
  execution: Execution,
  db: Db,
  hooks: TransactionHooks,
  { status, text, sight }: Stored,
): Promise<Result> {
  const { context, route } = execution;
  const actor = context.actor as Actor;
  const found = await findAllowed(execution, contextOf(execution, db, hooks));
  const again = readAgain(route, execution.params, text);
  if (again) {
    const refusal = refusalOf(actor, again.route.endpoint);
    if (refusal) throw refusal;
    const body = { ...execution.body, input: {}, file: null };
    const read = await handle({ ...execution, route: again.route, params: again.params, query: {}, body }, db, hooks);
    const { data } = read.value as { data: unknown };
    return { status, text: write(execution, { ...again.stored, data }), replayed: true };
  }
  if (text !== '' && sight !== sightHash(actor, found)) throw alreadyUsed();
  return { status, text: text === '' ? '' : write(execution, JSON.parse(text)), replayed: true };
}

type Fields = Record<string, unknown>;

/** Renders an answer as its endpoint declares it. */
function write({ reply, route: { endpoint } }: Execution, value: unknown): string {
  if (!endpoint.reply) return '';
  const language = languageOf(reply.request.headers['accept-language']);
  const rendered = renderedReply(endpoint.reply, value, language);
  return reply.serializeInput(rendered as Fields, endpoint.reply as unknown as Fields);
}

/** The same in the form stored for repeats. */
const storedText = ({ route: { endpoint } }: Execution, value: unknown) =>
  endpoint.reply ? storedReply(endpoint.reply, value) : '';

function toResult(execution: Execution, value: unknown): Result {
  const { endpoint } = execution.route;
  if (value instanceof FileReply) return { status: 200, text: '', file: value };
  if (value instanceof StreamReply) return { status: 200, text: '', stream: value };
  if (endpoint.status === 204) return { status: 204, text: '' };
  execution.context.deps.checkAnswer?.(endpoint, value);
  const { secret = false } = endpoint;
  const holdsSecret = typeof secret === 'string' ? secret in (value as object) : secret;
  return { status: endpoint.status, text: write(execution, value), secret: holdsSecret };
}

/** Stores an answer under its key, with its texts for readers of any language. */
async function storeResult(
  execution: Execution,
  ctx: Ctx,
  request: IdempotentRequest,
  { status, text, value }: Result & { value: unknown },
) {
  const stored = text === '' ? '' : storedText(execution, value);
  await storeAnswer(ctx.db, request, await toStored(execution, ctx, status, stored));
}

async function runOnce(execution: Execution, db: Db, hooks: TransactionHooks): Promise<Result> {
  const request = idempotentRequest(execution);
  const claim = request && (await claimKey(db, request));
  if (claim?.stored) return replay(execution, db, hooks, claim.stored);
  const { value, ctx } = await handle(execution, db, hooks, claim?.refusal);
  const result = toResult(execution, value);
  if (request && !result.secret) await storeResult(execution, ctx, request, { ...result, value });
  return result;
}

async function commit(transaction: ControlledTransaction<DB>) {
  try {
    await transaction.commit().execute();
  } catch (error) {
    // releases the connection, which a failed commit does not
    await rollBack(transaction);
    throw error;
  }
}

async function inTransaction(execution: Execution): Promise<Result> {
  const later: (() => void | Promise<void>)[] = [];
  const transaction = await execution.context.deps.db.startTransaction().execute();
  let result: Result;
  try {
    result = await runOnce(execution, transaction, { afterCommit: (task) => later.push(task), claimKey: claimed });
  } catch (error) {
    await rollBack(transaction);
    throw error;
  }
  await commit(transaction);
  for (const task of later) await task();
  return result;
}

async function withRetries(execution: Execution): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(execution);
    } catch (error) {
      // after a deadlock or a stale plan, the work is undone and can simply be repeated
      if (!isRetryable(error) || attempt >= maxTries) throw error;
      // two requests that collided must not retry at the same moment
      await wait(10 * attempt * (0.5 + (performance.now() % 1)));
    }
  }
}

/** The hook through which work in several transactions claims its key, and whether it did. */
function claiming(execution: Execution, request: IdempotentRequest | undefined) {
  const claim = { made: false };
  const claimKey: Ctx['claimKey'] = async (db) => {
    claim.made = true;
    if (request) await claimKeyOrThrow(db, request);
    return async (first) => {
      if (!request) return;
      const ctx = contextOf(execution, db, noHooks);
      const { status } = execution.route.endpoint;
      await storeAnswer(db, request, await toStored(execution, ctx, status, storedText(execution, first)));
    };
  };
  return { claim, claimKey };
}

/** Frees the key of refused work; work that failed may still continue as a job, whose answer a repeat wants. */
async function afterFailure(execution: Execution, request: IdempotentRequest, error: unknown): Promise<Result> {
  const { db } = execution.context.deps;
  if (error instanceof KeyTaken) {
    const { stored, refusal } = await lookUpKey(db, request);
    if (stored) return replay(execution, db, noHooks, stored);
    throw refusal ?? unavailable(1);
  }
  if (error instanceof HttpError && error.status < 500) await freeKey(db, request);
  throw error;
}

/** Execution in several transactions: repeats of a key are looked up first, and the work claims the key itself. */
async function inSeveralTransactions(execution: Execution, afterCommit: Ctx['afterCommit']): Promise<Result> {
  const { db } = execution.context.deps;
  const request = idempotentRequest(execution);
  const before = request && (await lookUpKey(db, request));
  if (before?.stored) return replay(execution, db, noHooks, before.stored);
  const { claim, claimKey } = claiming(execution, request);
  try {
    const { value, ctx } = await handle(execution, db, { afterCommit, claimKey }, before?.refusal);
    const result = toResult(execution, value);
    if (request && !claim.made) throw new Error(`${execution.route.endpoint.path} does not claim its key`);
    if (request && !result.secret) await storeResult(execution, ctx, request, { ...result, value });
    return result;
  } catch (error) {
    if (request && claim.made) return afterFailure(execution, request, error);
    throw error;
  }
}

/** Does the work of an endpoint: in one transaction if it changes data, retried after a deadlock. */
export async function execute(execution: Execution): Promise<Result> {
  const { endpoint, handler } = execution.route;
  if (endpoint.method === 'GET' || handler.withoutTransaction) {
    const later: (() => void | Promise<void>)[] = [];
    const result = await inSeveralTransactions(execution, (task) => later.push(task));
    for (const task of later) await task();
    return result;
  }
  const { context, params, body } = execution;
  return withRetries(execution).catch(async (error: unknown) => {
    const { lookUps } = handler;
    const { actor, deps } = context;
    const refused: RefusedRequest = { endpoint, lookUps, actor, id: params['id'], input: body.input, db: deps.db };
    throw await withLookUps(error, refused);
  });
}
