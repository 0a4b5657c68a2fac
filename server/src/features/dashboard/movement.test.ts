import type { MovementReport } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const { as, make, owner } = await startApp();
const today = Temporal.Now.plainDateISO('UTC');
const ago = (months: number, day = 15) => today.subtract({ months }).with({ day }).toString();
const monthOf = (day: string) => day.slice(0, 7);
const here = await make.entity({ name: 'Here' });
const there = await make.entity({ name: 'There' });
const alpha = await make.department({ entity_id: here.id, name: 'Alpha' });
const gamma = await make.department({ entity_id: here.id, name: 'Gamma' });
const beta = await make.department({ entity_id: there.id, name: 'Beta' });
const long = '2010-01-01';
const hr = await as((await make.employee({ department_id: alpha.id, joining_date: long, roles: ['HR'] })).user_id);

const add = (department: { id: number }, joining_date: string, rest: object = {}) =>
  make.employee({ department_id: department.id, joining_date, ...rest });
const gone = (last_working_date: string) => ({
  activity_status: 'inactive',
  employment_lifecycle: 'resigned',
  last_working_date,
});

type Row = [from: string, status: string, changed: string[], lifecycle: string];
/** The job history of a person, as it is written when people join, move and leave. */
async function history(person: { id: number }, jobFields: { id: number; entity_id: number }, row: Row) {
  await owner.query(
    `insert into job_history (employee_id, entity_id, department_id, effective_from, status, changed_fields,
       employment_lifecycle, employment_type, created_by_name)
     values ($1, $2, $3, $4, $5, $6, $7, 'full_time', 'System')`,
    [person.id, jobFields.entity_id, jobFields.id, ...row],
  );
}
const jobFields = ['entity_id', 'department_id'];
const lifecycle = 'employment_lifecycle';

await add(alpha, ago(3));
await add(alpha, ago(3), gone(ago(1)));
await add(beta, long, gone(ago(2)));
await add(gamma, today.add({ days: 20 }).toString());
await add(alpha, long, { employment_lifecycle: 'resigned', last_working_date: today.add({ days: 9 }).toString() });
// a person who joined Beta five months ago and moved to Alpha two months ago
const mover = await add(alpha, ago(5));
await history(mover, beta, [ago(5), 'past', [...jobFields, lifecycle], 'confirmed']);
await history(mover, alpha, [ago(2), 'current', jobFields, 'confirmed']);
const returned = await add(beta, ago(20), gone(ago(6)));
await history(returned, beta, [ago(20), 'past', [...jobFields, lifecycle], 'confirmed']);
await history(returned, beta, [ago(6), 'current', [lifecycle], 'resigned']);
await hr.post(`/api/employees/${returned.id}/rehire`, { joining_date: ago(1) });

const reportOf = async (query = ''): Promise<MovementReport> =>
  (await hr.get(`/api/reports/movement${query}`)).body.data;
const monthIn = (report: MovementReport, months: number) => {
  const { month: _month, ...figures } = report.months.find(({ month }) => month === monthOf(ago(months))) ?? {
    month: '',
  };
  return figures;
};
const none = { joiners: 0, leavers: 0, rehires: 0, moved_in: 0, moved_out: 0 };

test('headcounts, joiners and leavers of each month come from the records', async () => {
  const report = await reportOf();
  expect(report.months).toHaveLength(24);
  // HR, two people of Alpha, the person who moved, and the person who returned
  expect(monthIn(report, 0)).toEqual({ ...none, headcount: 5 });
  expect(monthIn(report, 1)).toEqual({ ...none, headcount: 5, joiners: 1, leavers: 1, rehires: 1 });
  expect(monthIn(report, 2)).toEqual({ ...none, headcount: 5, leavers: 1 });
  expect(monthIn(report, 3)).toEqual({ ...none, headcount: 6, joiners: 2 });
  expect(monthIn(report, 6)).toEqual({ ...none, headcount: 3, leavers: 1 });
  expect(monthIn(report, 20)).toEqual({ ...none, headcount: 4, joiners: 1 });
});

test('a company counts people while they were there', async () => {
  const [alphas, betas] = [await reportOf(`?entity_id=${here.id}`), await reportOf(`?entity_id=${there.id}`)];
  expect(monthIn(alphas, 5)).toEqual({ ...none, headcount: 2 });
  expect(monthIn(alphas, 2)).toEqual({ ...none, headcount: 5, moved_in: 1 });
  expect(monthIn(betas, 5)).toEqual({ ...none, headcount: 2, joiners: 1 });
  expect(monthIn(betas, 2)).toEqual({ ...none, headcount: 0, leavers: 1, moved_out: 1 });
  expect(monthIn(betas, 0)).toEqual({ ...none, headcount: 1 });
});

test('the turnover of a department uses the mean of its headcounts at start and end', async () => {
  const { departments } = await reportOf();
  expect(departments).toEqual([
    {
      id: alpha.id,
      name: 'Alpha',
      entity: { id: here.id, name: 'Here' },
      headcount: 4,
      joiners: 2,
      leavers: 1,
      turnover_pct: 33.33,
    },
    {
      id: beta.id,
      name: 'Beta',
      entity: { id: there.id, name: 'There' },
      headcount: 1,
      joiners: 2,
      leavers: 2,
      turnover_pct: 133.33,
    },
  ]);
});

