import type { QueryIn } from '@tenure/contract';
import { kpiEvaluations } from '@tenure/contract';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { Actor } from '../../access/actor.ts';
import { loadRights } from '../../access/rights.ts';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';
import { evaluationsMatching } from './filters.ts';
import { collectAndSort, orderedIds } from './list.ts';

const app = await startApp();
const { deps, make, owner } = app;
const kpi = kpiMaker(app);

const hr = await make.employee({ roles: ['HR'] });
const manager = await make.employee({ roles: ['Manager'] });
const actorOf = async ({ id, user_id }: { id: number; user_id: number }) =>
  ({ ...(await loadRights(deps.db, user_id)), user_id, employee_id: id }) as Actor;

const department = await make.department({ manager_id: manager.id });
const cycle = await kpi.cycle();
const earlier = await kpi.cycle({ status: 'closed' });
const template = await kpi.template();

beforeAll(async () => {
  // enough rows of enough kinds that no plan reads them all as the cheapest way
  await owner.query(
    `with made as (insert into users (email) select 'many' || n || '@example.com' from generate_series(1, 4000) n returning id, email)
     insert into employees (user_id, employee_number, email, first_name, last_name, entity_id, department_id, employment_lifecycle, reporting_manager_id)
     select m.id, 'M-' || m.id, m.email, 'Many', 'Name' || m.id, $1, $2, 'confirmed', case when m.id % 500 = 0 then $3::bigint end from made m`,
    [hr.entity_id, hr.department_id, manager.id],
  );
  await owner.query(
    `insert into kpi_evaluations (cycle_id, employee_id, entity_id, department_id, template_id, template_name, template_version,
       scale_min, scale_max, score_step, person_sort, status, overall_score, overall_percentage, performance_flag)
     select case when e.id % 3 > 0 then $1::bigint else $4 end, e.id, e.entity_id, case when e.id % 100 = 0 then $2 else e.department_id end, $3, 't', 1, 1, 5, 1, fold(e.name),
       (array['self_assessment', 'manager_review', 'hr_review', 'completed'])[e.id % 4 + 1],
       case when e.id % 4 > 1 then e.id % 5 end, case when e.id % 4 > 1 then e.id % 100 end, case when e.id % 50 = 3 then 'pip' end
     from employees e where e.employee_number like 'M-%'`,
    [cycle.id, department.id, template.id, earlier.id],
  );
  await owner.query('analyze kpi_evaluations, employees, departments');
});

type Query = QueryIn<typeof kpiEvaluations.list>;

