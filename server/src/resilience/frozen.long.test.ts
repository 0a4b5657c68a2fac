import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMachines } from '../testing/machines.ts';
import type { ServiceProcess } from '../testing/service-process.ts';

/** A process that its operating system stops, as when a machine sleeps, while a newer release continues. */

const contract = '20991231_0000_later.contract.sql';
let owner: pg.Client;
let service: ServiceProcess;

beforeAll(async () => {
  const machines = await openMachines('file:');
  owner = new pg.Client({ connectionString: machines.database.ownerUrl });
  await owner.connect();
  afterAll(() => owner.end());
  service = await machines.start('frozen');
}, 120_000);

test('ends with one line when a contract removed what it uses', { timeout: 120_000 }, async () => {
  service.child.kill('SIGSTOP');
  await owner.query('delete from processes');
  await owner.query('insert into schema_migrations (name) values ($1)', [contract]);
  service.child.kill('SIGCONT');
  expect(await service.ended).toBe(1);
  const reason = `A newer release removed what this one uses (${contract})`;
  expect(service.events('schema_refused')).toMatchObject([{ reason: expect.stringContaining(reason) }]);
  expect(service.lines.filter((line) => line.startsWith(reason))).toHaveLength(1);
  expect((await owner.query('select from processes')).rows).toEqual([]);
});
