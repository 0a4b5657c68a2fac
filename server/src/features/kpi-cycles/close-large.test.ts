import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);

const people = 2_000;
const department = await make.department();
await owner.query(
  `with made as (
     insert into users (email) select 'crowd' || n || '@example.com' from generate_series(1, $1::int) n returning id, email)
   insert into employees (user_id, email, employee_number, first_name, last_name, employment_lifecycle, entity_id,
                          department_id)
   select id, email, 'C' || id, 'Ann', 'Lee', 'confirmed', $2, $3 from made`,
  [people, department.entity_id, department.id],
);
const template = await kpi.template();
const cycle = await kpi.cycle({
  status: 'draft',
  departments: [{ department_id: department.id, template_id: template.id }],
});
const url = `/api/kpi-cycles/${cycle.id}`;
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
await hr.post(`${url}/publish`, { allow_missing_reviewer: true });

test('counting many moving evaluations is cheap, also where one moved before', async () => {
  const client = await owner.connect();
  await client.query('begin');
  const move = (condition: string) =>
    client.query<{ 'QUERY PLAN': string }>(
      `explain analyze update kpi_evaluations set status = 'manager_review', status_changed_at = now()
       where cycle_id = ${cycle.id} and ${condition}`,
    );
  await move(`id = (select min(id) from kpi_evaluations where cycle_id = ${cycle.id})`);
  const { rows } = await move("status = 'self_assessment'");
  await client.query('rollback');
  client.release();
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  const timeOf = (trigger: string) => Number(plan.match(new RegExp(`Trigger ${trigger}: time=([\\d.]+)`))?.[1]);
  // a fraction of the cost of the per-row trigger, on any machine
  expect(timeOf('count_on_update')).toBeLessThan(timeOf('keep'));
});

test('a large cycle is closed by force', async () => {
  const body = { force: true, reason: 'The company was sold.' };
  const { status, body: answer } = await hr.post(`${url}/close`, body);
  expect([status, answer.data?.status]).toEqual([200, 'closed']);
  const { rows } = await owner.query(
    `select status, count(*)::int, (select sum(evaluations)::int from kpi_evaluation_counts c
       where c.cycle_id = $1 and c.status = v.status) as counted
     from kpi_evaluations v where cycle_id = $1 group by 1`,
    [cycle.id],
  );
  expect(rows).toEqual([{ status: 'cancelled', count: people, counted: people }]);
});
