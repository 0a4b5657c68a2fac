import { maxBulkPeople } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';

/** The people of a bulk change, by list filter or by id. */

const { as, make, owner } = await startApp();
const company = await make.entity();
const [buying, selling] = [
  await make.department({ entity_id: company.id }),
  await make.department({ entity_id: company.id }),
];
const hr = await as(
  (await make.employee({ department_id: selling.id, roles: [{ role: 'HR', entity_ids: [company.id] }] })).user_id,
);
const move = (body: object) =>
  hr.post('/api/employees/bulk', { kind: 'move', department_id: selling.id, dry_run: true, ...body });

test('people are left out of a list only', async () => {
  const person = await make.employee({ department_id: buying.id });
  const answer = await move({ ids: [person.id], except_ids: [person.id], dry_run: false });
  expect([answer.status, answer.body.errors]).toEqual([
    422,
    { except_ids: ['The excluded employees field is prohibited.'] },
  ]);
  expect((await hr.get(`/api/employees/${person.id}`)).body.data.department_id).toBe(buying.id);
});

test('a list of more people than one change takes is refused, unless enough are left out', async () => {
  const crowd = await make.department({ entity_id: company.id });
  const { rows } = await owner.query<{ id: string }>(
    `insert into employees (employee_number, first_name, last_name, employment_lifecycle, entity_id, department_id)
     select 'F-' || n, 'Ann', 'Lee' || n, 'confirmed', $1, $2 from generate_series(1, $3) n returning id`,
    [company.id, crowd.id, maxBulkPeople + 1],
  );
  const filter = { department_id: crowd.id };
  const answer = await move({ filter });
  expect([answer.status, answer.body.errors]).toEqual([
    422,
    { filter: ['The filter field matches more than 500 people. Narrow it down.'] },
  ]);
  const fewer = await move({ filter, except_ids: [Number(rows[0]?.id)] });
  expect([fewer.status, fewer.body.data.counts.changed]).toEqual([200, maxBulkPeople]);
});
