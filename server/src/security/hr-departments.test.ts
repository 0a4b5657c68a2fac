import fc from 'fast-check';
import { sql } from 'kysely';
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

/** HR limited to departments covers the people of these and of those below, and nothing in other departments. */

const app = await startApp({ RATE_LIMIT_PER_MINUTE: '1000000' });
const { as, make, deps, owner } = app;
const kpi = kpiMaker(app);
const reviews = probationMaker(app);
const [acme, beta] = [await make.entity({ name: 'Acme' }), await make.entity({ name: 'Beta' })];
const dept = (name: string, parent_id: number | null = null, entity_id = acme.id) =>
  make.department({ name, entity_id, parent_id });
const sales = await dept('Sales');
const field = await dept('Field', sales.id);
const works = await dept('Works');
const shop = await dept('Shop', null, beta.id);
const person = (name: string, department_id: number, roles: Parameters<typeof make.employee>[0] = {}) =>
  make.employee({ first_name: name, last_name: `${name}son`, department_id, ...roles });
const [insider, junior, outsider, stranger] = [
  await person('Indira', sales.id),
  await person('Junia', field.id),
  await person('Outis', works.id),
  await person('Strana', shop.id),
];
const hana = await person('Hana', works.id, { roles: [{ role: 'HR', department_ids: [sales.id] }] });
const hr = await as(hana.user_id);
const admin = await as((await make.admin()).user_id);
const { id: hrRole } = await deps.db
  .selectFrom('roles')
  .select('id')
  .where('name', '=', 'HR')
  .executeTakeFirstOrThrow();

const byNumber = (a: number, b: number) => a - b;
const ids = async (client: Client, path = '/api/employees') =>
  ((await client.get(`${path}?per_page=100`)).body.data as { id: number }[]).map(({ id }) => id).sort(byNumber);
const sorted = (...people: { id: number }[]) => people.map(({ id }) => id).sort(byNumber);
const assign = (client: Client, to: MadeEmployee, assignment: object) =>
  client.put(`/api/employees/${to.id}/roles`, { assignments: [{ role_id: hrRole, ...assignment }] });
const held = async ({ user_id }: MadeEmployee) =>
  (
    await owner.query('select entity_ids, department_ids from role_assignments where user_id = $1 and role_id = $2', [
      user_id,
      hrRole,
    ])
  ).rows as unknown[];

const evaluations = [
  await kpi.evaluation({ employee: junior, status: 'hr_review' }),
  await kpi.evaluation({ employee: outsider, status: 'hr_review' }),
  await kpi.evaluation({ employee: stranger, status: 'hr_review' }),
] as const;
const probations = [
  await reviews.review({ employee: insider, status: 'submitted' }),
  await reviews.review({ employee: outsider, status: 'submitted' }),
] as const;

test('lists, exports, figures and the chart name people of the departments and those below only', async () => {
  expect(await ids(hr)).toEqual(sorted(insider, junior, hana));
  expect(await ids(hr, '/api/kpi-evaluations')).toEqual([evaluations[0].id]);
  expect(await ids(hr, '/api/probation-reviews')).toEqual([probations[0].id]);
  expect(await ids(hr, '/api/departments')).toEqual(sorted(sales, field));
  const { data } = (await hr.get('/api/dashboard')).body;
  expect(data.headcount.active).toBe(3);
  const paths = [
    '/api/employees?search=Outis',
    `/api/employees?department_id=${works.id}`,
    '/api/employees/export',
    '/api/kpi-evaluations?search=Outis',
    '/api/kpi-evaluations/filter-options',
    '/api/kpi-evaluations/export',
    '/api/probation-reviews/export',
    '/api/probation-reviews/upcoming',
    '/api/actionable-items',
    '/api/org-chart',
    '/api/search?q=Outis',
    '/api/dashboard',
    '/api/reports/movement',
    '/api/job-changes',
    '/api/audit-log',
    '/api/departments/export',
  ];
  for (const path of paths) {
    const answer = await hr.get(path);
    const shown = answer.body?.data ? JSON.stringify(answer.body.data) : answer.bytes.toString();
    expect.soft([answer.status, /Outis|Strana|"Shop"/.test(shown)], path).toEqual([200, false]);
  }
  for (const path of ['/api/audit-log', '/api/entities', '/api/kpi-templates'])
    expect((await hr.get(path)).body.data ?? [], path).toEqual([]);
});

