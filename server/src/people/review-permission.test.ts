import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';

const { as, make, owner } = await startApp();
const north = await make.entity({ name: 'North' });
const hr = await make.employee({ roles: [{ role: 'HR', entity_ids: [north.id] }] });

async function role(name: string, permissions: readonly string[]) {
  await owner.query(
    `with made as (insert into roles (name, scope) values ($1, 'managed') returning id)
     insert into role_permissions (role_id, permission) select id, unnest($2::text[]) from made`,
    [name, permissions],
  );
  return name;
}
const evaluates = await role('Evaluates', ['kpi-evaluation.review']);
const submits = await role('Submits reviews', ['probation-review.submit', 'kpi-evaluation.view']);
const both = await role('Both', ['kpi-evaluation.review', 'probation-review.submit']);

/** A person of North who leads a department there. */
async function head(roles: string[]) {
  const { id: place } = await make.department({ entity_id: north.id });
  const person = await make.employee({
    department_id: place,
    roles: roles.map((one) => ({ role: one, entity_ids: [north.id] })),
  });
  await owner.query('update departments set manager_id = $1 where id = $2', [person.id, place]);
  return person.id;
}

test('who leads a department needs both permissions of reviewers, from one role or from several', async () => {
  const enough = [await head([both]), await head([evaluates, submits]), await head([both, evaluates])];
  const lacking = [await head([]), await head([evaluates]), await head([submits])];
  const withoutAccount = await head([]);
  await owner.query('update employees set user_id = null, email = null where id = $1', [withoutAccount]);
  const client = await as(hr.user_id);
  const { body } = await client.get('/api/employees?missing=review_permission');
  const found = (body as { data: { id: number }[] }).data.map(({ id }) => id);
  expect(new Set(found)).toEqual(new Set([...lacking, withoutAccount]));
  expect(found).toHaveLength(lacking.length + 1);
  for (const id of enough) expect(found).not.toContain(id);
  // managers of other companies are neither found nor counted
  const { body: figures } = await client.get(`/api/dashboard?entity_id=${north.id}`);
  expect(figures.data.data_quality.managers_without_review_permission).toBe(found.length);
});
