import type { Permission } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import type { Client } from '../testing/client.ts';

/** Refusals and counts must not confirm guesses about hidden values. */

const app = await startApp();
const { as, make, owner } = app;
const company = await make.entity({ name: 'Acme' });
const office = await make.department({ entity_id: company.id, name: 'Office' });
const hr = await as((await make.employee({ department_id: office.id, roles: ['HR'] })).user_id);

/** A user with only these permissions, over all people. */
async function holderOf(name: string, permissions: readonly Permission[]): Promise<Client> {
  const person = await make.employee({ department_id: office.id, roles: [] });
  const { rows } = await owner.query(`insert into roles (name, scope) values ($1, 'all') returning id`, [name]);
  await owner.query('insert into role_permissions select $1, unnest($2::text[])', [rows[0].id, permissions]);
  await owner.query('insert into role_assignments values ($1, $2)', [person.user_id, rows[0].id]);
  return as(person.user_id);
}

test('a first day does not reveal the birth date', async () => {
  const clerk = await holderOf('Clerk', ['employees.view', 'employees.update', 'employees.import']);
  const joined = { department_id: office.id, joining_date: '2024-01-01' };
  const [young, old] = [
    await make.employee({ ...joined, date_of_birth: '2009-12-31' }),
    await make.employee({ ...joined, date_of_birth: '1960-12-31' }),
  ];
  const move = async (client: Client, { id }: { id: number }) => {
    const { status, body } = await client.put(`/api/employees/${id}`, { joining_date: '2023-06-01' });
    return [status, body.errors];
  };
  const listed = async (client: Client, { employee_number }: { employee_number: string }) => {
    const content = `employee_number,joining_date\n${employee_number},2023-06-01\n`;
    const fields = { dry_run: '1', on_conflict: 'update' };
    const made = await client.upload('/api/employees/import', { name: 'days.csv', content }, fields);
    const rows = await client.get(`/api/employees/imports/${made.body.data.id}/rows`);
    return rows.body.data.map(({ status, errors }: { status: string; errors: unknown }) => [status, errors]);
  };
  const refusal = { joining_date: ['The start date must be at least 14 years after the date of birth.'] };
  expect([await listed(hr, young), await move(hr, young)]).toEqual([[['failed', refusal]], [422, refusal]]);
  expect(await listed(clerk, young)).toEqual(await listed(clerk, old));
  expect(await move(clerk, young)).toEqual(await move(clerk, old));
});

test('the consequences for a company do not count the own undecided probation review', async () => {
  const reader = await make.employee({
    department_id: office.id,
    employment_lifecycle: 'probationary',
    probation_end_date: '2030-01-01',
    roles: ['HR'],
  });
  const client = await as(reader.user_id);
  const paths = [`/api/entities/${company.id}/consequences`, `/api/departments/${office.id}/consequences`];
  const reviewsFor = async (who: Client) => {
    const answers = await Promise.all(paths.map((path) => who.get(path)));
    return answers.map(
      ({ body }) => body.data.items.find(({ kind }: { kind: string }) => kind === 'probation_reviews')?.count ?? 0,
    );
  };
  expect([await reviewsFor(client), await reviewsFor(hr)]).toEqual([
    [0, 0],
    [0, 0],
  ]);
  expect((await hr.post('/api/probation-reviews', { employee_id: reader.id })).status).toBe(201);
  expect([await reviewsFor(client), await reviewsFor(hr)]).toEqual([
    [0, 0],
    [1, 1],
  ]);
});

test('a preflight names people with their employment only to readers of it', async () => {
  const planner = await holderOf('Planner', ['kpi-cycle.view', 'kpi-cycle.publish']);
  const { rows } = await owner.query(
    `insert into kpi_cycles (name, start_date, end_date, created_by_name, entity_id)
     values ('Next year', '2030-01-01', '2030-12-31', 'Somebody', $1) returning id`,
    [company.id],
  );
  const path = `/api/kpi-cycles/${rows[0].id}`;
  expect((await hr.put(`${path}/departments/${office.id}`, {})).status).toBe(200);
  await make.employee({ department_id: office.id, employment_lifecycle: 'resigned', last_working_date: '2030-06-30' });
  const excluded = async (client: Client) => {
    const { excluded: named, excluded_count: count } = (await client.get(`${path}/preflight`)).body.data;
    return [count, named.map(({ reason }: { reason: string }) => reason)];
  };
  const [count, reasons] = await excluded(hr);
  expect(reasons).toContain('leaving');
  expect(await excluded(planner)).toEqual([count, []]);
});