test('the tasks of HR are those of the departments, and not of administrators besides', async () => {
  const tasks = async (client: Client) =>
    ((await client.get('/api/actionable-items?per_page=100')).body.data as { id: string }[]).map(({ id }) => id);
  const mine = await tasks(hr);
  expect(mine).toContain(`probation_review_approval:${probations[0].id}`);
  expect(mine).not.toContain(`probation_review_approval:${probations[1].id}`);
  const theirs = await tasks(admin);
  expect(theirs).not.toContain(`probation_review_approval:${probations[0].id}`);
  expect(theirs).toContain(`probation_review_approval:${probations[1].id}`);
});

test('records inside are read and changed, records outside are absent, and nothing of the company is written', async () => {
  expect((await hr.get(`/api/employees/${junior.id}`)).status).toBe(200);
  expect((await hr.put(`/api/employees/${junior.id}`, { job_title: 'Advisor' })).status).toBe(200);
  for (const other of [outsider, stranger]) {
    for (const path of ['', '/job-history', '/roles', '/attachments', '/absences', '/former-results'])
      expect((await hr.get(`/api/employees/${other.id}${path}`)).status, path).toBe(404);
    expect((await hr.put(`/api/employees/${other.id}`, { job_title: 'X' })).status).toBe(404);
    expect((await hr.post(`/api/employees/${other.id}/deactivate`, { reason: 'None at all' })).status).toBe(404);
  }
  expect((await hr.get(`/api/kpi-evaluations/${evaluations[0].id}`)).status).toBe(200);
  for (const { id } of evaluations.slice(1)) expect((await hr.get(`/api/kpi-evaluations/${id}`)).status).toBe(404);
  expect((await hr.get(`/api/probation-reviews/${probations[1].id}`)).status).toBe(404);
  const moved = await hr.put(`/api/employees/${junior.id}`, { department_id: works.id });
  expect([moved.status, Object.keys(moved.body.errors ?? {})]).toEqual([422, ['department_id']]);
  const abroad = await hr.put(`/api/employees/${junior.id}`, { entity_id: beta.id, department_id: shop.id });
  expect(abroad.status).toBe(422);
  const top = await hr.post('/api/departments', { entity_id: acme.id, name: 'Top level' });
  expect([403, 422]).toContain(top.status);
  expect([403, 404]).toContain((await hr.put(`/api/entities/${acme.id}`, { name: 'Mine' })).status);
  expect([403, 404]).toContain((await hr.put(`/api/departments/${works.id}`, { name: 'Mine' })).status);
  const news = {
    title: 'To all',
    body: 'Of the company',
    entity_ids: [acme.id],
    starts_on: '2030-01-01',
    ends_on: '2030-01-02',
  };
  expect([403, 422]).toContain((await hr.post('/api/announcements', news)).status);
  const cycle = { name: 'Mine', entity_id: acme.id, start_date: '2030-01-01', end_date: '2030-12-31' };
  expect([403, 422]).toContain((await hr.post('/api/kpi-cycles', cycle)).status);
  const { rows } = await owner.query(
    `select (select count(*)::int from departments where name in ('Top level', 'Mine')) as departments,
            (select department_id from employees where id = $1) as department_id`,
    [junior.id],
  );
  expect(rows).toEqual([{ departments: 0, department_id: String(field.id) }]);
});