test('a person who was hired three times joins and leaves in the month of each', async () => {
  const season = await make.entity({ name: 'Season' });
  const fields = await make.department({ entity_id: season.id, name: 'Fields' });
  const other = await make.department({ entity_id: season.id, name: 'Orchard' });
  const person = await add(fields, ago(20), gone(ago(18)));
  await history(person, fields, [ago(20), 'past', [...jobFields, lifecycle], 'confirmed']);
  await history(person, fields, [ago(18), 'current', [lifecycle], 'resigned']);
  const ask = async (step: string, body: object) =>
    expect([step, (await hr.post(`/api/employees/${person.id}/${step}`, body)).status]).toEqual([step, 200]);
  await ask('rehire', { joining_date: ago(10) });
  await ask('separate', { type: 'resigned', last_working_date: ago(8), reason: 'The season is over' });
  await ask('rehire', { joining_date: ago(2), department_id: other.id });
  const report = await reportOf(`?entity_id=${season.id}`);
  expect([20, 19, 18, 17, 10, 9, 8, 7, 2, 0].map((months) => [months, monthIn(report, months)])).toEqual([
    [20, { ...none, headcount: 1, joiners: 1 }],
    [19, { ...none, headcount: 1 }],
    [18, { ...none, headcount: 0, leavers: 1 }],
    [17, { ...none, headcount: 0 }],
    [10, { ...none, headcount: 1, joiners: 1, rehires: 1 }],
    [9, { ...none, headcount: 1 }],
    [8, { ...none, headcount: 0, leavers: 1 }],
    [7, { ...none, headcount: 0 }],
    [2, { ...none, headcount: 1, joiners: 1, rehires: 1 }],
    [0, { ...none, headcount: 1 }],
  ]);
  expect(report.departments.map(({ name, headcount }) => [name, headcount])).toEqual([
    ['Fields', 0],
    ['Orchard', 1],
  ]);
});

test('a report covers the requested period', async () => {
  const report = await reportOf(`?from=${ago(4)}&to=${ago(2, 1)}`);
  expect(report.months.map(({ month }) => month)).toEqual([4, 3, 2].map((months) => monthOf(ago(months))));
  expect(report.months.at(-1)?.headcount).toBe(6);
  const wrong = await hr.get(`/api/reports/movement?from=${ago(1)}&to=${ago(3)}`);
  expect(wrong.body.errors).toEqual({ from: ['The from field must be a date before or equal to to.'] });
  expect((await hr.get('/api/reports/movement?from=1990-01-01')).status).toBe(422);
  for (const report of ['movement', 'probation-outcomes'])
    for (const query of ['to=0001-06-01', 'from=0001-01-01&to=0001-06-01']) {
      const early = await hr.get(`/api/reports/${report}?${query}`);
      expect([early.status, Object.keys(early.body.errors)]).toEqual([422, ['to']]);
    }
});

test('reports are for holders of `dashboard.view_all`, in their companies', async () => {
  const manager = await as((await make.employee({ roles: ['Manager'] })).user_id);
  expect((await manager.get('/api/reports/movement')).status).toBe(403);
  expect((await manager.get('/api/reports/probation-outcomes')).status).toBe(403);
  const local = await make.employee({ roles: [{ role: 'HR', entity_ids: [there.id] }], department_id: alpha.id });
  const { data } = (await (await as(local.user_id)).get('/api/reports/movement')).body;
  expect(data.departments.map(({ name }: { name: string }) => name)).toEqual(['Beta']);
});

test('outcomes of probations are counted by department', async () => {
  await owner.query(
    `insert into probation_reviews (employee_id, entity_id, department_id, probation_end_date, due_date, status, outcome,
       effective_date, decided_at, person_sort)
     select $1, $2, $3, now() - n * interval '1 day', now(), 'approved', case when n = 1 then 'extend' else 'confirm' end,
            now(), now() - interval '1 month', 'x'
     from generate_series(1, 3) n`,
    [returned.id, there.id, beta.id],
  );
  const { data } = (await hr.get('/api/reports/probation-outcomes')).body;
  expect(data).toMatchObject({
    outcomes: { confirm: 2, extend: 1, terminate: 0 },
    extension_rate_pct: 33.33,
    departments: [{ id: beta.id, name: 'Beta', outcomes: { confirm: 2, extend: 1, terminate: 0 } }],
  });
  const before = (await hr.get(`/api/reports/probation-outcomes?to=${ago(2)}`)).body.data;
  expect([before.outcomes.confirm, before.extension_rate_pct, before.departments]).toEqual([0, null, []]);
});

test('a person works on the last working day and leaves in its month', async () => {
  const company = await make.entity({ name: 'Last day' });
  const office = await make.department({ entity_id: company.id, name: 'Office' });
  await add(office, long);
  await add(office, long, { employment_lifecycle: 'resigned', last_working_date: today.toString() });
  await add(office, long, gone(today.toString()));
  const { headcount } = (await hr.get(`/api/dashboard?entity_id=${company.id}`)).body.data;
  const report = await reportOf(`?entity_id=${company.id}`);
  expect(headcount.total).toBe(2);
  expect(monthIn(report, 0)).toEqual({ ...none, headcount: headcount.total, leavers: 2 });
  expect(monthIn(report, 1)).toEqual({ ...none, headcount: 3 });
  expect(report.departments.map(({ name, headcount }) => [name, headcount])).toEqual([['Office', headcount.total]]);
  const earlier = await reportOf(`?entity_id=${company.id}&to=${today.subtract({ days: 1 }).toString()}`);
  expect(earlier.months.at(-1)?.headcount).toBe(3);
});
