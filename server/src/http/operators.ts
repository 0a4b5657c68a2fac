import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import type { Deps } from './context.ts';
import { bindHealth, readiness } from './health.ts';
import { answerUnknown } from './not-found.ts';
import { sendError } from './reply.ts';

/** The operators' listener: `/metrics`, and the two health checks as well. None of it needs a session. */
export async function listenForOperators(deps: Deps): Promise<FastifyInstance> {
  const { METRICS_HOST: host, METRICS_PORT: port } = deps.config;
  const app = Fastify({ requestTimeout: 10_000 });
  app.setErrorHandler(sendError);
  answerUnknown(app);
  bindHealth(app, readiness(deps));
  app.route({
    method: ['GET', 'HEAD'],
    url: '/metrics',
    handler: async (_request, reply) =>
      reply
        .headers({ 'cache-control': 'no-store', 'content-type': deps.metrics.contentType })
        .send(await deps.metrics.text()),
  });
  await app.listen({ host, port });
  return app;
}
