import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../db/migrate.ts';
import { debianBin, debianServer } from '../../testing/debian-server.ts';
import type { DebianServer } from '../../testing/debian-server.ts';
import { openArchive } from '../archive.ts';
import { makeBase, readBase, readFiles, readServerManifest } from './base.ts';
import { compareWithManifest, unpackTar } from './tar.ts';

/** Base backups of another server, verified by its own program, if Debian's packages are installed. */

const isThere = existsSync(`${debianBin}/pg_verifybackup`);
const open = async (bytes: Uint8Array) => bytes;

let server: DebianServer;

beforeAll(async () => {
  if (!isThere) return;
  server = await debianServer();
  await server.start(['archive_mode=on', 'archive_command=true']);
  await migrate(server.url('postgres'));
}, 240_000);

afterAll(() => server?.remove());

test.runIf(isThere)(
  'pg_verifybackup accepts a base, and finds a byte that was added',
  async () => {
    const archive = openArchive(join(server.root, 'archive'));
    const { id } = await makeBase({ ownerUrl: server.url('postgres'), release: '0', keyIds: [] }, archive, {});
    const base = await readBase(archive, id, open);
    const target = join(server.root, 'unpacked');
    await mkdir(target);
    const sums = await unpackTar(readFiles(archive, base, open), target);
    const manifest = await readServerManifest(archive, base, open);
    compareWithManifest(sums, manifest);
    await writeFile(join(target, 'backup_manifest'), manifest);
    // without WAL, which the archive contains
    const verify = () => execFileSync(`${debianBin}/pg_verifybackup`, ['-n', target], { stdio: 'pipe' }).toString();
    expect(verify()).toContain('backup successfully verified');
    const [file] = (await readdir(join(target, 'base', '1'))).filter((name) => /^\d+$/.test(name));
    await appendFile(join(target, 'base', '1', file ?? ''), 'x');
    expect(verify).toThrow(/has size/);
  },
  240_000,
);
