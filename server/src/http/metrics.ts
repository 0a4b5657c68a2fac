import type { Pool } from 'pg';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { scheduledWork } from '../backup/schedule.ts';
import type { BackupSettings } from '../backup/schedule.ts';
import type { Spooling } from '../backup/points/spooling.ts';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { HashPool } from '../crypto/hash-pool.ts';
import type { Db } from '../db/connect.ts';
import type { FileStore } from '../files/store.ts';
import type { Live } from '../notifications/live.ts';
import { version } from '../releases/release.ts';
import { databaseGauges, keptFigures } from './database-figures.ts';

export type Observation = { method: string; route: string; status: number; seconds: number };

export type Metrics = {
  observe: (answer: Observation) => void;
  /** A commit got no answer, so its client does not know whether it succeeded. */
  unknownOutcome: () => void;
  /** The daily check of the audit log found this many faults. */
  auditChecked: (faults: number) => void;
  /** This many webhook deliveries succeeded and failed. */
  webhooksTried: (tries: { sent: number; failed: number }) => void;
  /** All metrics in Prometheus text format. */
  text: () => Promise<string>;
  /** The counts of this process. */
  ofProcess: () => Promise<Sampled[]>;
  /** The database's figures, which are the same in every process. */
  ofDatabase: () => Promise<Sampled[]>;
  contentType: string;
};

/** A metric with its samples, as one process sends it to another. */
export type Sampled = MetricObjectWithValues<MetricValue<string>>;

/** If the value is undefined, its metric has no sample. */
type Read = () => number | undefined | Promise<number | undefined>;
/** How to combine the values of several processes; by default their sum. */
type Joined = 'min' | 'max';
type Gauges = Record<string, [help: string, read: Read, joined?: Joined]>;

function watch(registry: Registry, gauges: Gauges) {
  for (const [name, [help, read, aggregator = 'sum']] of Object.entries(gauges)) {
    const collect = async () => {
      const value = await read();
      // a gauge without labels starts with a sample
      gauge.remove();
      if (value !== undefined) gauge.set(value);
    };
    const gauge: Gauge = new Gauge({ name, help, aggregator, registers: [], labelNames: [], collect });
    registry.registerMetric(gauge);
  }
}

type Watched = {
  /** Separate connections, so that reading figures never waits behind requests. */
  db: Db;
  pool: Pool;
  hashing: HashPool;
  files: Pick<FileStore, 'freeBytes' | 'isAway'>;
  live: Pick<Live, 'size' | 'isListening' | 'onSent'>;
  /** The sender of WAL to the backup archive, if enabled. */
  spooling?: Pick<Spooling, 'bytes' | 'gaps' | 'bases'> | undefined;
  /** Which backup work is scheduled. */
  config?: BackupSettings | undefined;
  /** Seconds after which an idle session expires. */
  idleSeconds: number;
  /** Milliseconds for which figures from the database are cached. */
  keptMilliseconds?: number;
  /** Includes memory, garbage collection and event loop, whose observers live as long as the process. */
  ofProcess: boolean;
};

const numberOf = (answer: boolean | undefined) => (answer === undefined ? undefined : Number(answer));

async function baseOf(spooling: Watched['spooling']): Promise<number | undefined> {
  const { made_at = null } = (await spooling?.bases()) ?? {};
  return made_at === null ? undefined : Date.parse(made_at) / 1_000;
}

function watchService(registry: Registry, { pool, hashing, files, live, spooling }: Watched) {
  watch(registry, {
    hash_queue_waiting: ['Passwords waiting for a thread', () => hashing.stats().waiting],
    hash_queue_running: ['Passwords being hashed', () => hashing.stats().running],
    hash_queue_refused: ['Passwords refused because the queue was full', () => hashing.stats().refused],
    database_connections: ['Open connections of the pool for requests', () => pool.totalCount],
    database_connections_idle: ['Idle connections of the pool for requests', () => pool.idleCount],
    database_connections_waiting: ['Requests waiting for a connection', () => pool.waitingCount],
    tenure_storage_up: ['Whether files can be stored and read: 1 or 0', () => (files.isAway() ? 0 : 1), 'min'],
    tenure_streams_open: ['Open pages that receive live updates', () => live.size()],
    tenure_listener_up: [
      'Whether notifications of the database arrive: 1 or 0',
      () => numberOf(live.isListening()),
      'min',
    ],
    tenure_wal_spool_bytes: ['WAL waiting for the backup archive', () => spooling?.bytes()],
    tenure_wal_gaps: ['Gaps in point-in-time recovery since the start', () => spooling?.gaps()],
    tenure_base_last_success_timestamp_seconds: [
      'Time of the last base for point-in-time recovery',
      () => baseOf(spooling),
    ],
    tenure_base_failures: [
      'Failed bases since the last successful one',
      async () => (await spooling?.bases())?.failures,
    ],
    tenure_disk_free_bytes: ['Free disk space of DATA_DIR', () => files.freeBytes().catch(() => undefined), 'min'],
  });
}

