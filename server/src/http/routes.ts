import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Body } from './body.ts';
import { noBody } from './body.ts';
import {
  authorise,
  checkOrigin,
  contextOf,
  targetRoute,
  openContext,
  requireDiskSpace,
  requireSession,
  takesDiskSpace,
} from './checks.ts';
import type { Address } from './checks.ts';
import type { Binding, Route } from './context.ts';
import type { HttpError } from './errors.ts';
import { execute } from './execute.ts';
import { withoutPrefix } from './paths.ts';
import { recordReadOf } from './replay.ts';
import { sendResult } from './reply.ts';
import type { Result } from './request-context.ts';
import { answerProbe } from './stream-probe.ts';

/** The HTTP methods that call a declared method. */
const verbs = { GET: ['GET', 'HEAD'], POST: ['POST'], PUT: ['PUT', 'PATCH'], DELETE: ['DELETE'] } as const;
/** What a POST may mean, its own endpoint first. */
const posted = ['POST', 'PUT', 'DELETE'] as const;

/** The addresses of a path; signing in and out also without the prefix, where GET is the application's page. */
const addressesOf = (path: string) => (withoutPrefix.has(path) ? [`/api${path}`, path] : [`/api${path}`]);

const id = '[1-9]\\d{0,15}';

/** The router's pattern of an address: a numeric id must be a number from 1 on. */
function patternOf(address: string, atPath: readonly Route[]): string {
  const words = new Set(atPath.flatMap(({ endpoint }) => Object.keys({ ...endpoint.words, ...endpoint.texts })));
  return address.replaceAll(/:(\w+)/g, (parameter, name: string) =>
    words.has(name) ? parameter : `${parameter}(^${id}$)`,
  );
}

function toRoutes(bindings: readonly Binding[]): Route[] {
  const routes: Route[] = bindings.map((binding) => ({ ...binding }));
  for (const route of routes) {
    const { path, method, permission } = route.endpoint;
    if (!permission) throw new Error(`${method} ${path} declares no permission`);
    route.recordRead = recordReadOf(route, routes);
  }
  return routes;
}

/** Runs the endpoint that the request means and sends its result. */
const answerWith = (routes: readonly Route[]) => async (request: FastifyRequest, reply: FastifyReply) => {
  const context = contextOf(request);
  const body = (request.body ?? noBody) as Body | HttpError;
  if (body instanceof Error) throw body;
  const { params, query, deps } = context;
  let result: Result;
  try {
    const route = targetRoute(context, routes, body.input);
    result = await execute({ context, reply, route, params, query, body });
  } finally {
    if (body.file) await deps.files.discard(body.file);
  }
  return sendResult(context, result, reply);
};

/** The checks of an address in order; a new check is a hook at its place. */
const checksOf = (address: Address) => [
  openContext(address),
  ...(address.routes.some(({ endpoint }) => endpoint.stream) ? [answerProbe] : []),
  checkOrigin,
  requireSession,
  authorise,
  ...(address.routes.some(takesDiskSpace) ? [requireDiskSpace] : []),
];

/**
 * A POST that only its `_method` explains gets its own route if its path has no endpoint for POST. Requests find it
 * because they all have this constraint; the lookup of an address's methods has none, and skips it.
 */
const ofRequests = 'ofRequests';
const addFallbacks = (app: FastifyInstance) =>
  app.addConstraintStrategy({
    name: ofRequests,
    storage: () => new Map() as never,
    validate: () => undefined,
    deriveConstraint: () => true,
  });

/** Registers each endpoint as a Fastify route. */
export function bindEndpoints(
  app: FastifyInstance,
  bindings: readonly Binding[],
  shared: Omit<Address, 'address' | 'path' | 'routes'>,
): void {
  app.decorateRequest('context', null);
  addFallbacks(app);
  for (const [path, atPath] of Map.groupBy(toRoutes(bindings), ({ endpoint }) => endpoint.path))
    for (const address of addressesOf(path)) {
      const url = patternOf(address, atPath);
      const upload = atPath.find(({ endpoint }) => endpoint.method === 'POST')?.endpoint.upload;
      const add = (method: readonly HTTPMethods[], routes: readonly Route[], constraints = {}) =>
        app.route({
          method: [...method],
          url,
          constraints,
          config: { address, upload },
          onRequest: checksOf({ ...shared, address, path, routes }),
          handler: answerWith(routes),
        });
      const mayPost = posted.flatMap((method) => atPath.filter(({ endpoint }) => endpoint.method === method));
      for (const route of atPath)
        add(verbs[route.endpoint.method], route.endpoint.method === 'POST' ? mayPost : [route]);
      if (mayPost.length > 0 && mayPost[0]?.endpoint.method !== 'POST') add(['POST'], mayPost, { [ofRequests]: true });
    }
}
