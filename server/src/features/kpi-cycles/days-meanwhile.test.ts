import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';
import { rehire } from '../../testing/rehired.ts';
import { togetherIn } from '../../testing/together.ts';

/** Days of employment in a cycle change while evaluations start or get another template. */

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);
const here = await make.entity();
const boss = await make.employee({ entity_id: here.id, roles: ['Manager'] });
const hrPerson = await make.employee({ entity_id: here.id, roles: [{ role: 'HR', entity_ids: [here.id] }] });
const hr = await as(hrPerson.user_id);
const revenue = {
  name: 'Revenue',
  weight: 10_000,
  item_type: 'measured',
  direction: 'higher_better',
  target_value: 100,
};
const templateOf = (prorate: boolean) => kpi.template({ entity_id: here.id, items: [{ ...revenue, prorate }] });
const [whole, prorated] = [await templateOf(false), await templateOf(true)];

/** A person who was employed from March until April and since October, and a cycle to publish. */
async function place(template = prorated) {
  const department = await make.department({ entity_id: here.id });
  const person = await make.employee({ department_id: department.id, reporting_manager_id: boss.id });
  await rehire(owner, person);
  const cycle = await kpi.cycle({
    entity_id: here.id,
    start_date: '2026-01-01',
    end_date: '2026-12-31',
    status: 'draft',
    departments: [{ department_id: department.id, template_id: template.id }],
  });
  const path = `/api/kpi-cycles/${cycle.id}`;
  return {
    person,
    publish: () => hr.post(`${path}/publish`, {}),
    replace: (template_id: number) => hr.post(`${path}/departments/${department.id}/replace-template`, { template_id }),
  };
}

/** A checked file with a job before the first known one. */
async function fileFor({ employee_number }: { employee_number: string }) {
  const content = `employee_number,from,to,title\n${employee_number},2026-01-01,2026-02-28,Trainee`;
  const checked = await hr.upload('/api/job-history/import', { name: 'jobs.csv', content }, { dry_run: '1' });
  expect(checked.body.data).toMatchObject({ status: 'preview', counts: { failed: 0 } });
  const { id } = checked.body.data as { id: number };
  const post = (step: string) => hr.post(`/api/job-history/imports/${id}/${step}`);
  // these rows are written after the jobs
  return { post, together: togetherIn(owner, `select from import_rows where import_id = ${id} for update`) };
}

const daysOf = async ({ id }: { id: number }) =>
  (
    await owner.query(
      'select employed_days, kpi_employed_days(cycle_id, employee_id, null, null) as now from kpi_evaluations where employee_id = $1',
      [id],
    )
  ).rows[0] as { employed_days: number; now: number };

test('an evaluation has the days of a file that is written as it starts', async () => {
  const { person, publish } = await place();
  const { post, together } = await fileFor(person);
  const [written, published] = await together(() => post('commit'), publish);
  expect([written.body.data.status, published.status]).toEqual(['completed', 200]);
  expect(await daysOf(person)).toEqual({ employed_days: 212, now: 212 });
});

test('an evaluation has the days of before a file that is undone as it starts', async () => {
  const { person, publish } = await place();
  const { post, together } = await fileFor(person);
  expect((await post('commit')).status).toBe(200);
  const [undone, published] = await together(() => post('undo'), publish);
  expect([undone.body.data.status, published.status]).toEqual(['undone', 200]);
  expect(await daysOf(person)).toEqual({ employed_days: 153, now: 153 });
});

test('an evaluation has the days of a joining date that changes as its template is replaced', async () => {
  const { person, publish, replace } = await place(whole);
  await owner.query("update employees set joining_date = '2026-10-01' where id = $1", [person.id]);
  expect((await publish()).status).toBe(200);
  const [corrected, replaced] = await togetherIn(owner)(
    () => hr.put(`/api/employees/${person.id}`, { joining_date: '2026-11-01' }),
    () => replace(prorated.id),
  );
  expect([corrected.status, replaced.status, replaced.body.data?.counts]).toEqual([
    200,
    200,
    { total: 1, replaced: 1, cancelled: 0, kept: 0 },
  ]);
  expect(await daysOf(person)).toEqual({ employed_days: 122, now: 122 });
});
