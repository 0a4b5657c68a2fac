import type { Permission } from '@tenure/contract';
import { permissionNames, seededGrants } from '@tenure/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { reachOf } from '../access/actor.ts';
import type { Holder, ManagedDepth, RoleScope } from '../access/actor.ts';
import { loadRights } from '../access/rights.ts';
import { managedPeopleOf, oneOf, peopleIn, treePeopleOf } from '../access/scope.ts';
import { startApp } from '../testing/app.ts';

/** Through no sequence of allowed writes can a user reach a person whom they did not reach before. */

const { as, make, deps, owner } = await startApp({ RATE_LIMIT_PER_MINUTE: '1000000' });
const [acme, beta] = [await make.entity(), await make.entity()];
const departments = [
  ...(await Promise.all([1, 2, 3].map(() => make.department({ entity_id: acme.id })))),
  ...(await Promise.all([1, 2].map(() => make.department({ entity_id: beta.id })))),
];
const people = await Promise.all(
  departments.flatMap(({ id }) => [1, 2].map(() => make.employee({ department_id: id, roles: [] }))),
);
const [x, friend] = people as [(typeof people)[0], (typeof people)[0]];
const client = await as(x.user_id);
const roles = await deps.db
  .insertInto('roles')
  .values(
    ['own', 'managed', 'all'].flatMap((scope) => ['X', 'Friend'].map((name) => ({ name: `${name} ${scope}`, scope }))),
  )
  .returning(['id', 'name', 'scope'])
  .execute();

const arranging: Permission[] = [
  'departments.view',
  'departments.update',
  'departments.assign_managers',
  'departments.assign_team_leads',
  'employees.view',
  'employees.view_all',
  'employees.update',
];
const limits = fc.constantFrom<number[] | null>(null, [acme.id], [beta.id], [acme.id, beta.id]);
const depths = fc.constantFrom<ManagedDepth>('direct', 'tree');
const grant = (scopes: RoleScope[], permissions: fc.Arbitrary<Permission[]>) =>
  fc.record({ scope: fc.constantFrom(...scopes), managed_depth: depths, entity_ids: limits, permissions });
const some = fc.subarray([...new Set([...arranging, ...seededGrants('Manager'), 'audit.view' as const])]);
const most = some.map((extra) => [...new Set([...arranging, ...extra])]);
type Given = {
  scope: RoleScope;
  managed_depth: ManagedDepth;
  entity_ids: number[] | null;
  permissions: Permission[];
};

const department = fc.nat(departments.length - 1);
const person = fc.nat(people.length - 1);
const write = fc.oneof(
  fc.record({ kind: fc.constant('manager' as const), of: person, to: fc.constantFrom(0, 0, 1, 2, 5) }),
  fc.record({ kind: fc.constant('job' as const), of: person, to: fc.constantFrom(0, 0, 1, 3) }),
  fc.record({ kind: fc.constant('many' as const), of: person, to: fc.constantFrom(0, 0, 1) }),
  fc.record({ kind: fc.constant('move' as const), of: person, to: department }),
  fc.record({ kind: fc.constant('head' as const), of: department, to: fc.constantFrom(0, 0, 1, 4) }),
  fc.record({ kind: fc.constant('lead' as const), of: department, to: fc.constantFrom(0, 0, 1, 6) }),
  fc.record({ kind: fc.constant('parent' as const), of: department, to: department }),
  fc.record({ kind: fc.constant('company' as const), of: department, to: fc.constantFrom(0, 1) }),
);
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;

const organisation = fc.record({
  x: fc.tuple(grant(['all', 'managed'], most), grant(['managed', 'all'], some)),
  friend: fc.tuple(grant(['managed'], some)),
  heads: fc.tuple(...departments.map(() => fc.constantFrom(null, null, 0, 1, 3))),
  parents: fc.constantFrom([null, 0, null, null, null], [null, 0, 1, null, 3], [null, null, null, null, 3]),
  managers: fc.tuple(...people.map(() => fc.constantFrom(null, null, 0, 1, 2, 3, 4))),
  writes: fc.array(write, { minLength: 4, maxLength: 10 }),
});
type Organisation = typeof organisation extends fc.Arbitrary<infer T> ? T : never;

async function give(userId: number, name: string, grants: readonly Given[]) {
  for (const { scope, managed_depth, entity_ids, permissions } of grants) {
    const role = roles.find((one) => one.name === `${name} ${scope}`);
    const depth = scope === 'managed' ? managed_depth : 'direct';
    await owner.query('update roles set managed_depth = $2 where id = $1', [role?.id, depth]);
    await owner.query('delete from role_permissions where role_id = $1', [role?.id]);
    await owner.query('insert into role_permissions select $1, unnest($2::text[])', [role?.id, permissions]);
    await owner.query(
      `insert into role_assignments (user_id, role_id, entity_ids) values ($1, $2, $3)
       on conflict (user_id, role_id) do update set entity_ids = excluded.entity_ids`,
      [userId, role?.id, entity_ids],
    );
  }
}