test('people are added in the departments, and nowhere else', async () => {
  const form = (department_id: number) => ({
    first_name: 'Neo',
    last_name: `Of${department_id}`,
    email: `neo${department_id}@example.test`,
    entity_id: acme.id,
    department_id,
    joining_date: '2026-01-01',
  });
  const added = await hr.post('/api/employees', form(field.id));
  expect(added.status).toBe(201);
  expect((await hr.post('/api/employees', form(works.id))).status).toBe(403);
  await owner.query('update employees set deleted_at = now() where id = $1', [added.body.data.id]);
});

test('a holder gives what they cover: their departments, and no company', async () => {
  const given = await assign(hr, insider, { department_ids: [field.id] });
  expect([given.status, await held(insider)]).toEqual([200, [{ entity_ids: [], department_ids: [String(field.id)] }]]);
  expect((await hr.get(`/api/employees/${insider.id}/roles`)).body.data.assignments[0].departments).toEqual([
    { id: field.id, name: 'Field' },
  ]);
  for (const wide of [
    {},
    { entity_ids: [acme.id] },
    { department_ids: [works.id] },
    { department_ids: [field.id, works.id] },
  ])
    expect((await assign(hr, insider, wide)).status, JSON.stringify(wide)).toBe(403);
  expect(await held(insider)).toEqual([{ entity_ids: [], department_ids: [String(field.id)] }]);
  // with whole companies and departments together, a company with a department counts as limited to it
  const both = { entity_ids: [acme.id, beta.id], department_ids: [field.id] };
  expect((await assign(admin, insider, both)).status).toBe(200);
  expect(await held(insider)).toEqual([{ entity_ids: [String(beta.id)], department_ids: [String(field.id)] }]);
  const none = await assign(admin, insider, { entity_ids: [], department_ids: [] });
  expect(none.body.errors).toHaveProperty(['assignments.0.entity_ids']);
  const empty = await assign(admin, insider, { department_ids: [] });
  expect(empty.body.errors).toHaveProperty(['assignments.0.department_ids']);
  const unknown = await assign(admin, insider, { department_ids: [999_999] });
  expect(unknown.body.errors).toHaveProperty(['assignments.0.department_ids']);
  const scope = await admin.put(`/api/roles/${hrRole}`, { scope: 'managed' });
  expect(scope.status).toBe(422);
  expect((await assign(admin, insider, { entity_ids: [acme.id], department_ids: [] })).status).toBe(200);
  expect((await hr.put(`/api/employees/${insider.id}/roles`, { assignments: [] })).status).toBe(403);
  await admin.put(`/api/employees/${insider.id}/roles`, { assignments: [] });
});

test('reach follows a moved department at once, and a department with such a role is not deleted', async () => {
  await owner.query('update departments set parent_id = null where id = $1', [field.id]);
  expect(await ids(hr)).toEqual(sorted(insider, hana));
  expect((await hr.get(`/api/employees/${junior.id}`)).status).toBe(404);
  await owner.query('update departments set parent_id = $1 where id = $2', [sales.id, field.id]);
  expect(await ids(hr)).toEqual(sorted(insider, junior, hana));
  const empty = await dept('Empty');
  const gina = await person('Gina', works.id, { roles: [{ role: 'HR', department_ids: [empty.id] }] });
  const refused = await admin.delete(`/api/departments/${empty.id}`);
  expect(refused.status).toBe(422);
  await owner.query('delete from role_assignments where user_id = $1', [gina.user_id]);
  expect((await admin.delete(`/api/departments/${empty.id}`)).status).toBe(204);
});

