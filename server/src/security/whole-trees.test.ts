import { seededGrants } from '@tenure/contract';
import type { Permission } from '@tenure/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Actor } from '../access/actor.ts';
import { coveredAccounts } from '../access/cover.ts';
import { loadRights } from '../access/rights.ts';
import { hrOfEach } from '../notifications/hr-pool.ts';
import { hrFor } from '../notifications/recipients.ts';
import { checkMoves } from '../people/gains.ts';
import { startApp } from '../testing/app.ts';
import type { Client } from '../testing/client.ts';
import type { MadeEmployee } from '../testing/make.ts';
import { kpiMaker } from '../testing/make-kpi.ts';
import { probationMaker } from '../testing/make-probation.ts';
import { sql } from 'kysely';

/** A role for the whole tree covers all reports below, and no superior, whatever the reporting lines look like. */

// two processes of one installation: the cache of one must not outlive changes by the other
const one = await startApp({ RATE_LIMIT_PER_MINUTE: '1000000' });
const two = await startApp({ RATE_LIMIT_PER_MINUTE: '1000000' }, { beside: one });
const { as, make, deps, owner } = one;
const kpi = kpiMaker(one);
const reviews = probationMaker(one);
const [acme, beta] = [await make.entity({ name: 'Acme' }), await make.entity({ name: 'Beta' })];
const admin = await as((await make.admin()).user_id);

let serial = 0;
async function role(depth: 'direct' | 'tree', permissions: readonly Permission[] = seededGrants('Manager')) {
  serial += 1;
  const { body } = await admin.post('/api/roles', {
    name: `Line ${serial}00`,
    scope: 'managed',
    managed_depth: depth,
    permissions,
  });
  return body.data as { id: number; name: string; managed_depth: string; revision: number };
}
const [direct, tree] = [await role('direct'), await role('tree')];
const give = (person: MadeEmployee, { id }: { id: number }, entity_ids: number[] | null = null) =>
  owner.query(
    `insert into role_assignments (user_id, role_id, entity_ids) values ($1, $2, $3)
     on conflict (user_id, role_id) do update set entity_ids = excluded.entity_ids`,
    [person.user_id, id, entity_ids],
  );
const take = (people: readonly MadeEmployee[]) =>
  owner.query('delete from role_assignments where user_id = any($1::bigint[])', [people.map((p) => p.user_id)]);
const setManager = (person: MadeEmployee, manager: MadeEmployee | null) =>
  owner.query('update employees set reporting_manager_id = $2 where id = $1', [person.id, manager?.id ?? null]);

/** A line of four, each in a separate department, and a person outside it. */
async function line(company = acme) {
  const person = () => make.employee({ entity_id: company.id, roles: [] });
  const [top, middle, low, worker, other] = [
    await person(),
    await person(),
    await person(),
    await person(),
    await person(),
  ];
  await setManager(middle, top);
  await setManager(low, middle);
  await setManager(worker, low);
  return { top, middle, low, worker, other };
}

const byNumber = (a: number, b: number) => a - b;
const ids = async (client: Client) =>
  ((await client.get('/api/employees?per_page=100')).body.data as { id: number }[]).map(({ id }) => id).sort(byNumber);
const sorted = (...people: MadeEmployee[]) => people.map(({ id }) => id).sort(byNumber);

test('the direct depth keeps direct reports; the whole tree adds all below, on every node at once', async () => {
  const { top, middle, low, worker, other } = await line();
  await give(top, direct);
  const [here, there] = [await one.as(top.user_id), await two.as(top.user_id)];
  expect(await ids(here)).toEqual(sorted(top, middle));
  await take([top]);
  await give(top, tree);
  for (const client of [here, there]) expect(await ids(client)).toEqual(sorted(top, middle, low, worker));
  // a first report of a person without reports
  const fresh = await make.employee({ entity_id: acme.id, roles: [], reporting_manager_id: worker.id });
  for (const client of [here, there]) expect(await ids(client)).toEqual(sorted(top, middle, low, worker, fresh));
  await setManager(low, other);
  for (const client of [here, there]) {
    expect(await ids(client)).toEqual(sorted(top, middle));
    expect((await client.get(`/api/employees/${fresh.id}`)).status).toBe(404);
  }
  await setManager(other, middle);
  for (const client of [here, there]) expect(await ids(client)).toEqual(sorted(top, middle, other, low, worker, fresh));
});

