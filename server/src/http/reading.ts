import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { methodNotAllowed } from './errors.ts';
import { sendRefusal } from './reply.ts';

const allow = 'GET, HEAD';

/** The answer to a verb that an address which is only read does not know; undefined for the two it does. */
export function refuseWriting(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send();
  return sendRefusal(methodNotAllowed(allow), reply);
}

/** Binds an address that is only read. */
export function bindReading(
  app: FastifyInstance,
  url: string,
  answer: (request: FastifyRequest, reply: FastifyReply) => unknown,
) {
  app.route({
    method: app.supportedMethods,
    url,
    // before Fastify would look at a body
    onRequest: async (request, reply) => {
      if (!refuseWriting(request, reply)) await answer(request, reply);
      return reply;
    },
    handler: () => undefined,
  });
}
