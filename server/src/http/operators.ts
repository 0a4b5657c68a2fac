import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import type { Deps } from './context.ts';
import { bindHealth, readiness } from './health.ts';
import { bindReading } from './reading.ts';

/** The listener of the operators: `/metrics`, and the two health checks once more. Nothing of it needs a session. */
export async function listenForOperators(deps: Deps): Promise<FastifyInstance> {
  const { METRICS_HOST: host, METRICS_PORT: port } = deps.config;
  const app = Fastify({ requestTimeout: 10_000, exposeHeadRoutes: false });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ message: 'Not found.' }));
  bindHealth(app, readiness(deps));
  bindReading(app, '/metrics', async (_request, reply) =>
    reply
      .headers({ 'cache-control': 'no-store', 'content-type': deps.metrics.contentType })
      .send(await deps.metrics.text()),
  );
  await app.listen({ host, port });
  return app;
}