test('every list, record, search, count and export has the tree, and nothing beside it', async () => {
  const { top, middle, worker, other } = await line();
  await give(top, await role('tree', [...seededGrants('Manager'), 'employees.export']));
  const client = await as(top.user_id);
  const results = async (person: MadeEmployee) => ({
    evaluation: (await kpi.evaluation({ employee: person, status: 'completed' })).id,
    review: (await reviews.review({ employee: person, status: 'approved', comments: 'Kept well.' })).id,
  });
  const [below, beside] = [await results(worker), await results(other)];
  const texts = async () => {
    const urls = ['/employees', '/kpi-evaluations', '/probation-reviews', '/actionable-items'];
    const lists = await Promise.all(urls.map((url) => client.get(`/api${url}?per_page=100`)));
    const found = await Promise.all([worker, other].map((p) => client.get(`/api/search?q=${p.employee_number}`)));
    const file = await client.get('/api/employees/export?format=csv');
    return JSON.stringify([...lists, ...found].map(({ body }) => body as unknown)) + String(file.body);
  };
  const text = await texts();
  expect(text).toContain(worker.employee_number);
  expect(text.replaceAll(`q=${other.employee_number}`, '')).not.toContain(`"${other.employee_number}"`);
  const status = async (url: string) => (await client.get(`/api${url}`)).status;
  expect(await status(`/kpi-evaluations/${below.evaluation}`)).toBe(200);
  expect(await status(`/probation-reviews/${below.review}`)).toBe(200);
  expect(await status(`/kpi-evaluations/${beside.evaluation}`)).toBe(404);
  expect(await status(`/probation-reviews/${beside.review}`)).toBe(404);
  expect((await client.get('/api/employees?per_page=1')).body.meta.total).toBe(4);
  expect((await client.get('/api/kpi-evaluations?per_page=1')).body.meta.total).toBe(1);
  await take([top]);
  await give(top, direct);
  expect(await status(`/employees/${worker.id}`)).toBe(404);
  expect(await status(`/kpi-evaluations/${below.evaluation}`)).toBe(404);
  expect(await status(`/employees/${middle.id}`)).toBe(200);
});

test('a limit to companies narrows the tree, and each role keeps its own depth', async () => {
  const { top, middle, low } = await line();
  const abroad = await make.employee({ entity_id: beta.id, roles: [], reporting_manager_id: low.id });
  await give(top, tree, [acme.id]);
  const client = await as(top.user_id);
  expect(await ids(client)).not.toContain(abroad.id);
  await give(top, tree, [beta.id]);
  expect(await ids(client)).toEqual(sorted(top, abroad));
  // the whole tree to see people, direct reports to change them
  await give(top, await role('tree', ['employees.view']));
  await give(top, await role('direct', ['employees.view', 'employees.update']));
  const put = (person: MadeEmployee) => client.put(`/api/employees/${person.id}`, { job_title: 'Fitter' });
  expect([(await put(middle)).status, (await put(low)).status]).toEqual([200, 404]);
});

type World = { managers: (number | null)[]; heads: (number | null)[]; leads: (number | null)[]; places: number[] };
const size = 8;
const anyone = fc.option(fc.nat(size - 1), { nil: null });
const world: fc.Arbitrary<World> = fc.record({
  managers: fc.array(anyone, { minLength: size, maxLength: size }),
  heads: fc.array(anyone, { minLength: 3, maxLength: 3 }),
  leads: fc.array(anyone, { minLength: 3, maxLength: 3 }),
  places: fc.array(fc.nat(2), { minLength: size, maxLength: size }),
});

/** Superiors by the words of docs/roles.md, computed independently. Department 1 is below 0, department 2 below 1. */
function superiorsOf({ managers, heads, leads }: World, me: number): Set<number> {
  const under = (d: number): boolean => heads[d] === me || (d > 0 && under(d - 1));
  const first = new Set<number | null>([managers[me] ?? null]);
  for (const [d] of heads.entries())
    if (heads[d] === me || leads[d] === me)
      for (let up = d; up >= 0; up -= 1) if (!under(up)) first.add(heads[up] ?? null);
  const found = new Set<number>();
  for (let start of first)
    while (start !== null && start !== me && !found.has(start)) {
      found.add(start);
      start = managers[start] ?? null;
    }
  return found;
}

