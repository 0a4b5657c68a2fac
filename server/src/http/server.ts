import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';
import { observe } from './access-log.ts';
import type { Binding, Deps } from './context.ts';
import { bindDocs } from './docs.ts';
import { drainBody } from './drain.ts';
import { fromDatabase, notFound, tooMany } from './errors.ts';
import { setHeaders } from './headers.ts';
import { bindHealth, readiness } from './health.ts';
import { budgets, rateLimit } from './limits.ts';
import type { Limits } from './limits.ts';
import { makeListener, methods } from './listener.ts';
import { originClassifier } from './origin.ts';
import { bindPages } from './pages.ts';
import { answer } from './pipeline.ts';
import { placeFinder } from './places.ts';
import { bindReading } from './reading.ts';
import { readingOf } from './replay.ts';
import { sendRefusal, toRefusal } from './reply.ts';
import { bindSecurityText } from './security-txt.ts';
import { replyWriter } from './serialise.ts';
import type { Route, PathBindings } from './route.ts';

const day = 86_400;
const primesPerMinute = 1_200;

const allowed = (route: ReadonlyMap<string, Route>) =>
  methods.filter((method) => route.has(method === 'HEAD' ? 'GET' : method === 'PATCH' ? 'PUT' : method)).join(', ');

function byPath(bindings: readonly Binding[]): PathBindings[] {
  const paths = new Map<string, Map<string, Route>>();
  for (const binding of bindings) {
    const { path, method, permission } = binding.endpoint;
    if (!permission) throw new Error(`${method} ${path} declares no permission`);
    const route = paths.get(path) ?? new Map<string, Route>();
    if (route.has(method)) throw new Error(`${method} ${path} is route twice`);
    route.set(method, { ...binding, write: replyWriter(binding.endpoint) });
    paths.set(path, route);
  }
  const all = [...paths.values()].flatMap((route) => [...route.values()]);
  for (const route of all) route.reading = readingOf(route, all);
  return [...paths].map(([path, byMethod]) => {
    const words = new Set([...byMethod.values()].flatMap(({ endpoint }) => Object.keys(endpoint.words ?? {})));
    return { path, byMethod, allow: allowed(byMethod), words };
  });
}

/** Finds where a request goes, for all that happens to it from here on. */
function findPlaces(app: FastifyInstance, bindings: readonly Binding[]) {
  const find = placeFinder(byPath(bindings));
  app.decorateRequest('place', null);
  app.addHook('onRequest', (request, _reply, done) => {
    request.place = find(request);
    done();
  });
}

function answerPlaces(app: FastifyInstance, deps: Deps) {
  const originOf = originClassifier(deps.config);
  const limits: Limits = {
    general: rateLimit(deps.config.RATE_LIMIT_PER_MINUTE),
    export: rateLimit(budgets.export, day),
    import: rateLimit(budgets.import, day),
    lookup: rateLimit(budgets.lookup),
  };
  // everything happens before Fastify would look for a route or read a body
  app.addHook('onRequest', async (request, reply) => {
    const { place } = request;
    if (!place) return;
    await answer({ deps, limits, place, origin: originOf(request.headers) }, request, reply);
    return reply;
  });
}

/** The address browsers ask for a CSRF cookie; it needs no database. */
function bindCsrfCookie(app: FastifyInstance, { sessionCookies }: Deps) {
  const limit = rateLimit(primesPerMinute);
  bindReading(app, '/sanctum/csrf-cookie', (request, reply) => {
    const { remaining, seconds } = limit.take(request.ip);
    if (remaining < 0) return sendRefusal(tooMany(seconds, limit.limit), reply);
    for (const line of sessionCookies.primeCookies(request.headers)) reply.header('set-cookie', line);
    return reply.code(204).send();
  });
}

/** What hooks and Fastify itself throw, in the same words as everything else. */
function renderStrays(app: FastifyInstance) {
  app.setErrorHandler((error, request, reply) => sendRefusal(toRefusal(fromDatabase(error), request), reply));
  app.setNotFoundHandler((_request, reply) => sendRefusal(notFound(), reply));
}

/** Builds the HTTP server: plumbing, every bound endpoint, health, documentation, the browser application. */
export async function buildServer(
  deps: Deps,
  bindings: readonly Binding[],
  webFolder?: URL | string,
): Promise<FastifyInstance> {
  const app = makeListener(deps);
  observe(app, deps.metrics);
  findPlaces(app, bindings);
  setHeaders(app, deps.config);
  renderStrays(app);
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (drainBody(request.raw, reply.getHeader('connection') === 'close')) reply.header('connection', 'close');
    done();
  });
  // open streams would keep the listener from closing
  app.addHook('preClose', () => deps.live.stop());
  await app.register(compress, { threshold: 1_024, encodings: ['br', 'gzip'] });
  answerPlaces(app, deps);
  bindCsrfCookie(app, deps);
  bindHealth(app, readiness(deps));
  bindSecurityText(app, deps.config);
  if (deps.config.DOCS) bindDocs(app, deps.config, bindings);
  await bindPages(app, webFolder);
  return app;
}
