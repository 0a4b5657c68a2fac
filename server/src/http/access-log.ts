import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { ofToken } from './events.ts';
import type { Metrics } from './metrics.ts';

const maxNames = 20;

/** Names of query parameters. A name that is not plain is left out, because it could be anything a user typed. */
function parameterNames({ url }: FastifyRequest): string[] {
  const start = url.indexOf('?');
  const names = start < 0 ? [] : [...new URLSearchParams(url.slice(start + 1)).keys()];
  return [...new Set(names)].filter((name) => /^[a-z_]{1,30}$/.test(name)).slice(0, maxNames);
}

function logRequest(request: FastifyRequest, reply: FastifyReply, route: string, elapsedTime: number) {
  request.log.info({
    event: 'request',
    request_id: request.id,
    actor_id: request.context?.actor?.user_id ?? null,
    ...ofToken(request.context?.actor),
    ip: request.ip,
    method: request.method,
    route,
    parameters: parameterNames(request),
    status: reply.statusCode,
    milliseconds: Math.round(elapsedTime * 10) / 10,
  });
}

/** The route pattern of a request, even one refused early; a single pattern for all that no route matches. */
const routeOf = ({ routeOptions: { config, url = '/*' } }: FastifyRequest) => config.address ?? url;

/** One log line and one count per answer: the address only as its pattern, parameters only by name. */
export function observe(app: FastifyInstance, metrics: Metrics) {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.context?.address ?? routeOf(request);
    const { elapsedTime } = reply;
    metrics.observe({ method: request.method, route, status: reply.statusCode, seconds: elapsedTime / 1_000 });
    if ((request.log as Logger).isLevelEnabled('info')) logRequest(request, reply, route, elapsedTime);
    done();
  });
}
