import type { FastifyReply } from 'fastify';
import type { FileReply } from './context.ts';
import { HttpError } from './errors.ts';
import type { RateLimit } from './limits.ts';
import type { Visit } from './pipeline.ts';
import type { Result } from './work.ts';

const json = 'application/json; charset=utf-8';

function setCookies(visit: Visit, status: number, reply: FastifyReply) {
  if (!visit.mayCookie || status === 419 || status < 200 || status > 429) return;
  const { deps, presented, request, cookies } = visit;
  const { headers } = request.raw;
  const { live } = presented;
  const lines = cookies ?? (live ? deps.gate.liveCookies(headers, { ...presented, live }) : deps.gate.guestCookies(headers));
  for (const line of lines) reply.header('set-cookie', line);
}

function setLimitHeaders(visit: Visit, limit: RateLimit, reply: FastifyReply) {
  if (visit.remaining === null) return;
  reply.header('x-ratelimit-limit', limit.limit).header('x-ratelimit-remaining', visit.remaining);
}

/** A name for old readers in ASCII, and the exact one for all others. */
export function dispositionOf(name: string): string {
  const fallback = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(name).replaceAll(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${fallback}"; filename*=UTF-8''${exact}`;
}

async function sendFile(file: FileReply, reply: FastifyReply) {
  reply
    .code(200)
    .header('content-type', file.mime_type)
    .header('content-disposition', dispositionOf(file.name))
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('x-no-compression', '1');
  if (file.size !== undefined) reply.header('content-length', file.size);
  if (reply.request.method === 'HEAD') {
    file.stream.destroy();
    return reply.send();
  }
  return reply.send(file.stream);
}

/** Sends what the work came to. */
export async function sendResult(visit: Visit, limit: RateLimit, result: Result, reply: FastifyReply) {
  setCookies(visit, result.status, reply);
  setLimitHeaders(visit, limit, reply);
  if (result.replayed) reply.header('idempotent-replayed', 'true');
  if (result.file) return sendFile(result.file, reply);
  if (result.secret) reply.header('x-no-compression', '1');
  reply.code(result.status);
  return result.text === '' ? reply.send() : reply.header('content-type', json).send(result.text);
}

const expected = (error: unknown): error is HttpError => error instanceof HttpError;

/** Sends a refusal; what nobody foresaw becomes a 500 whose text is only in the log. */
export function sendError(visit: Visit, limit: RateLimit, error: unknown, reply: FastifyReply) {
  const { id, log } = visit.request;
  if (!expected(error)) log.error({ event: 'server_error', err: error }, 'unexpected fault');
  const refusal = expected(error) ? error : new HttpError(500, { message: 'Server Error', request_id: id });
  if (refusal.status >= 500 && expected(error)) log.warn({ event: 'unavailable', status: refusal.status }, refusal.message);
  setCookies(visit, refusal.status, reply);
  if (refusal.status !== 429) setLimitHeaders(visit, limit, reply);
  return reply.code(refusal.status).headers(refusal.headers).header('content-type', json).send(JSON.stringify(refusal.body));
}
