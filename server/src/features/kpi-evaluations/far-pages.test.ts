import { kpiEvaluations } from '@tenure/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Actor } from '../../access/actor.ts';
import { loadRights } from '../../access/rights.ts';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';
import { evaluationsMatching } from './filters.ts';
import { orderedIds } from './list.ts';

const app = await startApp();
const { as, make, deps, owner } = app;
const kpi = kpiMaker(app);
const departments = [await make.department({ name: 'Buying' }), await make.department({ name: 'Assembly' })];
const hr = await make.employee({ roles: ['HR'], department_id: departments[0]?.id as number });
const client = await as(hr.user_id);
const [cycle, template] = [await kpi.cycle(), await kpi.template()];
// HR users do not see the figure of their own evaluation
await kpi.evaluation({ employee: hr, cycle_id: cycle.id, status: 'hr_review' });
await owner.query(
  `with made as (insert into users (email) select 'many' || n || '@example.com' from generate_series(1, 5499) n returning id, email)
   insert into employees (user_id, employee_number, email, first_name, last_name, entity_id, department_id, employment_lifecycle)
   select m.id, 'M-' || m.id, m.email, 'Many', 'Name' || m.id % 50, d.entity_id, d.id, 'confirmed'
   from made m join departments d on d.id = case when m.id % 4 = 0 then $1::bigint else $2::bigint end`,
  departments.map(({ id }) => id),
);
await owner.query(
  `insert into kpi_evaluations (cycle_id, employee_id, entity_id, department_id, template_id, template_name, template_version,
     scale_min, scale_max, score_step, person_sort, status, overall_score, overall_percentage)
   select $1, e.id, e.entity_id, e.department_id, $2, 't', 1, 1, 5, 1, fold(e.name),
     (array['self_assessment', 'hr_review', 'completed'])[e.id % 3 + 1],
     case when e.id % 3 > 0 then e.id % 5 end, case when e.id % 3 > 0 then e.id % 100 end
   from employees e where e.employee_number like 'M-%'`,
  [cycle.id, template.id],
);
const actor = { ...(await loadRights(deps.db, hr.user_id)), user_id: hr.user_id, employee_id: hr.id } as Actor;

const sorts = [
  'updated_at',
  'employee_name',
  'department_name',
  'status',
  'due_on',
  'overall_percentage',
  'created_at',
];
test.each(sorts.flatMap((sort) => ['asc', 'desc'].map((direction) => [sort, direction])))(
  'by %s %s the last pages, read from the end, go on where the others stop',
  async (sort_by, sort_direction) => {
    const query = kpiEvaluations.list.query.parse({ page: '1', sort_by, sort_direction });
    const { asked } = await evaluationsMatching(deps.db, actor, query);
    const { rows } = await sql<{ id: number }>`${orderedIds(actor, asked, query)}`.execute(deps.db);
    const whole = rows.map(({ id }) => id);
    expect(whole).toHaveLength(5_500);
    for (const [page, size] of [
      [52, 100],
      [55, 100],
      [72, 77],
      [56, 100],
    ] as const) {
      const order = `sort_by=${sort_by}&sort_direction=${sort_direction}`;
      const { body } = await client.get(`/api/kpi-evaluations?page=${page}&per_page=${size}&${order}`);
      const ids = body.data.map(({ id }: { id: number }) => id);
      expect([ids, body.meta.total]).toEqual([whole.slice((page - 1) * size, page * size), 5_500]);
    }
  },
);

test('a list takes as many statements for a hundred rows as for one', async () => {
  let statements = 0;
  deps.pool.on('acquire', () => (statements += 1));
  const cost = async (path: string) => {
    statements = 0;
    const { status } = await client.get(`/api/kpi-evaluations${path}`);
    return [status, statements];
  };
  // the session, and the page with the total; if few are found, their ids need a separate statement
  for (const size of [1, 100]) expect(await cost(`?per_page=${size}`)).toEqual([200, 2]);
  for (const size of [1, 100]) expect(await cost(`?search=name7&per_page=${size}`)).toEqual([200, 4]);
  expect(await cost('/filter-options')).toEqual([200, 2]);
  // the session, the record, its items, the previous result
  expect(await cost('/1')).toEqual([200, 4]);
});
