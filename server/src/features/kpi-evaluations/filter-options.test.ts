import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';

/** Reviewers to filter evaluations by: the first by name, those that a search finds, and the selected ones. */

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);

const [acme, globex] = [await make.entity({ name: 'Acme' }), await make.entity({ name: 'Globex' })];
const buying = await make.department({ entity_id: acme.id });
const sales = await make.department({ entity_id: globex.id });
const [first, second] = [await kpi.cycle(), await kpi.cycle()];
const template = await kpi.template();
const all = await make.employee({ department_id: sales.id, roles: ['HR'] });
const ofAcme = await make.employee({ department_id: buying.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] });
const manager = await make.employee({ department_id: buying.id, roles: ['Manager'] });
const person = await make.employee({ department_id: buying.id, reporting_manager_id: manager.id });
const zoe = await make.employee({ department_id: sales.id, first_name: 'Zoe', last_name: 'Zimmer' });
const yara = await make.employee({ department_id: sales.id, first_name: 'Yara', last_name: 'Young' });

await kpi.evaluation({ employee: person, reviewer: zoe, cycle_id: second.id, template });
await kpi.evaluation({ employee: zoe, reviewer: yara, cycle_id: first.id, template });
// 120 other reviewers in the other company review one person each
await owner.query(
  `with made as (insert into users (email) select 'many' || n || '@example.com' from generate_series(1, 240) n returning id, email),
   people as (
     insert into employees (user_id, employee_number, email, first_name, last_name, entity_id, department_id, employment_lifecycle)
     select id, 'M-' || lpad(row_number() over ()::text, 3, '0'), email, 'Many',
            'Name' || lpad(row_number() over ()::text, 3, '0'), $1, $2, 'confirmed' from made
     returning id, employee_number, name)
   insert into kpi_evaluations (cycle_id, employee_id, entity_id, department_id, reviewer_id, template_id, template_name,
     template_version, scale_min, scale_max, score_step, person_sort)
   select $3, p.id, $1, $2, r.id, $4, 't', 1, 1, 5, 1, fold(p.name)
   from people p join people r on r.employee_number < 'M-121' and p.employee_number = 'M-' || (right(r.employee_number, 3)::int + 120)`,
  [globex.id, sales.id, first.id, template.id],
);
const [hr, acmeHr, asManager] = (await Promise.all([all, ofAcme, manager].map(({ user_id }) => as(user_id)))) as [
  Client,
  Client,
  Client,
];

async function reviewers(client: Client, query = ''): Promise<string[]> {
  const { status, body } = await client.get(`/api/kpi-evaluations/filter-options?${query}`);
  expect(status).toBe(200);
  return body.data.reviewers.map(({ name }: { name: string }) => name);
}

/** The number of evaluations of a large group, simulated in the counts. */
const pretendMany = (evaluations: number) =>
  owner.query(
    `insert into kpi_evaluation_counts (cycle_id, entity_id, department_id, status, evaluations, percentages)
     select c, $2, $3, 'completed', $4, 0 from unnest($1::bigint[]) c`,
    [[first.id, second.id], globex.id, sales.id, evaluations],
  );

test.each([
  ['few', 0],
  ['many', 30_000],
])('of %s evaluations the first hundred reviewers by name are offered, others by search', async (_how, evaluations) => {
  await pretendMany(evaluations);
  const offered = await reviewers(hr);
  expect([offered.length, offered[0], offered.at(-1)]).toEqual([100, 'Many Name001', 'Many Name100']);
  expect(await reviewers(hr, 'reviewer_search=name11')).toEqual(
    Array.from({ length: 10 }, (_, n) => `Many Name11${n}`),
  );
  // a search does not find people who review no one
  expect(await reviewers(hr, 'reviewer_search=name121')).toEqual([]);
  expect(await reviewers(hr, `reviewer_search=zoe`)).toEqual(['Zoe Zimmer']);
  expect(await reviewers(hr, `reviewer_search=zoe&cycle_id=${first.id}`)).toEqual([]);
  expect(await reviewers(hr, `cycle_id=${second.id}`)).toEqual(['Zoe Zimmer']);
  expect(await reviewers(hr, `reviewer_search=yara&reviewer_id=${zoe.id}`)).toEqual(['Yara Young', 'Zoe Zimmer']);
  expect((await reviewers(hr, `reviewer_id=${zoe.id}`)).slice(99)).toEqual(['Many Name100', 'Zoe Zimmer']);
  await pretendMany(-evaluations);
});

test('neither a search nor a choice shows the reviewers of evaluations that are not in scope', async () => {
  for (const client of [acmeHr, asManager]) {
    expect(await reviewers(client)).toEqual(['Zoe Zimmer']);
    expect(await reviewers(client, 'reviewer_search=many')).toEqual([]);
    expect(await reviewers(client, 'reviewer_search=yara')).toEqual([]);
    expect(await reviewers(client, `reviewer_id=${yara.id}`)).toEqual(['Zoe Zimmer']);
    expect(await reviewers(client, `reviewer_search=yara&reviewer_id=${zoe.id}`)).toEqual(['Zoe Zimmer']);
  }
});

test('the e-mail of a reviewer is searched only for readers of the card', async () => {
  const [word] = zoe.email.split('@');
  expect(await reviewers(hr, `reviewer_search=${word}`)).toEqual(['Zoe Zimmer']);
  for (const client of [acmeHr, asManager]) expect(await reviewers(client, `reviewer_search=${word}`)).toEqual([]);
});

test.each(['reviewer_id=x', `reviewer_search=${'a'.repeat(101)}`])('%s is refused', async (query) => {
  expect((await hr.get(`/api/kpi-evaluations/filter-options?${query}`)).status).toBe(422);
});
