import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import type { Answer } from '../testing/client.ts';

// two processes of one installation: simultaneous requests only meet in the database
const one = await startApp();
const two = await startApp({}, { beside: one });
const { make, owner } = one;
const acme = await make.entity();
const office = await make.department({ entity_id: acme.id });
const hrPerson = await make.employee({ roles: ['HR'], department_id: office.id });
const [hr, otherHr] = [await one.as(hrPerson.user_id), await two.as(hrPerson.user_id)];

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort((a, b) => a - b);
const count = async (text: string, values: unknown[] = []) =>
  Number((await owner.query<{ count: string }>(text, values)).rows[0]?.count);

const newcomer = (n: number, number: string) => ({
  first_name: 'Ada',
  last_name: `Moss${n}`,
  email: `ada.moss${n}-${number.toLowerCase()}@example.com`,
  employee_number: number,
  entity_id: acme.id,
  department_id: office.id,
  joining_date: '2025-03-03',
});

test('of twenty people created with one number one succeeds, and the others get the taken field', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 ? hr : otherHr).post('/api/employees', newcomer(n, 'RACE-1'))),
  );
  expect(statuses(answers)).toEqual([201, ...Array.from({ length: 19 }, () => 422)]);
  const refused = answers.find(({ status }) => status === 422);
  expect(refused?.body.errors).toEqual({ employee_number: ['The employee number has already been taken.'] });
  expect(await count("select count(*) from employees where employee_number = 'RACE-1'")).toBe(1);
  expect(await count("select count(*) from users where email like '%race-1@example.com'")).toBe(1);
});

test('one key sent to two processes at the same moment creates one person', async () => {
  const body = newcomer(1, 'RACE-2');
  const headers = { 'idempotency-key': 'race-2' };
  const answers = await Promise.all(
    [hr, otherHr].map((client) =>
      client.post(
        '/api/departments',
        {
          name: body.last_name,
          entity_id: acme.id,
        },
        headers,
      ),
    ),
  );
  expect(statuses(answers)).toEqual([201, 201]);
  expect(answers.filter(({ headers: sent }) => sent['idempotent-replayed'] === 'true')).toHaveLength(1);
  expect(await count('select count(*) from departments where name = $1', [body.last_name])).toBe(1);
});

test('two changes of one record with the same revision: the second is refused', async () => {
  const { id } = await make.employee({ department_id: office.id });
  const answers = await Promise.all(
    [hr, otherHr].map((client, n) => client.put(`/api/employees/${id}`, { phone: `+49 30 ${n}`, revision: 1 })),
  );
  expect(statuses(answers)).toEqual([200, 422]);
  expect(await count('select revision as count from employees where id = $1', [id])).toBe(2);
});

test('a form and a job change cannot close a circle of managers together', async () => {
  const circles: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const [a, b] = [
      await make.employee({ department_id: office.id }),
      await make.employee({ department_id: office.id }),
    ];
    await Promise.all([
      hr.put(`/api/employees/${a.id}`, { reporting_manager_id: b.id }),
      otherHr.post(`/api/employees/${b.id}/job-history`, {
        reporting_manager_id: a.id,
        effective_from: Temporal.Now.plainDateISO('UTC').toString(),
      }),
    ]);
    const { rows } = await owner.query<{ id: string }>(
      'select e.id from employees e join employees m on m.id = e.reporting_manager_id where m.reporting_manager_id = e.id',
    );
    circles.push(...rows.map((row) => row.id));
  }
  expect(circles).toEqual([]);
  expect(await count('select count(*) from employees where reporting_manager_id is not null')).toBe(3);
});

test('a removed role takes effect at the next request of the other process', async () => {
  const person = await make.employee({ roles: ['HR'], department_id: office.id });
  const client = await two.as(person.user_id);
  const path = '/api/employees/export';
  expect((await client.get(path)).status).toBe(200);
  const admin = await one.as((await make.admin()).user_id);
  expect((await admin.put(`/api/employees/${person.id}/roles`, { assignments: [] })).status).toBe(200);
  expect((await client.get(path)).status).toBe(403);
});

test('a session ended in one process is ended in the other', async () => {
  const person = await make.employee({ department_id: office.id });
  const client = await one.as(person.user_id);
  const elsewhere = await two.as();
  for (const [name, value] of client.cookies) elsewhere.cookies.set(name, value);
  expect((await elsewhere.get('/api/me')).status).toBe(200);
  const copied = new Map(elsewhere.cookies);
  expect((await client.post('/api/logout')).status).toBe(200);
  for (const [name, value] of copied) elsewhere.cookies.set(name, value);
  expect((await elsewhere.get('/api/me')).status).toBe(401);
});

test('two last administrators who demote each other: one of them remains', async () => {
  const admins = [
    await make.employee({ roles: ['Admin'], department_id: office.id }),
    await make.employee({ roles: ['Admin'], department_id: office.id }),
  ] as const;
  await owner.query(
    `delete from role_assignments where role_id = (select id from roles where name = 'Admin') and user_id <> all($1)`,
    [admins.map(({ user_id }) => user_id)],
  );
  const answers = await Promise.all([
    (await one.as(admins[0].user_id)).put(`/api/employees/${admins[1].id}/roles`, { assignments: [] }),
    (await two.as(admins[1].user_id)).put(`/api/employees/${admins[0].id}/roles`, { assignments: [] }),
  ]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.every(({ status }) => status < 500)).toBe(true);
  expect(
    await count(`select count(*) from role_assignments a join roles r on r.id = a.role_id where r.name = 'Admin'`),
  ).toBe(1);
});