/** The people a holder of the whole tree manages. */
function managedBy(given: World, me: number): number[] {
  const { managers, heads, leads, places } = given;
  const superiors = superiorsOf(given, me);
  const headed = (d: number): boolean => heads[d] === me || (d > 0 && headed(d - 1));
  const isBelow = (person: number): boolean => {
    const seen = new Set<number>();
    for (let at: number = person; ;) {
      if (seen.has(at) || superiors.has(at)) return false;
      seen.add(at);
      const up = managers[at] ?? null;
      if (up === null) return false;
      if (up === me) return true;
      at = up;
    }
  };
  return [...managers.keys()].filter(
    (person) =>
      person !== me &&
      !superiors.has(person) &&
      (isBelow(person) || headed(places[person] ?? 0) || leads[places[person] ?? 0] === me),
  );
}

test('in any organisation, also with circles, the tree holds exactly whom the rules say', async () => {
  const departments = [await make.department({ entity_id: acme.id })];
  for (const at of [0, 1])
    departments.push(await make.department({ entity_id: acme.id, parent_id: departments[at]?.id as number }));
  const people: MadeEmployee[] = [];
  for (let n = 0; n < size; n += 1)
    people.push(await make.employee({ department_id: departments[0]?.id as number, roles: [] }));
  const [me] = people as [MadeEmployee];
  const seer = await role('tree', ['employees.view', 'kpi-evaluation.view', 'kpi-evaluation.hr-review']);
  await give(me, seer);
  const client = await as(me.user_id);
  const seen = { below: 0 };
  await fc.assert(
    fc.asyncProperty(world, async (given) => {
      // a person never reports to themselves; the head and the team lead of a department are two people
      const managers = given.managers.map((manager, n) => (manager === n ? null : manager));
      const leads = given.leads.map((lead, d) => (lead === given.heads[d] ? null : lead));
      const now = { ...given, managers, leads };
      await owner.query('update departments set manager_id = null, team_lead_id = null where id = any($1::bigint[])', [
        departments.map(({ id }) => id),
      ]);
      for (const [d, { id }] of departments.entries())
        await owner.query('update departments set manager_id = $2, team_lead_id = $3 where id = $1', [
          id,
          people[now.heads[d] ?? -1]?.id ?? null,
          people[now.leads[d] ?? -1]?.id ?? null,
        ]);
      for (const [n, { id }] of people.entries())
        await owner.query('update employees set reporting_manager_id = $2, department_id = $3 where id = $1', [
          id,
          people[now.managers[n] ?? -1]?.id ?? null,
          departments[now.places[n] ?? 0]?.id,
        ]);
      const expected = managedBy(now, 0);
      seen.below += expected.length;
      const idsOf = (all: number[]) => all.map((n) => people[n]?.id as number).sort(byNumber);
      expect(await ids(client)).toEqual(idsOf([0, ...expected]));
      // the same from each person's perspective: who is notified for HR
      const { rows } = await sql<{ subject_id: number }>`
        select subject_id from (${hrOfEach(
          'kpi-evaluation.hr-review',
          sql`
          select id as subject_id, id as employee_id, entity_id, department_id from employees
          where id = any(${people.map(({ id }) => id)}::bigint[])`,
        )}) as h
        where h.user_id = ${me.user_id}`.execute(deps.db);
      expect(rows.map(({ subject_id }) => subject_id).sort(byNumber)).toEqual(idsOf(expected));
      for (const [n, { id }] of people.entries()) {
        const { rows: hr } = await sql<{ user_id: number }>`${hrFor('kpi-evaluation.hr-review', id)}`.execute(deps.db);
        expect(hr.some(({ user_id }) => user_id === me.user_id)).toBe(expected.includes(n));
      }
    }),
    { numRuns: 40 },
  );
  expect(seen.below).toBeGreaterThan(20);
});

/** A user who arranges all people without the rights of managers. */
const arranging: Permission[] = ['employees.view', 'employees.view_all', 'employees.update', 'employees.create'];
async function clerk(extra: readonly Permission[] = [], entity_ids: number[] | null = null) {
  serial += 1;
  const { body } = await admin.post('/api/roles', {
    name: `Desk ${serial}00`,
    scope: 'all',
    permissions: [...new Set([...arranging, ...extra])],
  });
  const person = await make.employee({ entity_id: acme.id, roles: [] });
  await give(person, body.data, entity_ids);
  return { person, client: await as(person.user_id) };
}

