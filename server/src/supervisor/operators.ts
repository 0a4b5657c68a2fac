import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Health } from '../http/health.ts';
import type { JoinedMetrics } from './joined-metrics.ts';
import { isFailing } from './slots.ts';
import type { Context, Slot } from './slots.ts';

type Listener = { close: () => Promise<void> };
type Answer = { status: number; headers: Record<string, string>; body: string };

const answerMilliseconds = 1_000;
const requestTimeout = 10_000;
const noStore = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

const json = (status: number, body: unknown): Answer => ({
  status,
  headers: {
    ...noStore,
    'content-type': 'application/json; charset=utf-8',
    ...(status === 503 && { 'retry-after': '5' }),
  },
  body: JSON.stringify(body),
});

const unavailable = (failed: string) => ({ status: 503, body: { message: 'Service Unavailable', failed: [failed] } });

/** Ready while at least one web process is; otherwise the answer of one of them, or that none of them serves. */
async function readiness({ log, isLeaving, stopping }: Context, slots: readonly Slot[]) {
  if (isLeaving() || stopping.aborted) return unavailable('stopping');
  const web = slots.filter(({ role }) => role === 'api');
  const asked = isFailing(slots) ? [] : web.flatMap(({ current }) => current?.ask('health', answerMilliseconds) ?? []);
  const answers = (await Promise.all(asked)).filter((answer): answer is Health => answer !== undefined);
  const best = answers.find(({ status }) => status === 200) ?? answers[0];
  if (best) return best;
  log.warn({ event: 'not_ready', failed: ['processes'] }, 'the service is not ready');
  return unavailable('processes');
}

/** The operators' listener: `/metrics` of all processes, `/livez`, `/readyz`. None of it needs a session. */
export async function listenForOperators(
  context: Context,
  slots: readonly Slot[],
  { host, port, metrics }: { host: string; port: number; metrics: JoinedMetrics },
): Promise<Listener> {
  async function answer({ method, url = '' }: IncomingMessage): Promise<Answer> {
    const path = url.split('?', 1)[0];
    const isKnown = path === '/livez' || path === '/readyz' || path === '/metrics';
    if (!isKnown || (method !== 'GET' && method !== 'HEAD')) return json(404, { message: 'Not found.' });
    if (path === '/livez') return json(200, { message: 'OK' });
    if (path === '/readyz') {
      const { status, body } = await readiness(context, slots);
      return json(status, body);
    }
    const headers = { 'cache-control': 'no-store', 'content-type': metrics.contentType };
    return { status: 200, headers, body: await metrics.text() };
  }

  function send(response: ServerResponse, { status, headers, body }: Answer) {
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
  }

  const server = createServer({ requestTimeout }, (request, response) => {
    request.resume();
    answer(request).then(
      (said) => send(response, said),
      (error: unknown) => {
        context.log.error({ event: 'server_error', err: error }, 'unexpected error');
        send(response, json(500, { message: 'Server Error' }));
      },
    );
  });
  server.listen({ host, port });
  await once(server, 'listening');
  return {
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
