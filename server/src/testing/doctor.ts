import { createServer, get } from 'node:http';
import type { RequestListener } from 'node:http';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerOptions } from 'smtp-server';
import { afterAll } from 'vitest';
import { pathOfChunk } from '../backup/chunks.ts';
import { examine } from '../doctor/doctor.ts';
import type { Finding } from '../doctor/finding.ts';
import type { Machine } from '../doctor/machine.ts';
import { generateKey } from '../crypto/keys.ts';
import { logTo } from '../logging.ts';
import type { TestApp } from './app.ts';

export const backupId = '20261101T021500Z-1a2b3c';
export const chunkName = 'ab'.repeat(32);

/** Writes the files that a check reads in an archive, without a backup. */
async function writeArchive(root: string): Promise<void> {
  const files = {
    'archive.json': '{"format":1,"installation":"test"}',
    [`backups/${backupId}/chunks.txt`]: `${chunkName}\n`,
    [`backups/${backupId}/manifest.json`]: '{}',
    [pathOfChunk(chunkName)]: 'chunk',
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

/** A mail server on all names of this machine, until the end of the test file. */
export async function greetedServer(options: SMTPServerOptions = {}): Promise<number> {
  const server = new SMTPServer({ authOptional: true, ...options });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return (server.server.address() as AddressInfo).port;
}

/** A web server that is not the service. */
export async function otherServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A proxy that forwards an answer only once it is complete. */
export const collectingProxy = (to: string): Promise<string> =>
  otherServer(({ url = '', headers }, answer) => {
    const asked = get(new URL(url, to), { headers }, (got) => {
      void buffer(got).then(
        (body) => answer.writeHead(Number(got.statusCode), got.rawHeaders).end(body),
        () => answer.destroy(),
      );
    });
    answer.on('close', () => asked.destroy());
  });

export type Environment = Readonly<Record<string, string>>;

/** A production installation without faults, of which tests break one thing at a time. */
export async function healthyInstallation({ app, database, deps, owner }: TestApp) {
  const root = await mkdtemp(join(tmpdir(), 'tenure-doctor-'));
  afterAll(() => rm(root, { recursive: true, force: true }));
  const dataDir = join(root, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  await symlink(deps.config.DATA_DIR, join(dataDir, 'files'));
  const archive = join(root, 'archive');
  await writeArchive(archive);
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  await owner.query(
    `insert into backups (kind, status, backup, started_at)
     values ('backup', 'done', $1, now()), ('verification', 'done', $1, now())`,
    [backupId],
  );
  const env: Environment = {
    NODE_ENV: 'production',
    APP_KEY: deps.config.APP_KEY ?? generateKey(),
    APP_URL: address,
    TRUST_PROXY: '127.0.0.1',
    DATA_DIR: dataDir,
    DATABASE_URL: database.appUrl,
    DATABASE_MIGRATION_URL: database.ownerUrl,
    DISK_RESERVE_MB: '1',
    SMTP_URL: `smtp://127.0.0.1:${await greetedServer({ disabledCommands: ['STARTTLS'] })}`,
    MAIL_FROM: 'Tenure <no-reply@acme.example>',
    BACKUP_URL: archive,
  };
  const machine: Machine = { node: '26.10.0', uid: process.geteuid?.(), now: () => Date.now() };
  type Broken = { env?: Environment; machine?: Partial<Machine>; isOffline?: boolean };
  const look = (broken: Broken = {}): Promise<Finding[]> =>
    examine({
      env: { ...env, ...broken.env },
      machine: { ...machine, ...broken.machine },
      log: () => logTo('silent'),
      isOffline: broken.isOffline ?? false,
    });
  return { root, dataDir, archive, env, look };
}

/** Answers like a ready service, whatever was just done to the database. */
export const asService =
  (id?: string): RequestListener =>
  ({ url, headers }, answer) =>
    answer
      .writeHead(200, { 'x-request-id': id ?? headers['x-request-id'] ?? '' })
      .end(url === '/readyz' ? '{"message":"OK"}' : 'event: probe\ndata: null\n\n');
