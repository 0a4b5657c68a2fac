import type { FastifyRequest } from 'fastify';
import { languageOf } from '../languages/accept.ts';
import type { RequestInfo } from './context.ts';

/** What handlers may know about the connection; forwarded addresses count only from trusted proxies. */
export const requestInfo = (request: FastifyRequest): RequestInfo => ({
  id: request.id,
  ip: request.ip,
  user_agent: request.headers['user-agent'] ?? '',
  url: request.raw.url ?? '',
  language: languageOf(request.headers['accept-language']),
});