/** How long people with an open page wait for a notification, from the start of the transaction that created it. */
function watchNotifications(registry: Registry, live: Watched['live']) {
  const delays = new Histogram({
    name: 'tenure_notification_delay_seconds',
    help: 'Age of notifications when open pages receive them',
    labelNames: [],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  live.onSent((seconds) => delays.observe(seconds));
}

function watchDatabase(registry: Registry, { db, idleSeconds, keptMilliseconds }: Watched) {
  const look = keptFigures(db, { idleSeconds, keptMilliseconds });
  const gauges = Object.entries(databaseGauges).map(([name, [help, read]]): [string, [string, Read]] => [
    name,
    [
      help,
      async () => {
        const { figures } = await look();
        return figures && (read(figures) ?? undefined);
      },
    ],
  ]);
  watch(registry, {
    tenure_database_up: ['Whether the database answers: 1 or 0', async () => numberOf((await look()).isUp)],
    ...Object.fromEntries(gauges),
  });
  watchProcesses(registry, look);
  watchSecrets(registry, look);
}

/** Scheduled backup work: work that never succeeded has no time, which is only a fault if it is scheduled. */
function watchSchedule(registry: Registry, config: BackupSettings | undefined) {
  const gauge: Gauge<'kind'> = new Gauge({
    name: 'tenure_backups_scheduled',
    help: '1 for each kind of backup work that is scheduled',
    aggregator: 'max',
    labelNames: ['kind'],
    registers: [registry],
  });
  for (const kind of config ? scheduledWork(config) : []) gauge.set({ kind }, 1);
}

/** Running processes by role and release; two releases during an upgrade. */
function watchProcesses(registry: Registry, look: ReturnType<typeof keptFigures>) {
  const gauge: Gauge<'role' | 'release'> = new Gauge({
    name: 'tenure_processes',
    help: 'Processes using this database',
    registers: [registry],
    labelNames: ['role', 'release'],
    collect: async () => {
      const { figures } = await look();
      gauge.reset();
      for (const { role, release, count } of figures?.processes ?? []) gauge.set({ role, release }, count);
    },
  });
}

/** Sealed secrets by the public id of their key: an earlier key with none can be removed. */
function watchSecrets(registry: Registry, look: ReturnType<typeof keptFigures>) {
  const gauge: Gauge<'key'> = new Gauge({
    name: 'tenure_sealed_secrets',
    help: 'Secrets in the database, by the key that encrypts them',
    registers: [registry],
    labelNames: ['key'],
    collect: async () => {
      const { figures } = await look();
      gauge.reset();
      for (const { kid, count } of figures?.sealed ?? []) gauge.set({ key: kid }, count);
    },
  });
}

function openCounts(registry: Registry) {
  const registers = [registry];
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Responses by method, route and status',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its response',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const limited = new Counter({
    name: 'tenure_rate_limited_total',
    help: 'Requests over a rate limit (429)',
    registers,
  });
  const unknown = new Counter({
    name: 'tenure_unknown_outcomes_total',
    help: 'Commits without an answer, so that the client does not know whether they succeeded',
    registers,
  });
  const tries = new Counter({
    name: 'tenure_webhook_tries_total',
    help: 'Requests to receivers of webhooks, by result',
    labelNames: ['result'],
    registers,
  });
  const faults = new Gauge({
    name: 'tenure_audit_faults',
    help: 'Faults found by the daily check of the audit log; only where the check ran',
    labelNames: [],
    aggregator: 'max',
    registers,
  });
  faults.remove();
  return { requests, durations, limited, unknown, tries, faults };
}

/** The counts of this process. Labels are route patterns and numbers, never anything about a person. */
export function openMetrics(watched: Watched): Metrics {
  const registry = new Registry();
  if (watched.ofProcess) collectDefaultMetrics({ register: registry });
  const { requests, durations, limited, unknown, tries, faults } = openCounts(registry);
  const build = new Gauge({
    name: 'tenure_build_info',
    help: '1, with the running release as a label',
    labelNames: ['release'],
    aggregator: 'max',
    registers: [registry],
  });
  build.set({ release: version }, 1);
  watchService(registry, watched);
  watchNotifications(registry, watched.live);
  watchSchedule(registry, watched.config);
  const figures = new Registry();
  watchDatabase(figures, watched);
  return {
    observe: ({ method, route, status, seconds }) => {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
      if (status === 429) limited.inc();
    },
    unknownOutcome: () => unknown.inc(),
    webhooksTried: ({ sent, failed }) => {
      tries.inc({ result: 'sent' }, sent);
      tries.inc({ result: 'failed' }, failed);
    },
    auditChecked: (found) => faults.set(found),
    text: () => Registry.merge([registry, figures]).metrics(),
    ofProcess: () => registry.getMetricsAsJSON(),
    ofDatabase: () => figures.getMetricsAsJSON(),
    contentType: registry.contentType,
  };
}