test('moving a person gives the person and all below to every tree above: it needs their rights', async () => {
  const { top, middle, low, worker, other } = await line();
  await give(top, await role('tree', ['employees.view', 'employees.update', 'kpi-evaluation.view']));
  await setManager(middle, null);
  const { client } = await clerk();
  const move = (who: Client, person: MadeEmployee, manager: MadeEmployee) =>
    who.put(`/api/employees/${person.id}`, { reporting_manager_id: manager.id });
  // `other` has no role, so only those above gain
  await setManager(other, top);
  for (const person of [middle, low]) expect((await move(client, person, other)).status).toBe(403);
  expect(
    (
      await client.post('/api/employees/bulk', {
        kind: 'manager',
        ids: [middle.id],
        reporting_manager_id: other.id,
        reason: 'As was agreed',
      })
    ).body.data,
  ).toMatchObject({ counts: { changed: 0, refused: 1 } });
  const planned = await client.post(`/api/employees/${middle.id}/job-history`, {
    reporting_manager_id: other.id,
    effective_from: '2026-11-01',
  });
  expect(planned.status).toBe(403);
  const fresh = { first_name: 'New', last_name: 'Person', email: 'new.tree@example.com', joining_date: '2026-01-05' };
  const created = await client.post('/api/employees', {
    ...fresh,
    entity_id: acme.id,
    department_id: other.department_id,
    reporting_manager_id: other.id,
    employment_type: 'full_time',
    employment_lifecycle: 'confirmed',
  });
  expect(created.status).toBe(403);
  const { rows } = await owner.query('select id from employees where reporting_manager_id = $1', [other.id]);
  expect(rows).toEqual([]);
  // with these rights over all of them, it is allowed
  const able = await clerk(['kpi-evaluation.view']);
  expect((await move(able.client, middle, other)).status).toBe(200);
  expect(await ids(await as(top.user_id))).toEqual(sorted(top, other, middle, low, worker));
});

test('rights over the moved person alone do not give away those below', async () => {
  const { top, middle, low, other } = await line();
  await setManager(middle, null);
  await setManager(other, top);
  await owner.query(
    'update employees set entity_id = $2, department_id = (select id from departments where entity_id = $2 limit 1) where id = $1',
    [low.id, (await make.employee({ entity_id: beta.id, roles: [] })).entity_id],
  );
  await give(top, await role('tree', ['employees.view', 'kpi-evaluation.view']));
  const { person, client } = await clerk([], null);
  // the right for the tree only in Acme; `low` is in Beta
  serial += 1;
  const { body } = await admin.post('/api/roles', {
    name: `Reader ${serial}00`,
    scope: 'all',
    permissions: ['kpi-evaluation.view'],
  });
  await give(person, body.data, [acme.id]);
  const move = () => client.put(`/api/employees/${middle.id}`, { reporting_manager_id: other.id });
  expect((await move()).status).toBe(403);
  await setManager(low, null);
  expect((await move()).status).toBe(200);
});

test('the order of two changes that build a tree makes no difference, nor that they come together', async () => {
  const { top, middle, low, other } = await line();
  await setManager(middle, null);
  await setManager(low, null);
  await give(top, await role('tree', ['employees.view', 'kpi-evaluation.view']));
  const { person, client } = await clerk();
  const actor = {
    ...(await loadRights(deps.db, person.user_id)),
    ...person,
    employee_id: person.id,
  } as unknown as Actor;
  const moveOf = (moved: MadeEmployee, manager: MadeEmployee) => {
    const before = { entity_id: moved.entity_id, department_id: moved.department_id, reporting_manager_id: null };
    return { id: moved.id, before, after: { ...before, reporting_manager_id: manager.id } };
  };
  const moves = [moveOf(middle, other), moveOf(other, top)];
  expect((await checkMoves(deps.db, actor, moves)).refused).toEqual(new Set(moves));
  const both = await client.post('/api/employees/bulk', {
    kind: 'manager',
    ids: [middle.id],
    reporting_manager_id: other.id,
    reason: 'As was agreed',
  });
  // no account gains: `other` and those above have no role
  expect(both.status).toBe(200);
  const above = await client.put(`/api/employees/${other.id}`, { reporting_manager_id: top.id });
  expect(above.status).toBe(403);
  expect(await ids(await as(top.user_id))).toEqual(sorted(top));
});

