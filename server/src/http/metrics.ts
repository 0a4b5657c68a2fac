import type { Pool } from 'pg';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { HashPool } from '../crypto/hash-pool.ts';
import type { FileStore } from '../files/store.ts';

export type Observation = { method: string; route: string; status: number; seconds: number };

export type Metrics = {
  observe: (answer: Observation) => void;
  /** Everything in the text format of Prometheus. */
  text: () => Promise<string>;
  contentType: string;
};

type Gauges = Record<string, [help: string, read: () => number]>;

function watch(registry: Registry, gauges: Gauges) {
  for (const [name, [help, read]] of Object.entries(gauges)) {
    const gauge: Gauge = new Gauge({ name, help, registers: [], collect: () => gauge.set(read()) });
    registry.registerMetric(gauge);
  }
}

type Watched = {
  pool: Pool;
  hashing: HashPool;
  files: Pick<FileStore, 'isAway'>;
  /** Also memory, garbage collection and event loop; their observers live as long as the process. */
  ofProcess: boolean;
};

/** When the last backup, verification and drill succeeded; absent before the first, and while the database is away. */
function watchBackups(registry: Registry, pool: Pool) {
  const gauges = {
    tenure_backup_last_success_timestamp_seconds: ['backup', 'When the last backup was made'],
    tenure_backup_verified_timestamp_seconds: ['verification', 'When a backup was last verified'],
    tenure_backup_drill_timestamp_seconds: ['drill', 'When a backup was last restored on trial'],
  } as const;
  for (const [name, [kind, help]] of Object.entries(gauges)) {
    const gauge: Gauge<string> = new Gauge({
      name,
      help,
      registers: [registry],
      labelNames: [],
      collect: async () => {
        const at = await lastSuccess(pool, kind).catch(() => undefined);
        gauge.remove();
        if (at) gauge.set(at);
      },
    });
  }
}

/** Processes that are there, by role and release: during an upgrade of two releases. */
function watchProcesses(registry: Registry, pool: Pool) {
  const gauge: Gauge<'role' | 'release'> = new Gauge({
    name: 'tenure_processes',
    help: 'Processes on this database',
    registers: [registry],
    labelNames: ['role', 'release'],
    collect: async () => {
      const found = await livingProcesses(pool).catch(() => []);
      gauge.reset();
      for (const { role, release, count } of found) gauge.set({ role, release }, count);
    },
  });
}

async function livingProcesses(pool: Pool) {
  const { rows } = await pool.query<{ role: string; release: string; count: number }>(
    `select role, release, count(*)::int as count from processes
     where last_seen_at > now() - interval '1 minute' group by role, release`,
  );
  return rows;
}

async function lastSuccess(pool: Pool, kind: string): Promise<number | undefined> {
  const { rows } = await pool.query<{ at: number | null }>(
    `select extract(epoch from finished_at)::float8 as at from backups
     where kind = $1 and status = 'done' order by finished_at desc limit 1`,
    [kind],
  );
  return rows[0]?.at ?? undefined;
}

/** Counts of this process. Labels are route patterns and numbers, never anything about a person. */
export function openMetrics({ pool, hashing, files, ofProcess }: Watched): Metrics {
  const registry = new Registry();
  if (ofProcess) collectDefaultMetrics({ register: registry });
  const labelNames = ['method', 'route', 'status'] as const;
  const requests = new Counter({ name: 'http_requests_total', help: 'Answers', labelNames, registers: [registry] });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  watch(registry, {
    hash_queue_waiting: ['Passwords that wait for a thread', () => hashing.stats().waiting],
    hash_queue_running: ['Passwords being hashed', () => hashing.stats().running],
    hash_queue_refused: ['Passwords refused because the queue was full', () => hashing.stats().refused],
    tenure_storage_up: ['Whether files can be stored and read: 1 or 0', () => (files.isAway() ? 0 : 1)],
    database_connections: ['Open connections of the pool', () => pool.totalCount],
    database_connections_idle: ['Connections of the pool that nobody uses', () => pool.idleCount],
    database_connections_waiting: ['Requests that wait for a connection', () => pool.waitingCount],
  });
  watchBackups(registry, pool);
  watchProcesses(registry, pool);
  return {
    observe: ({ method, route, status, seconds }) => {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