async function build({ heads, parents, managers, ...given }: Organisation) {
  await owner.query('delete from role_assignments where user_id = any($1::bigint[])', [[x.user_id, friend.user_id]]);
  await give(x.user_id, 'X', given.x);
  await give(friend.user_id, 'Friend', given.friend);
  await owner.query('update departments set parent_id = null, manager_id = null, team_lead_id = null');
  for (const [index, { id, entity_id }] of departments.entries()) {
    const [parent, head] = [parents[index], heads[index]];
    await owner.query('update departments set entity_id = $2 where id = $1', [id, entity_id]);
    await owner.query('update departments set manager_id = $2, parent_id = $3 where id = $1', [
      id,
      typeof head === 'number' ? people[head]?.id : null,
      typeof parent === 'number' ? departments[parent]?.id : null,
    ]);
  }
  for (const [index, { id, department_id }] of people.entries()) {
    const manager = managers[index] ?? null;
    await owner.query(
      `update employees set department_id = $2, reporting_manager_id = $3,
              entity_id = (select entity_id from departments where id = $2) where id = $1`,
      [id, department_id, manager === null || manager === index ? null : people[manager]?.id],
    );
  }
}

function send({ kind, of, to }: Write) {
  const [who, place] = [people[of], departments[of]];
  const reporting_manager_id = people[to]?.id;
  const target = departments[to];
  if (kind === 'manager') return client.put(`/api/employees/${who?.id}`, { reporting_manager_id });
  if (kind === 'job')
    return client.post(`/api/employees/${who?.id}/job-history`, { reporting_manager_id, effective_from: '2026-11-01' });
  if (kind === 'many')
    return client.post('/api/employees/bulk', {
      kind: 'manager',
      ids: people.slice(of).map(({ id }) => id),
      reporting_manager_id,
      reason: 'As was agreed',
    });
  if (kind === 'move')
    return client.put(`/api/employees/${who?.id}`, { department_id: target?.id, entity_id: target?.entity_id });
  if (kind === 'head') return client.put(`/api/departments/${place?.id}/manager`, { employee_id: people[to]?.id });
  if (kind === 'lead') return client.put(`/api/departments/${place?.id}/team-lead`, { employee_id: people[to]?.id });
  if (kind === 'parent') return client.put(`/api/departments/${place?.id}`, { parent_id: target?.id });
  return client.put(`/api/departments/${place?.id}`, {
    entity_id: [acme, beta][to]?.id,
    move_employees: true,
  });
}

/** The permissions of an account over people; `managed` only contains those from managing them. */
async function reachOfAccount({ id, user_id }: { id: number; user_id: number }, { managed = false } = {}) {
  const holder: Holder = { ...(await loadRights(deps.db, user_id)), user_id, employee_id: id };
  const parts = permissionNames.map((permission) => {
    // it widens the scope of `employees.view` and covers no person by itself
    const isCard = permission === 'employees.view_all';
    const reach = isCard ? reachOf(holder, 'employees.view', permission) : reachOf(holder, permission);
    const all = peopleIn(holder, reach);
    const company = (within: readonly number[] | null) =>
      within === null ? sql`true` : oneOf('e', 'entity_id', within);
    const only = reach.managed
      ? sql`(${managedPeopleOf(holder)} and ${company(reach.managed_entity_ids)}
             or ${treePeopleOf(holder)} and ${company(reach.tree_entity_ids)})`
      : sql`false`;
    return sql`select ${permission} || ' ' || e.id as pair from employees e where ${managed ? only : all}`;
  });
  const { rows } = await sql<{ pair: string }>`${sql.join(parts, sql` union all `)}`.execute(deps.db);
  return new Set(rows.map(({ pair }) => pair));
}

test('no sequence of writes lets an account reach more than its writer reached before', async () => {
  const seen = { allowed: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(organisation, async (given) => {
      await build(given);
      const before = { x: await reachOfAccount(x), friend: await reachOfAccount(friend) };
      for (const one of given.writes) {
        const { status, body } = await send(one);
        if (status >= 300) {
          seen.refused += status === 403 ? 1 : 0;
          continue;
        }
        seen.allowed += 1;
        const told = JSON.stringify({ one, changed: body.message });
        const [mine, theirs] = [await reachOfAccount(x), await reachOfAccount(friend, { managed: true })];
        expect([told, [...mine].filter((pair) => !before.x.has(pair))]).toEqual([told, []]);
        const gained = [...theirs].filter((pair) => !before.friend.has(pair) && !before.x.has(pair));
        expect([told, gained]).toEqual([told, []]);
      }
    }),
    { numRuns: 30 },
  );
  // some writes are refused and some succeed
  expect(seen.allowed).toBeGreaterThan(20);
  expect(seen.refused).toBeGreaterThan(5);
});
