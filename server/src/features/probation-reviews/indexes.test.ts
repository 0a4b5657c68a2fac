import type { QueryIn } from '@tenure/contract';
import { probationEndings, probationReviews } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { Actor } from '../../access/actor.ts';
import { loadRights } from '../../access/rights.ts';
import { startApp } from '../../testing/app.ts';
import { countOf, findsFew, reviewsMatching } from './filters.ts';
import { collectAndSort, orderedIds } from './list.ts';
import { pageOfEndings } from './upcoming.ts';

const { deps, make, owner } = await startApp();

const hr = await make.employee({ roles: ['HR'] });
const manager = await make.employee({ roles: ['Manager'] });
const department = await make.department({ manager_id: manager.id });
const actorOf = async ({ id, user_id }: { id: number; user_id: number }) =>
  ({ ...(await loadRights(deps.db, user_id)), user_id, employee_id: id }) as Actor;

beforeAll(async () => {
  // enough rows of enough kinds that no plan reads them all as the cheapest way
  await owner.query(
    `with made as (insert into users (email) select 'many' || n || '@example.com' from generate_series(1, 4000) n returning id, email)
     insert into employees (user_id, employee_number, email, first_name, last_name, entity_id, department_id, employment_lifecycle, reporting_manager_id,
       probation_end_date)
     select m.id, 'M-' || m.id, m.email, 'Many', 'Name' || m.id, $1, $2, case when m.id % 4 = 0 then 'probationary' else 'confirmed' end,
       case when m.id % 500 = 0 then $3::bigint end, case when m.id % 4 = 0 then current_date + (m.id % 300)::int end from made m`,
    [hr.entity_id, hr.department_id, manager.id],
  );
  await owner.query(
    `insert into probation_reviews (employee_id, entity_id, department_id, probation_end_date, due_date, person_sort, status,
       outcome, effective_date, decided_at, reviewer_id)
     select e.id, e.entity_id, case when e.id % 100 = 0 then $1 else e.department_id end, date '2026-01-01' + (e.id % 300)::int,
       date '2025-12-20' + (e.id % 300)::int, fold(e.name), s.status, o.outcome, case when o.outcome is not null then date '2026-02-01' end,
       case when o.outcome is not null then timestamptz '2026-01-01' + (e.id % 500) * interval '1 day' end, case when e.id % 50 = 0 then $2::bigint end
     from employees e
     cross join lateral (select (array['pending', 'submitted', 'approved', 'approved', 'cancelled'])[e.id % 5 + 1] as status) s
     cross join lateral (select case when s.status = 'approved' then (array['confirm', 'extend', 'terminate'])[e.id % 3 + 1] end as outcome) o
     where e.employee_number like 'M-%'`,
    [department.id, hr.id],
  );
  await owner.query('analyze probation_reviews, employees, departments');
});

type Query = QueryIn<typeof probationReviews.list>;

