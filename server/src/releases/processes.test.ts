import { afterEach, describe, expect, test, vi } from 'vitest';
import { listenForOperators } from '../http/operators.ts';
import { startApp } from '../testing/app.ts';
import { announceProcess, deleteProcesses } from './processes.ts';
import { ownRelease } from './release.ts';

const { deps, owner } = await startApp({ METRICS_PORT: '0' });
const release = await ownRelease();
const processes = async () =>
  (
    await owner.query<Record<string, unknown>>(
      `select release, role, contracts, last_seen_at > now() - interval '1 minute' as is_alive,
              beating_since > now() - interval '1 minute' as began_now
       from processes order by started_at`,
    )
  ).rows;
const own = { release: release.name, role: 'all', contracts: release.contracts, is_alive: true };

test('a process says that it is there until it ends, beat by beat', async () => {
  const presence = await announceProcess(deps.db, { release, role: 'all', beat: 20 });
  expect(await processes()).toEqual([{ ...own, began_now: true }]);
  await owner.query(
    "update processes set beating_since = now() - interval '1 hour', last_seen_at = now() - interval '50 seconds'",
  );
  const { rows } = await owner.query<{ at: Date }>('select now() as at');
  const seen = 'select from processes where last_seen_at > $1';
  await vi.waitFor(async () => expect((await owner.query(seen, [rows[0]?.at])).rows).toHaveLength(1));
  expect(await processes()).toEqual([{ ...own, began_now: false }]);
  // as after a database outage
  await owner.query("update processes set last_seen_at = now() - interval '2 minutes'");
  await vi.waitFor(async () => expect(await processes()).toEqual([{ ...own, began_now: true }]));
  // another process removed it meanwhile
  await deleteProcesses(deps.db);
  await vi.waitFor(async () => expect(await processes()).toEqual([{ ...own, began_now: true }]));
  await presence.end();
  expect(await processes()).toEqual([]);
});

describe('a process that was silent', () => {
  const contract = '20991231_0000_later.contract.sql';
  const refused = `A newer release removed what this one uses (${contract})`;
  const addContract = () => owner.query('insert into schema_migrations (name) values ($1)', [contract]);
  afterEach(() => owner.query('delete from schema_migrations where name = $1', [contract]));
  /** A process, and whether it was refused. */
  const announced = async () => {
    const onRefused = vi.fn<(reason: Error) => void>();
    return { presence: await announceProcess(deps.db, { release, role: 'all', beat: 20, onRefused }), onRefused };
  };
  const beats = async (count: number) => {
    for (let n = 0; n < count; n += 1) {
      const { rows } = await owner.query<{ at: Date }>('select clock_timestamp() as at');
      const seen = 'select from processes where last_seen_at > $1';
      await vi.waitFor(async () => expect((await owner.query(seen, [rows[0]?.at])).rows).toHaveLength(1), 5_000);
    }
  };

  test.each([
    ['and forgotten by the others', 'delete from processes'],
    ['for more than a minute', "update processes set last_seen_at = now() - interval '11 minutes'"],
  ])('%s looks again whether it may run, once its row is there', async (_, silence) => {
    const { presence, onRefused } = await announced();
    await owner.query(silence);
    await beats(2);
    expect(onRefused).not.toHaveBeenCalled();
    const client = await owner.connect();
    // both at once, as if it were frozen meanwhile
    await client.query('begin; lock table processes in exclusive mode');
    await client.query('insert into schema_migrations (name) values ($1)', [contract]);
    await client.query(silence);
    await client.query('commit');
    client.release();
    await vi.waitFor(() => expect(onRefused).toHaveBeenCalledOnce(), 5_000);
    expect(onRefused.mock.calls[0]?.[0].message).toContain(refused);
    await presence.end();
    expect(await processes()).toEqual([]);
  });

  test('looks also when the beat after the silence failed', async () => {
    const { presence, onRefused } = await announced();
    await owner.query(`create function fail_once() returns trigger language plpgsql as $$ begin raise 'cut off'; end $$;
      create trigger fail_once before delete on processes for each statement execute function fail_once()`);
    await addContract();
    await owner.query("update processes set last_seen_at = now() - interval '11 minutes'");
    await beats(2);
    expect(onRefused).not.toHaveBeenCalled();
    await owner.query('drop function fail_once cascade');
    await vi.waitFor(() => expect(onRefused).toHaveBeenCalledOnce(), 5_000);
    await presence.end();
  });

  test('is asked nothing while it beats, because contracts wait for it', async () => {
    const { presence, onRefused } = await announced();
    await addContract();
    await beats(3);
    expect(onRefused).not.toHaveBeenCalled();
    await presence.end();
  });

  test('does not even begin on a database that it may not use, and leaves no row', async () => {
    await addContract();
    await expect(announced()).rejects.toThrow(refused);
    expect(await processes()).toEqual([]);
  });
});

test('processes that say nothing for ten minutes are forgotten by the others', async () => {
  const insert = `insert into processes (id, release, role, host, contracts, last_seen_at)
                  values (gen_random_uuid(), $1, 'api', 'one', '{}', now() - make_interval(mins => $2))`;
  await owner.query(insert, ['nine', 9]);
  await owner.query(insert, ['eleven', 11]);
  const presence = await announceProcess(deps.db, { release, role: 'worker' });
  expect(new Set((await processes()).map(({ release: name }) => name))).toEqual(new Set([release.name, 'nine']));
  await presence.end();
});

test('metrics count those of each role and release', async () => {
  const operators = await listenForOperators(deps);
  const lines = async () =>
    (await operators.inject('/metrics')).body.split('\n').filter((line) => line.startsWith('tenure_processes{'));
  await owner.query('truncate processes');
  expect(await lines()).toEqual([]);
  const presences = [
    await announceProcess(deps.db, { release, role: 'api' }),
    await announceProcess(deps.db, { release, role: 'api' }),
    await announceProcess(deps.db, { release: { ...release, name: '0.0.9+aa' }, role: 'worker' }),
  ];
  expect((await lines()).toSorted()).toEqual(
    [
      `tenure_processes{role="api",release="${release.name}"} 2`,
      'tenure_processes{role="worker",release="0.0.9+aa"} 1',
    ].toSorted(),
  );
  for (const presence of presences) await presence.end();
  await operators.close();
});
