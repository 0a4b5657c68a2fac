import { expect, test, vi } from 'vitest';
import { startRoleRules } from '../../testing/role-rules.ts';
import type { Known } from '../../testing/role-rules.ts';

/** Providers are disabled while people sign in and rules are applied. */

const { op, owner, admin, addProvider, come, acme, beta, id, role, runJob, known, rolesOf, plain } =
  await startRoleRules();

const addRule = (provider: number) =>
  owner.query(
    'insert into role_rules (provider_id, value, role_id, entity_ids) values ($1, $2, $3, array[$4::bigint])',
    [provider, 'late', role('HR'), acme.id],
  );
const link = ({ person, subject }: Known, provider: number, groups: string | null = null) =>
  owner.query(
    `insert into user_identities (user_id, provider_id, subject, linked_by, groups) values ($1, $2, $3, 'person', $4)`,
    [person.user_id, provider, subject, groups],
  );

/** Starts a transaction with these statements, which others wait for until `end` commits it. */
async function during(...statements: string[]) {
  const connection = await owner.connect();
  const { rows } = await connection.query('select pg_backend_pid() as pid');
  await connection.query('begin');
  for (const statement of statements) await connection.query(statement);
  const waiting = 'select count(*)::int as n from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
  return {
    waits: (many: number) =>
      vi.waitUntil(async () => (await owner.query(waiting, [rows[0].pid])).rows[0].n >= many, { timeout: 15_000 }),
    end: async () => {
      await connection.query('commit');
      connection.release();
    },
  };
}

/** Disables a provider like the service does when no one holds its roles yet. */
const disabling = (provider: number) =>
  during(
    `select from identity_providers where id = ${provider} for update`,
    `update identity_providers set is_enabled = false where id = ${provider}`,
  );

test('roles of a provider that is disabled meanwhile are given by no job, and by no sign-in through another one', async () => {
  const other = await addProvider({ groups_claim: 'groups' });
  const mia = await known(['late']);
  await come(mia.subject, id);
  await addRule(id);
  await link(mia, other);
  op.people.set(mia.subject, { groups: [] });
  const off = await disabling(id);
  const late = [runJob(), come(mia.subject, other)] as const;
  await off.waits(2);
  await off.end();
  const [, came] = await Promise.all(late);
  expect([came.status, await rolesOf(mia)]).toEqual([200, [plain]]);
  await owner.query('update identity_providers set is_enabled = true where id = $1', [id]);
});

test('a sign-in does not wait for a provider that the person is not linked to', async () => {
  const other = await addProvider({ groups_claim: 'groups' });
  const [first, again] = [await known(['late']), await known([])];
  await come(again.subject, id);
  const off = await disabling(other);
  const through = [await come(first.subject, id), await come(again.subject, id)];
  await off.end();
  expect(through.map(({ status }) => status)).toEqual([200, 200]);
});

test('a sign-in waits for a provider that the person was linked to after it began', async () => {
  const other = await addProvider({ groups_claim: 'groups' });
  const ivo = await known([]);
  await come(ivo.subject, id);
  await addRule(other);
  const change = await during(`select from employees where id = ${ivo.person.id} for update`);
  const late = come(ivo.subject, id);
  await change.waits(1);
  await link(ivo, other, '{late}');
  const off = await disabling(other);
  await change.end();
  await off.waits(1);
  await off.end();
  expect([(await late).status, await rolesOf(ivo)]).toEqual([200, [plain]]);
});

test('the roles of people whom a provider covers no more end with a job that narrowing it queues', async () => {
  const other = await addProvider({ groups_claim: 'groups', entity_ids: [acme.id, beta.id] });
  await owner.query(
    'insert into role_rules (provider_id, value, role_id, entity_ids) values ($1, $2, $3, array[$4::bigint])',
    [other, 'late', role('HR'), beta.id],
  );
  const ida = await known(['late']);
  await link(ida, other);
  expect((await come(ida.subject, other)).status).toBe(200);
  expect(await rolesOf(ida)).toHaveLength(2);
  const queued = async () =>
    (await owner.query('select from graphile_worker._private_jobs where key = $1', [`apply_role_rules ${other}`]))
      .rowCount;
  await owner.query('delete from graphile_worker._private_jobs where key = $1', [`apply_role_rules ${other}`]);
  expect((await admin.put(`/api/identity-providers/${other}`, { name: 'Another name' })).status).toBe(200);
  expect(await queued()).toBe(0);
  expect((await admin.put(`/api/identity-providers/${other}`, { entity_ids: [beta.id] })).status).toBe(200);
  expect(await queued()).toBe(1);
  await runJob(other);
  expect(await rolesOf(ida)).toEqual([plain]);
});
