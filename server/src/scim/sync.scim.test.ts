import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { provisioning } from '../testing/provisioning.ts';

// The first cycle of a provider with 5,000 people and 50 groups of 300, and a cycle without changes, with the requests
// of Entra ID. Measures CPU time of service and client, which are one process; the database has its own.

const people = 5_000;
const groups = 50;
const membersOfGroup = 300;

const service = await startApp({}, { large: true });
const { deps, make } = service;
const acme = await make.entity();
const { id: department_id } = await make.department({ entity_id: acme.id });
await sql`
  with account as (
    insert into users (email) select 'p' || n || '@acme.example' from generate_series(1, ${people}) as n returning id, email)
  insert into employees (user_id, email, employee_number, first_name, last_name, entity_id, department_id, employment_lifecycle)
  select id, email, 'N-' || id, 'First' || id, 'Last' || id, ${acme.id}, ${department_id}, 'confirmed' from account`.execute(
  deps.db,
);
await sql`analyze`.execute(service.deps.db).catch(() => undefined);
await service.owner.query('analyze');
const entra = await provisioning(service)({ entity_ids: [acme.id] });
// ten of the groups give a role
await sql`
  with role as (insert into roles (name, scope) values ('Reader', 'all') returning id)
  insert into scim_role_rules (connection_id, value, role_id, entity_ids)
  select ${entra.id}, 'Group ' || n, role.id, array[${acme.id}]::bigint[] from role, generate_series(0, 9) as n`.execute(
  deps.db,
);
// another test covers the limit per minute
await deps.db.updateTable('scim_connections').set({ name: 'Large' }).where('id', '=', entra.id).execute();

/** Sends a request; waits when it reaches a limit, like providers do. */
async function asked<T extends { status: number; headers: Record<string, unknown> }>(
  send: () => Promise<T>,
): Promise<T> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 429) return answer;
    await new Promise((resolve) => setTimeout(resolve, Number(answer.headers['retry-after']) * 1_000));
  }
}

const times: number[] = [];
async function timed<T>(work: () => Promise<T>): Promise<T> {
  const before = performance.now();
  const result = await work();
  times.push(performance.now() - before);
  return result;
}

const p95 = () => {
  const sorted = times.toSorted((a, b) => a - b);
  times.length = 0;
  return Math.round(sorted[Math.floor(sorted.length * 0.95)] ?? 0);
};

test('a first cycle of 5,000 people, and one without changes', async () => {
  const ids: string[] = [];
  const start = process.cpuUsage();
  for (let n = 1; n <= people; n += 1) {
    const emails = [{ type: 'work', value: `p${n}@acme.example` }];
    const { status, body } = await asked(() => timed(() => entra.addUser(`p${n}`, { externalId: `x${n}`, emails })));
    if (n === 1) expect([status, body.emails]).toMatchObject([201, emails]);
    ids.push(body.id as string);
  }
  for (let n = 0; n < groups; n += 1) {
    const members = Array.from({ length: membersOfGroup }, (_, at) => ids[(n * 97 + at) % people] as string);
    const { body } = await asked(() => entra.addGroup(`Group ${n}`, []));
    for (let at = 0; at < membersOfGroup; at += 100) {
      const value = members.slice(at, at + 100).map((id) => ({ value: id }));
      await asked(() => timed(() => entra.patch(`/Groups/${body.id}`, { op: 'Add', path: 'members', value })));
    }
  }
  const first = process.cpuUsage(start);
  process.stdout.write(
    `first cycle: ${Math.round((first.user + first.system) / 1e6)} s of processor, p95 ${p95()} ms\n`,
  );

  const again = process.cpuUsage();
  for (let n = 1; n <= people; n += 1)
    await asked(() => timed(() => entra.get(`/Users?filter=${encodeURIComponent(`externalId eq "x${n}"`)}`)));
  await asked(() => timed(() => entra.get('/Groups?excludedAttributes=members')));
  const second = process.cpuUsage(again);
  process.stdout.write(
    `a cycle without changes: ${Math.round((second.user + second.system) / 1e6)} s of processor, p95 ${p95()} ms\n`,
  );
  const { rows } = await sql<{ adopted: number; members: number; roles: number }>`
    select (select count(*) from scim_users where user_id is not null) as adopted,
      (select count(*) from scim_members) as members,
      (select count(*) from role_assignments where scim_connection_id is not null) as roles`.execute(deps.db);
  // the groups overlap
  expect(rows[0]).toEqual({ adopted: people, members: groups * membersOfGroup, roles: 9 * 97 + membersOfGroup });
  // a minute for the cycle without changes, five for the first one
  expect((first.user + first.system) / 1e6).toBeLessThan(300);
  expect((second.user + second.system) / 1e6).toBeLessThan(60);
}, 900_000);
