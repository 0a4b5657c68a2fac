import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, inject } from 'vitest';
import { buildApp, routes } from '../app.ts';
import { readConfig } from '../config.ts';
import { randomToken } from '../crypto/crypto.ts';
import { startHashPool } from '../crypto/hash-pool.ts';
import { generateKey, keyRing, parseKey } from '../crypto/keys.ts';
import { connect } from '../db/connect.ts';
import { openStore } from '../files/store.ts';
import type { Binding, Deps } from '../http/context.ts';
import { openGate } from '../http/gate.ts';
import { openMetrics } from '../http/metrics.ts';
import { buildServer } from '../http/server.ts';
import { openMailer } from '../mail/mailer.ts';
import { clientFor } from './client.ts';
import type { Client } from './client.ts';
import { makers } from './make.ts';
import type { Makers } from './make.ts';

export type TestApp = {
  app: FastifyInstance;
  deps: Deps;
  /** The same database as its owner, for what the application itself may not do. */
  owner: pg.Pool;
  make: Makers;
  /** A browser signed in as a user; without one, a guest. */
  as: (userId?: number) => Promise<Client>;
  /** Every line the service logged. */
  logged: string[];
};

async function cloneDatabase() {
  const { ownerUrl, appUrl } = inject('cluster');
  const name = `t_${randomToken(9)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '0')}`;
  const template = new URL(ownerUrl).pathname.slice(1);
  const admin = new URL(ownerUrl);
  admin.pathname = '/postgres';
  const client = new pg.Client({ connectionString: admin.href });
  await client.connect();
  await client.query(`create database ${name} template ${template}`);
  await client.end();
  const at = (url: string) => {
    const own = new URL(url);
    own.pathname = `/${name}`;
    return own.href;
  };
  return { ownerUrl: at(ownerUrl), appUrl: at(appUrl) };
}

/** What a test adds to the service: endpoints of its own, another build of the browser application. */
type Extra = { bindings?: readonly Binding[]; webFolder?: string };

/** Starts the service on a database of its own; everything is stopped after the test file. */
export async function startApp(settings: Record<string, string> = {}, extra?: Extra): Promise<TestApp> {
  const urls = await cloneDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'tenure-files-'));
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: folder, APP_URL: 'http://localhost:8000', ...settings });
  const { db, pool } = connect({ url: urls.appUrl, max: 10 });
  const owner = new pg.Pool({ connectionString: urls.ownerUrl, max: 3 });
  const logged: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => logged.push(line) });
  const ring = keyRing(parseKey(generateKey()));
  const hashing = startHashPool({ cost: 4 });
  const deps: Deps = {
    config: { ...config, BCRYPT_COST: 4 },
    db,
    pool,
    ring,
    gate: openGate(config, ring),
    rights: new Map(),
    hashing,
    files: await openStore(folder),
    mailer: openMailer({ smtpUrl: config.SMTP_URL, from: config.MAIL_FROM }),
    metrics: openMetrics({ pool, hashing, ofProcess: false }),
    log,
  };
  const app = await (extra
    ? buildServer(deps, [...routes, ...(extra.bindings ?? [])], extra.webFolder)
    : buildApp(deps));
  afterAll(async () => {
    await app.close();
    await hashing.close();
    await db.destroy();
    await owner.end();
    await rm(folder, { recursive: true, force: true });
  });
  return { app, deps, owner, make: makers(deps), as: (userId) => clientFor(app, deps, userId), logged };
}