test('a department leaves its parent by those who reach that, or the company', async () => {
  const { id } = await dept('Region', sales.id);
  for (const [at, named] of [
    ['Fabia', [id]],
    ['Flora', [id, field.id]],
    ['Frida', [sales.id]],
  ] as const) {
    const one = await person(at, works.id, { roles: [{ role: 'HR', department_ids: [...named] }] });
    const client = await as(one.user_id);
    const parents = at === 'Frida' ? [null] : [null, ...named.filter((other) => other !== id)];
    for (const parent_id of parents) {
      const { status, body } = await client.put(`/api/departments/${id}`, { parent_id });
      expect([status, Object.keys(body.errors ?? {})], `${at} ${parent_id}`).toEqual([422, ['parent_id']]);
    }
    if (at === 'Frida') expect((await client.put(`/api/departments/${id}`, { parent_id: field.id })).status).toBe(200);
    await owner.query('delete from role_assignments where user_id = $1', [one.user_id]);
  }
  expect((await admin.put(`/api/departments/${id}`, { parent_id: null })).status).toBe(200);
});

test('a person is added together with roles of their own', async () => {
  const { rows } = await owner.query(`select id::int from roles where name = 'Employee'`);
  const { status, body } = await hr.post('/api/employees', {
    first_name: 'Nea',
    last_name: 'Own',
    email: 'nea@example.test',
    entity_id: acme.id,
    department_id: field.id,
    joining_date: '2026-01-01',
    assignments: [{ role_id: rows[0]?.id }, { role_id: hrRole, department_ids: [field.id] }],
  });
  expect([status, body.message]).toEqual([201, expect.any(String)]);
  await owner.query('update employees set deleted_at = now() where id = $1', [body.data.id]);
  await owner.query('delete from role_assignments where department_ids = array[$1::bigint]', [field.id]);
});

test('a password chosen after one of HR is void once the departments of the account left those of HR', async () => {
  const holder = await person('Hedwig', field.id, { roles: [{ role: 'HR', department_ids: [field.id] }] });
  const { one_time_password: first } = (await hr.post(`/api/employees/${holder.id}/reset-password`)).body;
  const signIn = async (password: string) => {
    const client = await as();
    return { client, status: (await client.post('/login', { email: holder.email, password })).status };
  };
  const { client, status } = await signIn(first);
  const password = 'My0wn!Passphrase';
  const body = { current_password: first, password, password_confirmation: password };
  expect([status, (await client.put('/api/profile/password', body)).status]).toEqual([200, 200]);
  expect((await signIn(password)).status).toBe(200);
  await owner.query('update departments set parent_id = null where id = $1', [field.id]);
  expect((await signIn(password)).status).toBe(422);
  await owner.query('update departments set parent_id = $1 where id = $2', [sales.id, field.id]);
  await owner.query('delete from role_assignments where user_id = $1', [holder.user_id]);
});

const actorOf = async (one: MadeEmployee) =>
  ({ ...(await loadRights(deps.db, one.user_id)), ...one, employee_id: one.id }) as unknown as Actor;

test('a move into a department gives its people to HR there: only those who reach them may move them', async () => {
  const { body } = await admin.post('/api/roles', {
    name: 'Mover',
    scope: 'all',
    permissions: ['employees.view', 'employees.update', 'departments.view', 'departments.update'],
  });
  const { user_id } = await person('Moira', works.id, { roles: [] });
  await owner.query('insert into role_assignments (user_id, role_id, entity_ids) values ($1, $2, $3)', [
    user_id,
    body.data.id,
    [acme.id],
  ]);
  const mover = await as(user_id);
  expect((await mover.put(`/api/employees/${outsider.id}`, { department_id: sales.id })).status).toBe(403);
  expect((await mover.put(`/api/departments/${works.id}`, { parent_id: sales.id })).status).toBe(403);
  expect((await mover.put(`/api/employees/${junior.id}`, { department_id: sales.id })).status).toBe(200);
  expect((await mover.put(`/api/employees/${junior.id}`, { department_id: field.id })).status).toBe(200);
  const { rows } = await owner.query('select parent_id from departments where id = $1', [works.id]);
  expect(rows).toEqual([{ parent_id: null }]);
  const before = { entity_id: acme.id, department_id: works.id, reporting_manager_id: null };
  const move = { id: outsider.id, before, after: { ...before, department_id: sales.id } };
  // the actor's own roles count too
  expect((await checkMoves(deps.db, await actorOf(hana), [move])).refused.size).toBe(1);
});

