import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { methodNotAllowed, notFound } from './errors.ts';

/** The methods that an address may support, in the order of `Allow`. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

type Options = {
  /** Whether the catch-all route serves something at this address. */
  hasPage?: (request: FastifyRequest) => boolean;
  /** The answer for an unknown address. */
  answer?: (request: FastifyRequest, reply: FastifyReply) => unknown;
};

const refuseAddress = () => {
  throw notFound();
};

/** Answers requests without a route: 404, or 405 with the methods of the address. */
export function answerUnknown(app: FastifyInstance, { hasPage = () => false, answer = refuseAddress }: Options = {}) {
  const allowOf = (request: FastifyRequest) =>
    methods
      .filter((method) => {
        const found = app.findRoute({ method, url: request.url }) as { params: Record<string, string> } | null;
        return found && (!('*' in found.params) || hasPage(request));
      })
      .join(', ');

  const refuse = (request: FastifyRequest, reply: FastifyReply) => {
    const allow = allowOf(request);
    // the address supports the method, so its own route found nothing
    if (allow === '' || allow.split(', ').includes(request.method)) return answer(request, reply);
    if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send();
    throw methodNotAllowed(allow);
  };
  app.setNotFoundHandler(refuse);
  // before Fastify would needlessly read a body
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) refuse(request, reply);
    else done();
  });
  return allowOf;
}
