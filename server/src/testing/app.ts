import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { buildApp, outside, routes } from '../app.ts';
import { readConfig } from '../config.ts';
import { startHashPool } from '../crypto/hash-pool.ts';
import { generateKey, keyRing, parseKey } from '../crypto/keys.ts';
import { connect } from '../db/connect.ts';
import type { ConnectOptions } from '../db/connect.ts';
import { guardDisk } from '../files/disk-guard.ts';
import { openFiles } from '../files/open.ts';
import { openStore } from '../files/store.ts';
import type { Binding, Deps } from '../http/context.ts';
import { openSessionCookies } from '../http/session-cookies.ts';
import { openDoor } from '../http-out/door.ts';
import type { DoorOptions } from '../http-out/door.ts';
import { openMetrics } from '../http/metrics.ts';
import { buildServer } from '../http/server.ts';
import { logTo } from '../logging.ts';
import { openMailer } from '../mail/mailer.ts';
import type { LiveOptions } from '../notifications/live.ts';
import { openLive } from '../notifications/live.ts';
import { openOpenId } from '../sso/openid.ts';
import { clientFor } from './client.ts';
import type { Client } from './client.ts';
import { withoutLaterColumns } from './columns.ts';
import { cloneDatabase } from './databases.ts';
import type { TestDatabase } from './databases.ts';
import { assertDeclared } from './declared.ts';
import { checkOf } from './document.ts';
import { throughPooler } from './pooler.ts';
import { openRecorder } from './rows/recorder.ts';
import { makers } from './make.ts';
import type { Makers } from './make.ts';

const recorder = process.env.ROWS_FOLDER ? openRecorder(process.env.ROWS_FOLDER) : undefined;

export type TestApp = {
  app: FastifyInstance;
  deps: Deps;
  database: TestDatabase;
  /** The same database as its owner, for what the application itself cannot do. */
  owner: pg.Pool;
  make: Makers;
  /** A browser signed in as a user, or as a guest without one. */
  as: (userId?: number) => Promise<Client>;
  /** Every line the service logged. */
  logged: string[];
};

/** What a test adds to the service or changes. */
type Extra = {
  /** Endpoints of the test. */
  bindings?: readonly Binding[];
  /** Another build of the browser application. */
  webFolder?: string;
  /** An existing database. */
  database?: TestDatabase;
  /** The database will hold thousands of rows. */
  large?: boolean;
  /** Another service with which this one shares database, keys and files. */
  beside?: TestApp;
  connect?: Partial<ConnectOptions>;
  live?: Partial<LiveOptions>;
  /** How outgoing requests are resolved: the test's names and certificates. */
  door?: Pick<DoorOptions, 'resolve' | 'ca'>;
};

/** How a service reaches its database: through the run's pooler, if any, unless the test says otherwise. */
function connectionTo(appUrl: string, { large = false, connect: chosen }: Extra): ConnectOptions {
  const pooler = chosen?.url ? null : inject('pooler');
  return {
    url: pooler ? throughPooler(pooler, appUrl) : appUrl,
    max: 10,
    ...(pooler && { pooler: true, prepared: false }),
    // jobs use its connections too, and their statements may take a minute
    ...(large && { queryTimeout: 70_000 }),
    ...chosen,
  };
}

/** Starts the service on its own database; everything is stopped after the test file. */
export async function startApp(settings: Record<string, string> = {}, extra: Extra = {}): Promise<TestApp> {
  const { beside } = extra;
  const urls = beside?.database ?? extra.database ?? (await cloneDatabase(extra));
  const folder = beside?.deps.config.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'tenure-files-')));
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: folder,
    APP_URL: 'http://localhost:8000',
    // a tenth of it is reported to other services, in statements that no test expects
    RATE_LIMIT_PER_MINUTE: '100000',
    ...settings,
  });
  const { db: plain, pool } = connect(connectionTo(urls.appUrl, extra));
  const db = recorder ? plain.withPlugin(recorder.plugin) : plain;
  const ownerPool = new pg.Pool({ connectionString: urls.ownerUrl, max: 3 });
  const owner = process.env.COLUMNS_TEST === 'on' ? withoutLaterColumns(ownerPool) : ownerPool;
  const logged: string[] = [];
  const log = logTo('info', { write: (line: string) => void logged.push(line) });
  const ring = beside?.deps.ring ?? keyRing(parseKey(config.APP_KEY ?? generateKey()));
  const hashing = startHashPool({ cost: 4 });
  const files = config.STORAGE_URL === 'file:' ? await openStore(folder) : await openFiles(config, log);
  const live = openLive({ db, url: urls.appUrl, config, log, ...extra.live });
  const door = openDoor({ config, log, ...extra.door });
  const deps: Deps = {
    config: { ...config, BCRYPT_COST: 4, DATABASE_PREPARED: config.DATABASE_PREPARED && !inject('pooler') },
    db,
    pool,
    ring,
    sessionCookies: openSessionCookies(config, ring),
    rights: new Map(),
    hashing,
    files,
    disk: guardDisk({ files, reserve: 0, log }),
    mailer: openMailer({ smtpUrl: config.SMTP_URL, from: config.MAIL_FROM }),
    door,
    openId: openOpenId(door, config),
    live,
    metrics: openMetrics({ db, pool, hashing, files, live, idleSeconds: 7_200, keptMilliseconds: 0, ofProcess: false }),
    log,
    stopping: new AbortController().signal,
    checkAnswer: assertDeclared,
  };
  const isOwn = extra.bindings !== undefined || extra.webFolder !== undefined;
  const app = await (isOwn
    ? buildServer(deps, [...routes, ...(extra.bindings ?? [])], { webFolder: extra.webFolder, outside })
    : buildApp(deps));
  afterAll(async () => {
    await app.close();
    await hashing.close();
    await db.destroy();
    await recorder?.write(owner);
    await owner.end();
    await rm(folder, { recursive: true, force: true });
  });
  const check = checkOf(extra.bindings);
  const as = (userId?: number) => clientFor(app, deps, userId, check);
  return { app, deps, database: urls, owner, make: makers(deps), as, logged };
}