test('an account in departments is covered by those who reach them, and covers no company', async () => {
  const holder = await person('Hedda', sales.id, { roles: [{ role: 'HR', department_ids: [field.id] }] });
  const wide = await person('Wilma', sales.id, { roles: [{ role: 'HR', entity_ids: [acme.id] }] });
  const covered = await coveredAccounts(deps.db, await actorOf(hana), [holder.user_id, wide.user_id]);
  expect([...covered]).toEqual([holder.user_id]);
  const own = await coveredAccounts(deps.db, await actorOf(holder), [hana.user_id, wide.user_id]);
  expect([...own]).toEqual([]);
  expect((await coveredAccounts(deps.db, await actorOf(wide), [holder.user_id])).size).toBe(1);
  await owner.query('delete from role_assignments where user_id = any($1)', [[holder.user_id, wide.user_id]]);
});

test('the pool of HR of a person equals the reach, in any tree of departments', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, (_, at) => dept(`Node ${at}`)));
  const people = await Promise.all(all.map((one, at) => person(`Node${at}`, one.id)));
  const holders = [await person('Ha', works.id, { roles: [] }), await person('Hb', works.id, { roles: [] })];
  const tree = fc.record({
    parents: fc.array(fc.integer({ min: -1, max: 5 }), { minLength: 6, maxLength: 6 }),
    named: fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 3 }), {
      minLength: 2,
      maxLength: 2,
    }),
  });
  await fc.assert(
    fc.asyncProperty(tree, async ({ parents, named }) => {
      // a parent comes earlier, so that the tree has no circle
      const parentOf = (at: number) => ((parents[at] ?? -1) < at ? (parents[at] ?? -1) : -1);
      const isIn = (at: number, roots: readonly number[]): boolean =>
        at >= 0 && (roots.includes(at) || isIn(parentOf(at), roots));
      await sql`update departments set parent_id = null where id = any(${all.map(({ id }) => id)}::bigint[])`.execute(
        deps.db,
      );
      for (const [at, { id }] of all.entries())
        await sql`update departments set parent_id = ${all[parentOf(at)]?.id ?? null} where id = ${id}`.execute(
          deps.db,
        );
      for (const [at, one] of holders.entries())
        await sql`
          insert into role_assignments (user_id, role_id, entity_ids, department_ids)
          values (${one.user_id}, ${hrRole}, '{}', ${(named[at] ?? []).map((index) => all[index]?.id)}::bigint[])
          on conflict (user_id, role_id) do update set department_ids = excluded.department_ids`.execute(deps.db);
      for (const [at, one] of holders.entries()) {
        const expected = people.filter((_, index) => isIn(index, named[at] ?? []));
        const seen = (await ids(await as(one.user_id))).filter((id) => people.some((other) => other.id === id));
        expect(seen).toEqual(sorted(...expected));
      }
      for (const [index, one] of people.entries()) {
        const expected = holders.filter((_, at) => isIn(index, named[at] ?? [])).map(({ user_id }) => user_id);
        const subject = sql`select 1::bigint as subject_id, ${one.id}::bigint as employee_id,
          ${acme.id}::bigint as entity_id, ${all[index]?.id}::bigint as department_id`;
        for (const pool of [hrFor('employees.update', one.id), hrOfEach('employees.update', subject)]) {
          const { rows } = await sql<{ user_id: number }>`select user_id from (${pool}) as p`.execute(deps.db);
          const found = rows
            .map(({ user_id }) => user_id)
            .filter((id) => holders.some(({ user_id }) => user_id === id));
          expect(found.sort(byNumber)).toEqual(expected.sort(byNumber));
        }
      }
    }),
    { numRuns: 6 },
  );
});