test('an account with the whole tree is covered by those who reach the whole tree', async () => {
  const { top, middle, low } = await line();
  await make.employee({ entity_id: beta.id, roles: [], reporting_manager_id: low.id });
  const ways: Permission[] = ['employees.view', 'employees.view_sensitive', 'employees.reset_password'];
  const able = await clerk(ways, [acme.id]);
  const holder = { ...(await loadRights(deps.db, able.person.user_id)), ...able.person, employee_id: able.person.id };
  const covered = async () => (await coveredAccounts(deps.db, holder, [top.user_id])).has(top.user_id);
  await give(top, await role('direct', ['employees.view']));
  expect(await covered()).toBe(true);
  const reset = () => able.client.post(`/api/employees/${top.id}/reset-password`, {});
  await take([top]);
  await give(top, await role('tree', ['employees.view']));
  expect(await covered()).toBe(false);
  expect((await reset()).status).toBe(403);
  // a manager with the whole tree above covers one below
  const chief = await make.employee({ entity_id: acme.id, roles: [] });
  await setManager(top, chief);
  await give(chief, await role('tree', ways));
  const rights = async () => ({ ...(await loadRights(deps.db, chief.user_id)), ...chief, employee_id: chief.id });
  expect((await coveredAccounts(deps.db, await rights(), [top.user_id])).has(top.user_id)).toBe(true);
  await take([chief]);
  await give(chief, await role('direct', ways));
  expect((await coveredAccounts(deps.db, await rights(), [top.user_id])).has(top.user_id)).toBe(false);
  expect(middle.id).toBeGreaterThan(0);
});

test('a role for managed people changes its depth, built-in ones too; holders who gain sign in again', async () => {
  const { top, middle, low, worker } = await line();
  const { id } = await deps.db.selectFrom('roles').select('id').where('name', '=', 'Manager').executeTakeFirstOrThrow();
  await give(top, { id });
  const client = await as(top.user_id);
  expect(await ids(client)).toEqual(sorted(top, middle));
  const changed = await admin.put(`/api/roles/${id}`, { managed_depth: 'tree' });
  expect([changed.status, changed.body.data.managed_depth]).toEqual([200, 'tree']);
  expect((await client.get('/api/me')).status).toBe(401);
  const again = await as(top.user_id);
  expect(await ids(again)).toEqual(sorted(top, middle, low, worker));
  expect((await again.get('/api/me')).body.data.user.role_assignments[0].managed_depth).toBe('tree');
  const { rows } = await owner.query(
    `select changes from audit_log where action = 'role.updated' and subject_id = $1`,
    [id],
  );
  expect(rows).toEqual([{ changes: { managed_depth: { from: 'direct', to: 'tree' } } }]);
  expect((await admin.put(`/api/roles/${id}`, { managed_depth: 'direct' })).status).toBe(200);
  expect(await ids(again)).toEqual(sorted(top, middle));
});

test.each([
  [{ scope: 'all', managed_depth: 'tree' }, { managed_depth: ['The reporting line field is prohibited.'] }],
  [{ scope: 'own', managed_depth: 'tree' }, { managed_depth: ['The reporting line field is prohibited.'] }],
  [{ scope: 'managed', managed_depth: 'deep' }, { managed_depth: ['The selected reporting line is invalid.'] }],
])('a role with %j is refused', async (fields, errors) => {
  const answer = await admin.post('/api/roles', { name: 'Deep diver', permissions: ['employees.view'], ...fields });
  expect([answer.status, answer.body.errors]).toEqual([422, errors]);
  expect((await deps.db.selectFrom('roles').select('id').where('name', '=', 'Deep diver').execute()).length).toBe(0);
});

test('with another scope a role goes down no line any more', async () => {
  const { id } = await role('tree');
  const answer = await admin.put(`/api/roles/${id}`, { scope: 'own' });
  expect([answer.status, answer.body.data.managed_depth]).toEqual([200, 'direct']);
  const { id: hr } = await deps.db.selectFrom('roles').select('id').where('name', '=', 'HR').executeTakeFirstOrThrow();
  expect((await admin.put(`/api/roles/${hr}`, { managed_depth: 'tree' })).status).toBe(422);
});

test('a view as the role shows the tree below the administrator, and follows changes of the line', async () => {
  const boss = await make.employee({ entity_id: acme.id, roles: ['Admin'] });
  const { top, middle, low, worker } = await line();
  await setManager(top, boss);
  const client = await as(boss.user_id);
  expect((await client.post(`/api/roles/${tree.id}/view`, {})).status).toBe(200);
  expect(await ids(client)).toEqual(sorted(boss, top, middle, low, worker));
  await setManager(low, null);
  expect(await ids(client)).toEqual(sorted(boss, top, middle));
});