/** The plan of a statement that may read a whole table only if nothing else is possible. */
async function planOf(statement: ReturnType<typeof orderedIds>, settings: readonly string[]) {
  return deps.db.transaction().execute(async (db) => {
    for (const setting of settings) await sql.raw(`set local ${setting} = off`).execute(db);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (costs off) ${statement}`.execute(db);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}
const asked = async (actor: Actor, query: Query) => {
  const parsed = kpiEvaluations.list.query.parse({ page: '1', ...query });
  return { parsed, condition: (await evaluationsMatching(deps.db, actor, parsed)).asked };
};

const noSorting = ['enable_seqscan', 'enable_bitmapscan', 'enable_sort', 'enable_incremental_sort'];
const ordered = ['updated_at', 'employee_name', 'status', 'created_at'] as const;
const nullable = ['due_on', 'overall_score', 'overall_percentage'] as const;

test.each(ordered)('an index gives the order by %s, upwards and downwards, without any sorting', async (sort_by) => {
  const actor = await actorOf(hr);
  for (const sort_direction of ['asc', 'desc']) {
    const { parsed, condition } = await asked(actor, { sort_by, sort_direction });
    const plan = await planOf(sql`${orderedIds(actor, condition, parsed)} limit 15`, noSorting);
    expect(plan).toMatch(/Index (Only )?Scan/);
    expect(plan).not.toMatch(/Sort|Seq Scan/);
  }
});

test.each(
  nullable.flatMap((sort_by) => [
    [sort_by, 'of all', {}] as const,
    [sort_by, 'of a cycle', { cycle_id: String(cycle.id) }] as const,
  ]),
)(
  'an index gives the order by %s %s; only what has no value, or is hidden, is put behind',
  async (sort_by, _of, more) => {
    const actor = await actorOf(hr);
    for (const sort_direction of ['asc', 'desc']) {
      const { parsed, condition } = await asked(actor, { ...more, sort_by, sort_direction });
      const plan = await planOf(sql`${orderedIds(actor, condition, parsed, { most: 15 })} limit 15`, [
        'enable_seqscan',
      ]);
      const valued = `kpi_evaluations_(cycle_)?(${sort_by}|percentage)_idx`;
      expect(plan).toMatch(new RegExp(`CTE near\\s+->  Limit\\s+->  Index (Only )?Scan (Backward )?using ${valued}`));
      expect(plan).toMatch(/One-Time Filter: \((\(InitPlan \d+\)\.col1|\$\d+) < '15'::bigint\)/);
      expect(plan).not.toMatch(/Seq Scan on kpi_evaluations/);
    }
  },
);

test('an index has the evaluations of a small company in the order of their change, another one departments by name', async () => {
  const actor = await actorOf(hr);
  const orders = [
    [{ entity_id: '999999' }, 'kpi_evaluations_entity_updated_idx'],
    [{ sort_by: 'department_name' }, 'departments_name_sort_idx'],
  ] as const;
  for (const [query, index] of orders) {
    const { parsed, condition } = await asked(actor, query);
    const plan = await planOf(sql`${orderedIds(actor, condition, parsed, { most: 15 })} limit 15`, noSorting);
    expect(plan).toContain(index);
  }
});

const day = { sort_by: 'updated_at' } as const;
test.each<Query>([
  { cycle_id: String(cycle.id) },
  { cycle_id: String(cycle.id), sort_by: 'employee_name' },
  { cycle_id: String(cycle.id), sort_by: 'due_on' },
  { cycle_id: String(cycle.id), sort_by: 'status' },
  { cycle_id: String(cycle.id), sort_by: 'overall_percentage', sort_direction: 'desc' },
  { sort_by: 'department_name' },
  { entity_id: String(hr.entity_id), ...day },
  { status: 'hr_review', ...day },
  { performance_flag: 'pip', ...day },
  { band: 'A', ...day },
  { overdue: '1', ...day },
])('%j is answered without reading all evaluations', async (query) => {
  const actor = await actorOf(hr);
  const { parsed, condition } = await asked(actor, query);
  const page = await planOf(sql`${orderedIds(actor, condition, parsed, { most: 15 })} limit 15`, ['enable_seqscan']);
  const total = await planOf(sql`select count(*) from kpi_evaluations v where ${condition}`, ['enable_seqscan']);
  for (const plan of [page, total]) expect(plan).not.toMatch(/Seq Scan on kpi_evaluations/);
});

test.each<Query>([
  { department_id: String(department.id) },
  { employee_id: String(hr.id) },
  { reviewer_id: String(hr.id) },
  { reviewer_id: '0' },
  { mine: '1' },
  { to_review: '1' },
  { search: 'name77' },
  { search: 'many cycle' },
])('%j gathers what an index finds', async (query) => {
  for (const person of [hr, manager]) {
    const actor = await actorOf(person);
    const { parsed, condition } = await asked(actor, query);
    const plan = await planOf(collectAndSort(actor, condition, parsed), ['enable_seqscan']);
    expect(plan).not.toMatch(/Seq Scan on kpi_evaluations/);
  }
});

test('the evaluations of a managed team are found by indexes, of their own accord', async () => {
  const actor = await actorOf(manager);
  const { parsed, condition } = await asked(actor, {});
  expect(await planOf(collectAndSort(actor, condition, parsed), [])).not.toMatch(/Seq Scan on kpi_evaluations/);
});
