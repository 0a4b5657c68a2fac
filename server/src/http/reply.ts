import { Refusal, text as textOf } from '@tenure/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OutgoingHttpHeaders } from 'node:http';
import { languageOf } from '../languages/accept.ts';
import { renderText } from '../languages/answer.ts';
import { rendererOf } from '../languages/render-answer.ts';
import type { FileCache, FileReply } from './context.ts';
import { fromDatabase, HttpError } from './errors.ts';
import { startEventStream, streamHeaders } from './event-stream.ts';
import type { StreamReply } from './event-stream.ts';
import { logRefusal, logUnknownOutcome } from './events.ts';
import type { Result, RequestContext } from './request-context.ts';

export const json = 'application/json; charset=utf-8';

/** Answers that never carry cookies, although they are the caller's errors: size, method and token. */
const bare = new Set([405, 408, 413, 419]);

function setCookies({ deps, credentials, cookies, mayCookie }: RequestContext, reply: FastifyReply) {
  if (!mayCookie || reply.statusCode > 429 || bare.has(reply.statusCode)) return;
  reply.header('set-cookie', cookies ?? deps.sessionCookies.sameCookies(credentials));
}

/** Sets what all endpoint answers share: cookies, and the remaining requests. */
export function setContextHeaders(context: RequestContext, reply: FastifyReply) {
  setCookies(context, reply);
  const { remaining, limits } = context;
  if (remaining === null || reply.statusCode === 429) return;
  reply.header('x-ratelimit-limit', limits.general.limit).header('x-ratelimit-remaining', remaining);
}

/** A file name in ASCII for old clients, and the exact one for all others. */
export function dispositionOf(name: string): string {
  const fallback = name.replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_');
  const exact = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${fallback}"; filename*=UTF-8''${exact}`;
}

/** The compressor skips answers whose request carries this header. */
const leavePlain = ({ headers }: FastifyRequest) => {
  headers['x-no-compression'] = '1';
};

/** Lets browsers cache a file. Such an answer sets no cookies, because a cache would pass them to others. */
function letKeep({ etag, scope, isFinal }: FileCache, context: RequestContext, reply: FastifyReply) {
  context.mayCookie = false;
  reply.headers({ etag, 'cache-control': `${scope}, ${isFinal ? 'max-age=31536000, immutable' : 'no-cache'}` });
}

function sendFile(context: RequestContext, file: FileReply, reply: FastifyReply) {
  leavePlain(reply.request);
  if (file.cache) letKeep(file.cache, context, reply);
  if (file.cache && reply.request.headers['if-none-match'] === file.cache.etag) {
    file.stream.destroy();
    return reply.code(304).send();
  }
  reply.code(200).headers({
    'content-type': file.mime_type,
    'content-disposition': dispositionOf(file.name),
    'content-security-policy': "sandbox; default-src 'none'",
    ...(file.size !== undefined && { 'content-length': file.size }),
  });
  if (reply.request.method !== 'HEAD') return reply.send(file.stream);
  file.stream.destroy();
  return reply.send();
}

/** Starts an answer that continues; from here on it is written without Fastify. */
function sendStream(context: RequestContext, { begin }: StreamReply, reply: FastifyReply) {
  reply.code(200).headers(streamHeaders);
  if (reply.request.method === 'HEAD') return reply.send();
  setContextHeaders(context, reply);
  reply.hijack();
  reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
  begin(startEventStream(reply.raw, reply.request.headers['last-event-id']));
  return reply;
}

/** Sends JSON text, with messages in the language that the client prefers. */
function sendJson(text: string, reply: FastifyReply) {
  const language = languageOf(reply.request.headers['accept-language']);
  return reply.headers({ 'content-type': json, 'content-language': language }).send(text);
}

/** Sends the result of the work. */
export function sendResult(context: RequestContext, result: Result, reply: FastifyReply) {
  if (result.replayed) reply.header('idempotent-replayed', 'true');
  if (result.file) return sendFile(context, result.file, reply);
  if (result.stream) return sendStream(context, result.stream, reply);
  if (result.secret) leavePlain(reply.request);
  reply.code(result.status);
  return result.text === '' ? reply.send() : sendJson(result.text, reply);
}

const renderRefusal = rendererOf(Refusal);

/** Sends a refusal in the language that the client prefers. */
export function sendRefusal({ status, headers, body }: HttpError, reply: FastifyReply) {
  const language = languageOf(reply.request.headers['accept-language']);
  const rendered = renderRefusal?.(body, (text) => renderText(language, text));
  return sendJson(JSON.stringify(rendered), reply.code(status).headers(headers));
}

/** What the client sees of an error: a refusal as it is, or a fault whose text is only in the log. */
function toRefusal(error: unknown, { id, log }: FastifyRequest): HttpError {
  if (error instanceof HttpError) return error;
  log.error({ event: 'server_error', request_id: id, err: error }, 'unexpected error');
  return new HttpError(500, { message: textOf('general.server_error'), request_id: id });
}

/** Refuses a request with the answer for a thrown error. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = toRefusal(fromDatabase(error), request);
  if (request.context) logRefusal(request.context, refusal);
  if (request.context && refusal.body['outcome'] === 'unknown') logUnknownOutcome(request.context);
  sendRefusal(refusal, reply);
}