/** The plan of a statement that may read a whole table only if nothing else is possible. */
async function planOf(statement: RawBuilder<unknown>, settings: readonly string[]) {
  return deps.db.transaction().execute(async (db) => {
    for (const setting of settings) await sql.raw(`set local ${setting} = off`).execute(db);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (costs off) ${statement}`.execute(db);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}
/** The same as the service plans it: once per connection, whatever the values are. */
async function preparedPlanOf(statement: RawBuilder<unknown>, settings: readonly string[]) {
  const { sql: text, parameters } = statement.compile(deps.db);
  return deps.db.transaction().execute(async (db) => {
    for (const setting of settings) await sql.raw(`set local ${setting} = off`).execute(db);
    await sql.raw('set local plan_cache_mode = force_generic_plan').execute(db);
    await sql.raw(`prepare planned as ${text}`).execute(db);
    const nothing = parameters.length > 0 ? `(${parameters.map(() => 'null').join()})` : '';
    const { rows } = await sql
      .raw<{ 'QUERY PLAN': string }>(`explain (costs off) execute planned${nothing}`)
      .execute(db);
    await sql.raw('deallocate planned').execute(db);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}
const asked = (actor: Actor, query: Query) => {
  const parsed = probationReviews.list.query.parse({ page: '1', ...query });
  return { parsed, condition: reviewsMatching(actor, parsed) };
};
const readAll = /Seq Scan on probation_reviews/;

test.each(['due_date', 'probation_end_date', 'employee_name', 'status', 'created_at', 'updated_at'] as const)(
  'an index gives the order by %s, upwards and downwards, without any sorting',
  async (sort_by) => {
    const actor = await actorOf(hr);
    for (const sort_direction of ['asc', 'desc']) {
      const { parsed, condition } = asked(actor, { sort_by, sort_direction });
      const plan = await planOf(sql`${orderedIds(condition, parsed)} limit 15`, [
        'enable_seqscan',
        'enable_bitmapscan',
        'enable_sort',
        'enable_incremental_sort',
      ]);
      expect(plan).toMatch(/Index (Only )?Scan/);
      expect(plan).not.toMatch(/Sort|Seq Scan/);
    }
  },
);

test.each<Query>([{}, { status: 'submitted' }, { entity_id: String(hr.entity_id), status: 'pending,sent_back' }])(
  'how many %j finds comes from the counts kept of reviews, and is right',
  async (query) => {
    const actor = await actorOf(hr);
    const { parsed, condition } = asked(actor, query);
    const count = countOf(actor, parsed) as RawBuilder<unknown>;
    expect(await planOf(sql`select (${count})`, ['enable_seqscan'])).not.toMatch(readAll);
    const { rows } = await sql<{ kept: number; real: number }>`
      select (${count})::int as kept, (select count(*) from probation_reviews v where ${condition}) as real`.execute(
      deps.db,
    );
    expect(rows[0]?.kept).toBe(rows[0]?.real);
    expect(rows[0]?.real).toBeGreaterThan(0);
  },
);

test.each<Query>([
  { entity_id: String(hr.entity_id) },
  { status: 'submitted' },
  { outcome: 'extend', decided_from: '2026-03-01', decided_to: '2026-03-31' },
  { employee_id: String(hr.id) },
  { reviewer_id: String(hr.id) },
  { department_id: String(department.id) },
  { to_do: '1' },
  { due_before: '2025-12-25' },
  { search: 'name77' },
])('%j is answered without reading all reviews', async (query) => {
  for (const person of [hr, manager]) {
    const actor = await actorOf(person);
    const { parsed, condition } = asked(actor, query);
    const statement = findsFew(actor, parsed)
      ? collectAndSort(condition, parsed)
      : sql`${orderedIds(condition, parsed)} limit 15`;
    expect(await planOf(statement, ['enable_seqscan'])).not.toMatch(readAll);
  }
});

test('the reviews of a managed team are found by indexes, of their own accord', async () => {
  const { parsed, condition } = asked(await actorOf(manager), {});
  expect(await planOf(collectAndSort(condition, parsed), [])).not.toMatch(readAll);
});

test.each([
  ['due_date', 'pending'],
  ['due_date', 'pending,sent_back'],
  ['probation_end_date', 'submitted'],
] as const)('by %s, %s ones are not looked for among those that were decided', async (sort_by, status) => {
  const { parsed, condition } = asked(await actorOf(hr), { sort_by, status });
  const sorting = ['enable_seqscan', 'enable_bitmapscan', 'enable_sort', 'enable_incremental_sort'];
  const plan = await preparedPlanOf(sql`${orderedIds(condition, parsed)} limit 15`, sorting);
  expect(plan).toMatch(/Index (Only )?Scan using probation_reviews_open_(due|end)_idx/);
});

test.each(['asc', 'desc'] as const)(
  'ends by name, %s, come from an index of the people on probation',
  async (sort_direction) => {
    const parsed = probationEndings.upcoming.query.parse({ page: '1', sort_by: 'employee_name', sort_direction });
    const plan = await preparedPlanOf(pageOfEndings(await actorOf(hr), parsed), [
      'enable_seqscan',
      'enable_bitmapscan',
      'enable_sort',
    ]);
    expect(plan).toMatch(/Index (Only )?Scan (Backward )?using employees_on_probation_name_idx/);
    expect(plan).not.toMatch(/->  Sort|^Sort/m);
  },
);

test('ends with a problem look for the reviews of the few who may have one', async () => {
  const query = probationEndings.upcoming.query.parse({ page: '1', problem: 'overdue,no_review,no_reviewer' });
  const plan = await preparedPlanOf(pageOfEndings(await actorOf(hr), query), ['enable_seqscan']);
  // the people are narrowed before their reviews are joined
  expect(plan.indexOf('hashed SubPlan')).toBeGreaterThan(plan.indexOf('Left Join'));
  expect(plan).toMatch(/probation_review_candidates/);
  expect(plan).not.toMatch(readAll);
});
