import { sql } from 'kysely';
import type { FastifyInstance } from 'fastify';
import { canRun } from '../db/check-schema.ts';
import { listMigrations } from '../db/migration-files.ts';
import type { Deps } from './context.ts';
import { dataHeaders } from './headers.ts';
import { json } from './reply.ts';

type Check = 'stopping' | 'database' | 'migrations' | 'clock' | 'disk' | 'jobs';
export type Health = { status: 200 | 503; body: { message: string; failed?: Check[] } };

const maxSkewSeconds = 60;
const keptMilliseconds = 1_000;

const stopping: Health = { status: 503, body: { message: 'Service Unavailable', failed: ['stopping'] } };
export const alive: Health = { status: 200, body: { message: 'OK' } };

type DatabaseState = { now: number; applied: string[]; late: boolean };

/** What the database reports about itself, its schema and its queue: a job that has waited for ten minutes is late. */
async function askDatabase({ db }: Deps): Promise<DatabaseState | undefined> {
  const query = sql<DatabaseState>`
    select extract(epoch from now())::float8 as now, array(select name from schema_migrations) as applied,
           exists (select from graphile_worker.jobs
                   where locked_at is null and attempts < max_attempts and run_at < now() - interval '10 minutes') as late`;
  return query.execute(db).then(
    ({ rows }) => rows[0],
    () => undefined,
  );
}

async function failures(deps: Deps): Promise<Check[]> {
  const [state, own, isLow] = await Promise.all([askDatabase(deps), listMigrations(), deps.disk.isLow()]);
  const failed: [Check, boolean][] = [
    ['database', !state],
    ['migrations', state !== undefined && !canRun(state.applied, own)],
    ['clock', state !== undefined && Math.abs(state.now - Date.now() / 1_000) > maxSkewSeconds],
    ['disk', isLow],
    ['jobs', state?.late ?? false],
  ];
  return failed.filter(([, isFailed]) => isFailed).map(([name]) => name);
}

/** Whether the service can do its work. Balancers ask often, so one result serves for a second. */
export function readiness(deps: Deps): () => Promise<Health> {
  let looked = -Infinity;
  let last: Promise<Health> = Promise.resolve(alive);
  const look = async (): Promise<Health> => {
    const failed = await failures(deps);
    if (failed.length === 0) return alive;
    deps.log.warn({ event: 'not_ready', failed }, 'the service is not ready');
    return { status: 503, body: { message: 'Service Unavailable', failed } };
  };
  return () => {
    if (deps.stopping.aborted) return Promise.resolve(stopping);
    if (performance.now() - looked > keptMilliseconds) {
      looked = performance.now();
      last = look();
    }
    return last;
  };
}

/** `/livez`: the event loop responds. `/readyz`: everything the service needs is available. */
export function bindHealth(app: FastifyInstance, isReady: () => Promise<Health>) {
  const checks = { '/livez': () => Promise.resolve(alive), '/readyz': isReady };
  for (const [url, check] of Object.entries(checks))
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (_request, reply) => {
        const { status, body } = await check();
        if (status === 503) reply.header('retry-after', '5');
        return reply.code(status).headers(dataHeaders).header('content-type', json).send(JSON.stringify(body));
      },
    });
}
