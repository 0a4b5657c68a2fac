import type { onRequestAsyncHookHandler } from 'fastify';
import type { OutgoingHttpHeaders } from 'node:http';
import { isProbe } from '../crypto/probe.ts';
import { contextOf } from './checks.ts';
import { startEventStream, streamHeaders } from './event-stream.ts';

/** The header of the doctor's request. */
export const probeHeader = 'x-tenure-probe';
export const probeEvent = 'probe';
const lastEvent = 'over';

/** A proxy that buffers an answer until its end passes it on only then, after the doctor has given up. */
const openMilliseconds = 5_000;

/** Answers the doctor at the address of open pages, because proxies may be configured not to buffer that one. */
export const answerProbe: onRequestAsyncHookHandler = async (request, reply) => {
  const { ring } = contextOf(request).deps;
  if (request.method !== 'GET' || !isProbe(ring, request.headers[probeHeader], Date.now())) return undefined;
  reply.headers(streamHeaders).hijack();
  reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
  const stream = startEventStream(reply.raw, undefined);
  const over = setTimeout(() => stream.end({ event: lastEvent, data: null }), openMilliseconds);
  stream.onClose(() => clearTimeout(over));
  stream.send({ event: probeEvent, data: null });
  return reply;
};
