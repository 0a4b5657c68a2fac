import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Answer } from '../../testing/client.ts';

/** What the cells of a file of former jobs may hold, and what is said of those that are wrong. */

const { as, make, deps, owner } = await startApp();
const acme = await make.entity({ name: 'Acme Foods Ltd' });
const second = await make.entity({ name: 'Second Ltd' });
const sales = await make.department({ entity_id: acme.id, name: 'Sales' });
const stock = await make.department({ entity_id: second.id, name: 'Stock' });
const hr = await as((await make.employee({ roles: ['HR'], department_id: sales.id })).user_id);
const twin = { first_name: 'Kim', last_name: 'Twin', department_id: sales.id } as const;
const [first] = [await make.employee(twin), await make.employee(twin)];

const ok = ({ status, body }: Answer) => {
  expect([200, 201], JSON.stringify(body)).toContain(status);
  return body.data;
};
let serial = 0;
async function check(lines: readonly string[], fields: Record<string, string> = {}) {
  serial += 1;
  const content = ['employee_number,from,to,title,department,manager,company', ...lines].join('\n');
  const { id } = ok(
    await hr.upload('/api/job-history/import', { name: `values-${serial}.csv`, content }, { dry_run: '1', ...fields }),
  );
  const rows = ok(await hr.get(`/api/job-history/imports/${id}/rows?per_page=100`)) as { errors: object }[];
  return { id: id as number, errors: rows.map(({ errors }) => errors) };
}
async function person() {
  const made = await make.employee({ department_id: sales.id, joining_date: '2015-01-01', job_title: 'Director' });
  await owner.query('delete from job_history where employee_id = $1', [made.id]);
  await owner.query(
    `insert into job_history (employee_id, effective_from, status, changed_fields, entity_id, department_id, job_title,
                              employment_type, employment_lifecycle, created_by_name, source)
     select id, '2015-01-01', 'current', '{}', entity_id, department_id, job_title, employment_type,
            employment_lifecycle, 'System', 'assumed' from employees where id = $1`,
    [made.id],
  );
  return made;
}
const pastOf = ({ id }: { id: number }) =>
  deps.db
    .selectFrom('job_history')
    .select(['effective_from', 'job_title', 'entity_id', 'department_id', 'reporting_manager_id'])
    .where('employee_id', '=', id)
    .where('source', '=', 'imported')
    .orderBy('effective_from')
    .execute();

test('a company is found by name or number, and another one needs a department of its own', async () => {
  const { employee_number: number } = await person();
  expect(
    (
      await check([
        `${number},2016-01-01,2016-06-30,Clerk,Sales,,Acme Foods Ltd`,
        `${number},2016-07-01,2016-12-31,Clerk,Stock,,${second.id}`,
        `${number},2017-01-01,2017-06-30,Clerk,,,Second Ltd`,
        `${number},2017-07-01,2017-12-31,Clerk,Sales,,Nowhere Ltd`,
      ])
    ).errors,
  ).toEqual([
    {},
    {},
    { department_id: [expect.any(String)] },
    { entity_id: [expect.stringContaining('“Nowhere Ltd”')] },
  ]);
});

test('a manager whose name several people have is asked for, and one number is one person', async () => {
  const someone = await person();
  const { errors } = await check([
    `${someone.employee_number},2016-01-01,2016-06-30,Clerk,,Kim Twin,`,
    `${someone.employee_number},2016-07-01,2016-12-31,Clerk,,${first.employee_number},`,
  ]);
  expect(errors).toEqual([{ reporting_manager_id: [expect.stringContaining(first.employee_number ?? '')] }, {}]);
});

test('a job whose end is 31 December 9999 has no end', async () => {
  const { employee_number: number } = await person();
  const { errors } = await check([
    `${number},2016-01-01,2016-06-30,Clerk,,,`,
    `${number},2016-07-01,9999-12-31,Director,,,`,
    `${number},2014-07-01,31 June,Head,,,`,
  ]);
  expect(errors).toEqual([{}, {}, { effective_to: [expect.stringContaining('“31 June”')] }]);
});

test('all or nothing writes no job where that of another person is refused meanwhile', async () => {
  const [one, other] = [await person(), await person()];
  const { id, errors } = await check(
    [one, other].map(({ employee_number: number }) => `${number},2016-01-01,2016-06-30,Clerk,,,`),
    { mode: 'atomic' },
  );
  expect(errors).toEqual([{}, {}]);
  await owner.query('delete from job_history where employee_id = $1', [other.id]);
  const { status, body } = await hr.post(`/api/job-history/imports/${id}/commit`);
  expect([status, body.errors.rows]).toEqual([422, ['Row 3 changed.']]);
  expect(await pastOf(one)).toEqual([]);
});

test('a person without any job gets none from a file', async () => {
  const { employee_number: number } = await make.employee({ department_id: sales.id });
  const { errors } = await check([`${number},2016-01-01,2016-06-30,Clerk,,,`]);
  expect(errors).toEqual([{ employee_number: ['This person has no job history.'] }]);
});

test('defaults fill cells that say nothing', async () => {
  const someone = await person();
  const { id, errors } = await check(
    [
      `${someone.employee_number},2016-01-01,2016-06-30,,Stock,,`,
      `${someone.employee_number},2016-07-01,2016-12-31,Buyer,Sales,,Acme Foods Ltd`,
    ],
    { defaults: JSON.stringify({ job_title: 'Clerk', entity: 'Second Ltd' }) },
  );
  expect(errors).toEqual([{}, {}]);
  ok(await hr.post(`/api/job-history/imports/${id}/commit`));
  expect(await pastOf(someone)).toMatchObject([
    { effective_from: '2016-01-01', job_title: 'Clerk', entity_id: second.id, department_id: stock.id },
    { effective_from: '2016-07-01', job_title: 'Buyer', entity_id: acme.id, department_id: sales.id },
  ]);
});

test('a row that is skipped is left out, and the other ones are imported', async () => {
  const someone = await person();
  const { id, errors } = await check([
    `${someone.employee_number},2016-01-01,2016-06-30,Clerk,Nowhere,,`,
    `${someone.employee_number},2016-07-01,2016-12-31,Buyer,,,`,
  ]);
  expect(errors).toEqual([{ department_id: [expect.any(String)] }, {}]);
  expect((await hr.put(`/api/job-history/imports/${id}/rows/99`, { left_out: true })).status).toBe(404);
  ok(await hr.put(`/api/job-history/imports/${id}/rows/2`, { left_out: true }));
  ok(await hr.post(`/api/job-history/imports/${id}/commit`));
  expect(await pastOf(someone)).toMatchObject([{ effective_from: '2016-07-01', job_title: 'Buyer' }]);
});
