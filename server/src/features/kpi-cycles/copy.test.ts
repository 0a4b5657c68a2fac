import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';

const testApp = await startApp();
const { as, make, owner } = testApp;
const kpi = kpiMaker(testApp);
const here = await make.entity();
const elsewhere = await make.entity();
const hrPerson = await make.employee({ entity_id: here.id, roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const local = await make.employee({ entity_id: here.id, roles: [{ role: 'HR', entity_ids: [here.id] }] });
const localHr = await as(local.user_id);

const [sales, closed, abroad] = [
  await make.department({ entity_id: here.id, name: 'Sales' }),
  await make.department({ entity_id: here.id, name: 'Shop', status: 'inactive' }),
  await make.department({ entity_id: elsewhere.id, name: 'Sales abroad' }),
];
const stock = await make.department({ entity_id: here.id, name: 'Stock' });
const template = await kpi.template();
const archived = await kpi.template({ status: 'archived' });
const rules = {
  type: 'quarterly',
  acceptance_days: 12,
  min_service_days: 60,
  manager_weight_pct: 70,
  self_weight_pct: 30,
  auto_accept: true,
  four_eyes: false,
} as const;
const source = await kpi.cycle({
  ...rules,
  status: 'closed',
  start_date: '2026-10-01',
  end_date: '2026-12-31',
  self_assessment_opens_on: '2026-12-20',
  self_assessment_closes_on: '2027-01-10',
  manager_review_opens_on: null,
  manager_review_closes_on: '2027-01-31',
  departments: [
    { department_id: sales.id, template_id: template.id, is_published: true },
    { department_id: closed.id, template_id: template.id },
    { department_id: abroad.id, template_id: template.id },
    { department_id: stock.id, template_id: archived.id },
  ],
});

const next = (name: string) => ({ name, start_date: '2027-01-01', end_date: '2027-03-31', copy_from: source.id });
const chosen = async (id: number) =>
  (
    await owner.query(
      `select department_id::int as department_id, template_id::int as template_id, is_published
       from kpi_cycle_departments where cycle_id = $1 order by department_id`,
      [id],
    )
  ).rows as unknown[];
const row = (department: { id: number }, template_id: number | null) => ({
  department_id: department.id,
  template_id,
  is_published: false,
});

test('a new cycle takes rules, windows, departments and templates of an earlier one', async () => {
  const { status, body } = await hr.post('/api/kpi-cycles', next('Q1 2027'));
  expect(status, JSON.stringify(body)).toBe(201);
  expect(body.data).toMatchObject({
    ...rules,
    name: 'Q1 2027',
    status: 'draft',
    start_date: '2027-01-01',
    // 92 days later, like the start
    self_assessment_opens_on: '2027-03-22',
    self_assessment_closes_on: '2027-04-12',
    manager_review_opens_on: null,
    manager_review_closes_on: '2027-05-03',
    owner: { id: hrPerson.id },
    departments_count: 3,
    published_departments_count: 0,
    evaluations_count: 0,
  });
  // without the closed department, and without the archived template
  const expected = [row(sales, template.id), row(abroad, template.id), row(stock, null)];
  expect(await chosen(body.data.id)).toEqual(expected);
  const { rows } = await owner.query(
    "select changes from audit_log where subject_type = 'kpi_cycle' and subject_id = $1 order by id",
    [body.data.id],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0].changes).toMatchObject({
    copied_from: { to: source.name },
    departments: { to: ['Sales', 'Sales abroad', 'Stock'] },
  });
});

test('what is sent wins over what is copied', async () => {
  const fields = { ...next('Own rules'), acceptance_days: 3, self_assessment_opens_on: '2027-02-01', type: 'custom' };
  expect((await hr.post('/api/kpi-cycles', fields)).body.data).toMatchObject({
    type: 'custom',
    acceptance_days: 3,
    self_assessment_opens_on: '2027-02-01',
    self_assessment_closes_on: '2027-04-12',
  });
});

test('HR of one company copies its own departments only', async () => {
  const { status, body } = await localHr.post('/api/kpi-cycles', { ...next('Here'), entity_id: here.id });
  expect(status, JSON.stringify(body)).toBe(201);
  expect(await chosen(body.data.id)).toEqual([row(sales, template.id), row(stock, null)]);
});

test('a cycle that the actor does not see is unavailable', async () => {
  const foreign = await kpi.cycle({ entity_id: elsewhere.id });
  for (const copy_from of [foreign.id, 999_999]) {
    const refused = await localHr.post('/api/kpi-cycles', { ...next('Foreign'), entity_id: here.id, copy_from });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['copy_from']]);
  }
});

test('the log of a company does not name a cycle of another one that was copied', async () => {
  const foreign = await kpi.cycle({ entity_id: elsewhere.id, name: 'Secret of elsewhere' });
  const sent = { ...next('From elsewhere'), entity_id: here.id, copy_from: foreign.id };
  const { status, body } = await hr.post('/api/kpi-cycles', sent);
  expect(status, JSON.stringify(body)).toBe(201);
  const { rows } = await owner.query(
    "select changes::text from audit_log where subject_type = 'kpi_cycle' and subject_id = $1",
    [body.data.id],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0].changes).not.toContain('Secret');
});

test.each([
  ['after the last year', '9998-11-01', '9998-12-31'],
  ['before the first year', '0001-01-01', '0001-06-30'],
])('windows that would be %s are empty in a copy', async (_where, start_date, end_date) => {
  const windows = { self_assessment_opens_on: '2025-12-01', self_assessment_closes_on: '2026-06-30' };
  const early = await kpi.cycle({ entity_id: here.id, start_date: '2026-01-01', end_date: '2026-12-31', ...windows });
  const body = { name: `Edge ${start_date}`, entity_id: here.id, start_date, end_date, copy_from: early.id };
  const made = await hr.post('/api/kpi-cycles', body);
  expect([made.status, made.body.errors]).toEqual([201, undefined]);
  const { self_assessment_opens_on: opens, self_assessment_closes_on: closes } = made.body.data;
  expect([opens, closes]).toEqual(start_date > '2000' ? ['9998-10-01', null] : [null, '0001-06-30']);
});
