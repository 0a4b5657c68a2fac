import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasCluster } from '../db/data-dir.ts';
import { cloneDatabase } from '../testing/databases.ts';
import type { TestDatabase } from '../testing/databases.ts';
import { emptyDatabase } from '../testing/databases.ts';
import { asOwner, asOwnerIn, contentOf, runCommand, stateOf } from '../testing/moves-of-databases.ts';
import type { State } from '../testing/moves-of-databases.ts';

/** A move that is killed at each of its steps, repeated each time, and finally completed. */

const steps = [
  'Copying ',
  'Tables built',
  'Rows copied',
  'Indexes and keys built',
  'Numbers and sums of rows compared',
  'Migrations of this release applied',
  'Rules of the data and indexes checked',
];

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tenure-kills-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

type Place = {
  args: string[];
  settings: Record<string, string>;
  states: () => Promise<[source: State, target: State]>;
};

/** A service can never start on two places; it can start on none only after the former one was marked. */
async function killAtEachStep({ args, settings, states }: Place, more: readonly string[] = []) {
  for (const killAt of [...steps, ...more]) {
    const { code, out, err } = await runCommand('move-database', args, { settings, killAt });
    const [source, target] = await states();
    const what = `${killAt}: ${source}, ${target}\n${out}${err}`;
    // the kill can come after the last step
    if (code === 0) return expect([source, target], what).toEqual(['moved away', 'in use']);
    expect(code, what).toBe(null);
    expect(target, what).not.toBe('in use');
    if (source === 'moved away') expect(target, what).toBe('unfinished');
    else expect(source, what).toBe('in use');
  }
  expect(await runCommand('move-database', args, { settings })).toMatchObject({ code: 0, err: '' });
  expect(await states()).toEqual(['moved away', 'in use']);
}

const externally = ({ appUrl, ownerUrl }: TestDatabase) => ({
  DATABASE_URL: appUrl,
  DATABASE_MIGRATION_URL: ownerUrl,
});

const fill = (source: TestDatabase) =>
  asOwner(source, async (client) => {
    await client.query("insert into users (email) select n || '@acme.example' from generate_series(1, 5000) as n");
    return contentOf(client);
  });

test('into an external database', { timeout: 3_600_000 }, async () => {
  const [source, target] = [await cloneDatabase(), await emptyDatabase()];
  const before = await fill(source);
  await killAtEachStep({
    args: ['--to', target.appUrl, '--owner-url', target.ownerUrl],
    settings: { DATA_DIR: join(root, 'none'), ...externally(source) },
    states: async () => [await asOwner(source, stateOf), await asOwner(target, stateOf)],
  });
  expect(await asOwner(target, contentOf)).toEqual(before);
});

test('into the embedded database', { timeout: 3_600_000 }, async () => {
  const source = await cloneDatabase();
  const before = await fill(source);
  const dataDir = join(root, 'data');
  const target = async () => ((await hasCluster(dataDir)) ? asOwnerIn(dataDir, stateOf) : 'empty');
  await killAtEachStep(
    {
      args: ['--to', 'embedded'],
      settings: { DATA_DIR: dataDir, ...externally(source) },
      states: async () => [await asOwner(source, stateOf), await target()],
    },
    ['Put in place', 'Former database marked'],
  );
  expect(await asOwnerIn(dataDir, contentOf)).toEqual(before);
});
