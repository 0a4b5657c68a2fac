import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort } from '../testing/free-port.ts';
import { memoryGroup } from '../testing/memory-group.ts';
import { signIn } from '../testing/remote.ts';
import { admin, ownerUrlOf, pidsOf, spawnService, untilReady } from '../testing/service-process.ts';
import type { ServiceProcess } from '../testing/service-process.ts';

// One process reaches the memory limit that a unit (MemoryMax) or a container sets for the service and its database
// together.

const megabyte = 1_024 * 1_024;
/** The minimum that docs/operations.md requires for two web processes and the database. */
const limit = 1_024 * megabyte;
/** Memory of a database connection: more than a web process has when all memory is used. */
const held = 350;
const group = memoryGroup(`tenure-memory-${process.pid}`, limit);
// on a disk, because files in memory count towards the limit of their group
const scratch = await mkdtemp('/var/tmp/tenure-memory-');
const dataDir = join(scratch, 'data');
const eaters = join(scratch, 'eaters');
const wait = { timeout: 120_000, interval: 20 };
const most = 180_000;

describe.runIf(group)('in a gigabyte for all', () => {
  let service: ServiceProcess;
  let connection: pg.Client;

  beforeAll(async () => {
    await mkdir(eaters);
    service = spawnService({
      dataDir,
      port: await freePort(),
      group,
      settings: {
        WEB_CONCURRENCY: '2',
        EATERS: eaters,
        NODE_OPTIONS: `--import=${join(import.meta.dirname, '../testing/eat-memory.ts')}`,
      },
    });
    await untilReady(service);
    connection = new pg.Client({ connectionString: await ownerUrlOf(dataDir) });
    connection.on('error', () => undefined);
    await connection.connect();
  }, 300_000);

  afterAll(async () => {
    await service.kill();
    await rm(scratch, { recursive: true, force: true });
    // the last processes of the group end a moment later
    await vi.waitFor(() => group?.remove(), wait);
  });

  test('the database takes an eighth of the limit for its buffers, not of the machine', async () => {
    const { rows } = await connection.query<{ shared_buffers: string }>('show shared_buffers');
    expect(rows).toEqual([{ shared_buffers: '128MB' }]);
  });

  /** Uses memory in a process without end until it is replaced; returns what ended and what runs now. */
  async function exhaust(name: string, kind: 'buffers' | 'heap') {
    const before = pidsOf(service);
    const lost = service.events('process_lost').length;
    await writeFile(join(eaters, String(before[name])), kind);
    await vi.waitFor(() => expect(pidsOf(service)[name]).not.toBe(before[name]), wait);
    const after = pidsOf(service);
    return {
      ended: service.events('process_lost').slice(lost),
      changed: Object.keys(after).filter((one) => after[one] !== before[one]),
      database: await service.databasePid(),
      outages: service.events('database_down'),
      // the connection is the same as before: the server ends all of them when one is killed
      rows: (await connection.query('select 1 as one')).rows,
      cookies: (await signIn(service.address, admin)).cookies.size,
    };
  }
  const onlyIt = (process: string, reason: string, database: number) => ({
    ended: [expect.objectContaining({ process, reason })],
    changed: [process],
    database,
    outages: [],
    rows: [{ one: 1 }],
    cookies: expect.any(Number),
  });

  test(
    'a process whose heap is full ends and returns; nothing else ends',
    async () => {
      const database = await service.databasePid();
      expect(await exhaust('web-2', 'heap')).toEqual(onlyIt('web-2', 'SIGABRT', database));
    },
    most,
  );

  test(
    'a connection of the database takes more memory than a process has',
    async () => {
      // temporary tables only use the memory of their connection; four rows are a page of 8 kB
      await connection.query(`set temp_buffers = '${held + 50}MB'`);
      await connection.query('create temporary table held (filler text)');
      const { rowCount } = await connection.query(
        `insert into held select repeat(md5(number::text), 60) from generate_series(1, ${held} * 128 * 4) as number`,
      );
      expect(rowCount).toBe(held * 128 * 4);
    },
    most,
  );

  test.each(['web-1', 'jobs'])(
    '%s, which takes the rest, is ended by the kernel and returns; nothing else ends',
    async (name) => {
      const database = await service.databasePid();
      expect(await exhaust(name, 'buffers')).toEqual(onlyIt(name, 'SIGKILL', database));
    },
    most,
  );
});
