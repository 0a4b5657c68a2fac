import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';

const testApp = await startApp();
const { as, make, owner } = testApp;
const kpi = kpiMaker(testApp);
const here = await make.entity();
const elsewhere = await make.entity();
const hrPerson = await make.employee({ entity_id: here.id, roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const local = await make.employee({ entity_id: here.id, roles: [{ role: 'HR', entity_ids: [here.id] }] });
const localHr = await as(local.user_id);
const manager = await as((await make.employee({ roles: ['Manager'] })).user_id);

let serial = 0;
const draft = (fields: Record<string, unknown> = {}) => ({
  name: `Quarter ${(serial += 1)}`,
  start_date: '2026-01-01',
  end_date: '2026-03-31',
  ...fields,
});
const create = async (fields: Record<string, unknown> = {}) => {
  const answer = await hr.post('/api/kpi-cycles', draft(fields));
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data as { id: number; name: string; revision: number };
};
const stored = async (id: number) =>
  (await owner.query('select to_jsonb(c) as c from kpi_cycles c where id = $1', [id])).rows[0]?.c as unknown;
const count = async (table: string) =>
  (await owner.query(`select count(*)::int as n from ${table}`)).rows[0].n as number;

test('a cycle is created as a draft owned by its creator, with the default settings', async () => {
  const { status, body } = await hr.post('/api/kpi-cycles', draft({ name: 'Q1 2026', entity_id: here.id }));
  expect(status).toBe(201);
  expect(body.message).toBe('KPI cycle created successfully.');
  expect(body.data).toMatchObject({
    name: 'Q1 2026',
    type: 'custom',
    status: 'draft',
    entity: { id: here.id, name: here.name },
    acceptance_days: 7,
    min_days: 3,
    min_service_days: null,
    auto_skip_self: false,
    auto_accept: false,
    four_eyes: true,
    manager_weight_pct: 100,
    self_weight_pct: 0,
    pip_below_pct: 60,
    hipo_from_pct: 90,
    band_caps: null,
    publishing: null,
    departments_count: 0,
    evaluations_count: 0,
    owner: { id: hrPerson.id },
    created_by: { user_id: hrPerson.user_id },
    revision: 1,
    allowed_actions: ['update', 'preflight', 'publish', 'delete'],
  });
  const { rows } = await owner.query(
    `select action, subject_label, entity_id::int from audit_log where subject_type = 'kpi_cycle' and subject_id = $1`,
    [body.data.id],
  );
  expect(rows).toEqual([{ action: 'kpi_cycle.created', subject_label: 'Q1 2026', entity_id: here.id }]);
});

test.each([
  [{ end_date: '2026-01-01' }, 'end_date', 'The end date field must be a date after start date.'],
  [
    { self_assessment_opens_on: '2026-04-10', self_assessment_closes_on: '2026-04-09' },
    'self_assessment_closes_on',
    'The self-assessment end field must be a date after or equal to self-assessment start.',
  ],
  [
    { manager_review_opens_on: '2026-04-10', manager_review_closes_on: '2026-04-09' },
    'manager_review_closes_on',
    'The manager review end field must be a date after or equal to manager review start.',
  ],
  [
    { self_assessment_closes_on: '2026-04-10', manager_review_closes_on: '2026-04-09' },
    'manager_review_closes_on',
    'The manager review end field must be a date after or equal to self-assessment end.',
  ],
  [
    { manager_weight_pct: 40, self_weight_pct: 60 },
    'manager_weight_pct',
    'The manager weight field must be at least 50.',
  ],
  [{ manager_weight_pct: 80 }, 'self_weight_pct', 'The two weights must add up to 100.'],
  [
    { pip_below_pct: 90 },
    'hipo_from_pct',
    'The high potential threshold field must be greater than the improvement plan threshold.',
  ],
  [{ owner_id: 999_999 }, 'owner_id', 'This owner isn’t available. Select another one.'],
  [{ entity_id: 999_999 }, 'entity_id', 'This company isn’t available. Select another one.'],
  // due days are counted from this day
  [{ end_date: '9999-01-01' }, 'end_date', 'The end date field must be a date before 9999-01-01.'],
  [{ acceptance_days: 0 }, 'acceptance_days', 'The acceptance days field must be at least 1.'],
  [{ band_caps: { a: 20, b: 40, c: 30, d: 101 } }, 'band_caps.d', expect.any(String)],
])('a cycle with inconsistent settings is refused: %j', async (fields, field, message) => {
  const before = await count('kpi_cycles');
  const { status, body } = await hr.post('/api/kpi-cycles', draft(fields));
  expect([status, body.errors]).toEqual([422, { [field]: [message] }]);
  expect(await count('kpi_cycles')).toBe(before);
});

test('the name is unique whatever its case, and inactive companies get no cycles', async () => {
  await create({ name: 'Annual 2025' });
  const twice = await hr.post('/api/kpi-cycles', draft({ name: 'ANNUAL 2025' }));
  expect([twice.status, twice.body.errors]).toEqual([422, { name: ['The name has already been taken.'] }]);
  const asleep = await make.entity({ status: 'inactive' });
  const refused = await hr.post('/api/kpi-cycles', draft({ entity_id: asleep.id }));
  expect(refused.body.errors).toEqual({ entity_id: ['This company isn’t available. Select another one.'] });
});

test('the owner must be able to publish the cycle', async () => {
  const helper = await make.employee({ entity_id: here.id });
  const refused = await hr.post('/api/kpi-cycles', draft({ owner_id: helper.id }));
  expect(refused.body.errors).toEqual({ owner_id: ['This owner isn’t available. Select another one.'] });
  const wrongPlace = await hr.post('/api/kpi-cycles', draft({ owner_id: local.id, entity_id: elsewhere.id }));
  expect(wrongPlace.status).toBe(422);
  const fits = await hr.post('/api/kpi-cycles', draft({ owner_id: local.id, entity_id: here.id }));
  expect(fits.body.data.owner.id).toBe(local.id);
});

test("a user of one company sees its cycles and those of all companies, and writes the company's only", async () => {
  const [own, shared, foreign] = [
    await create({ entity_id: here.id }),
    await create(),
    await create({ entity_id: elsewhere.id }),
  ];
  const { body } = await localHr.get('/api/kpi-cycles?per_page=100');
  const seen = body.data.map(({ id }: { id: number }) => id);
  expect(seen).toEqual(expect.arrayContaining([own.id, shared.id]));
  expect(seen).not.toContain(foreign.id);
  expect((await localHr.get(`/api/kpi-cycles/${foreign.id}`)).status).toBe(404);
  expect((await localHr.put(`/api/kpi-cycles/${foreign.id}`, { name: 'Mine' })).status).toBe(404);
  expect((await localHr.put(`/api/kpi-cycles/${own.id}`, { name: `Own ${own.id}` })).status).toBe(200);
  const before = await stored(shared.id);
  expect((await localHr.put(`/api/kpi-cycles/${shared.id}`, { name: 'Mine' })).status).toBe(403);
  expect((await localHr.delete(`/api/kpi-cycles/${shared.id}`)).status).toBe(403);
  const forAll = await localHr.post('/api/kpi-cycles', draft());
  expect([forAll.status, forAll.body]).toEqual([
    403,
    {
      message: 'This action is unauthorized.',
      errors: { entity_id: ['Select a company. Your role can’t create cycles for all companies.'] },
    },
  ]);
  expect((await localHr.post('/api/kpi-cycles', draft({ entity_id: elsewhere.id }))).status).toBe(422);
  expect(await stored(shared.id)).toEqual(before);
  const shown = await localHr.get(`/api/kpi-cycles/${shared.id}`);
  expect(shown.body.data.allowed_actions).toEqual(['preflight', 'publish']);
  expect((await manager.get('/api/kpi-cycles')).status).toBe(403);
});

test('an update writes changed fields, once for each revision', async () => {
  const cycle = await create({ description: 'First', min_service_days: 30 });
  const first = await hr.put(`/api/kpi-cycles/${cycle.id}`, {
    revision: cycle.revision,
    description: null,
    band_caps: { a: 20, b: 40, c: 30, d: 10 },
  });
  expect(first.body.data).toMatchObject({ description: null, min_service_days: 30, band_caps: { a: 20, d: 10 } });
  const stale = await hr.put(`/api/kpi-cycles/${cycle.id}`, { revision: cycle.revision, name: 'Later' });
  expect([stale.status, stale.body.status, stale.body.revision]).toEqual([422, 'draft', cycle.revision + 1]);
  const same = await hr.put(`/api/kpi-cycles/${cycle.id}`, { band_caps: { a: 20, b: 40, c: 30, d: 10 } });
  expect(same.body.data.revision).toBe(cycle.revision + 1);
  const moved = await hr.put(`/api/kpi-cycles/${cycle.id}`, { entity_id: here.id });
  expect(moved.body.errors).toEqual({ entity_id: ['The company field can’t be changed.'] });
});

test('a published cycle keeps the settings its evaluations depend on', async () => {
  const { id } = await kpi.cycle({ entity_id: here.id });
  const before = await stored(id);
  for (const [field, value] of Object.entries({
    start_date: '2020-01-01',
    end_date: dayFromNow(100),
    type: 'annual',
    min_service_days: 30,
    manager_weight_pct: 80,
    pip_below_pct: 50,
    hipo_from_pct: 95,
  })) {
    const { status, body } = await hr.put(`/api/kpi-cycles/${id}`, { [field]: value });
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  }
  expect(await stored(id)).toEqual(before);
  const open = await hr.put(`/api/kpi-cycles/${id}`, {
    name: 'Renamed',
    acceptance_days: 10,
    auto_accept: true,
    four_eyes: false,
    auto_skip_self: true,
    owner_id: local.id,
    start_date: (before as { start_date: string }).start_date,
  });
  expect([open.status, open.body.data.acceptance_days]).toEqual([200, 10]);
});

test('a closed cycle cannot be changed', async () => {
  const { id } = await kpi.cycle({ status: 'closed' });
  const before = await stored(id);
  const { status, body } = await hr.put(`/api/kpi-cycles/${id}`, { name: 'Again' });
  expect([status, body.status, body.errors]).toEqual([422, 'closed', { status: ['A closed cycle can’t be changed.'] }]);
  expect(await stored(id)).toEqual(before);
});

test('only a draft can be deleted', async () => {
  const cycle = await create();
  const department = await make.department();
  await hr.put(`/api/kpi-cycles/${cycle.id}/departments/${department.id}`, { template_id: null });
  expect((await hr.delete(`/api/kpi-cycles/${cycle.id}`)).status).toBe(204);
  expect(await stored(cycle.id)).toBeUndefined();
  const { id } = await kpi.cycle();
  const { status, body } = await hr.delete(`/api/kpi-cycles/${id}`);
  expect([status, body.status]).toEqual([422, 'published']);
  expect(await stored(id)).toBeDefined();
});

test('lists filter, search and start with the latest', async () => {
  const entity = await make.entity();
  const mine = (await Promise.all(
    [
      { name: 'Árbol one', start_date: '2024-01-01', type: 'annual' },
      { name: 'Arbol two', start_date: '2025-01-01' },
      { name: 'Third', start_date: '2025-06-01' },
    ].map((fields) => create({ ...fields, entity_id: entity.id })),
  )) as { id: number }[];
  const ids = async (query: string) =>
    (await hr.get(`/api/kpi-cycles?entity_id=${entity.id}&${query}`)).body.data.map(({ id }: { id: number }) =>
      mine.findIndex((one) => one.id === id),
    );
  expect(await ids('')).toEqual([2, 1, 0]);
  expect(await ids('sort_by=name')).toEqual([0, 1, 2]);
  expect(await ids('search=arbol&sort_by=start_date&sort_direction=asc')).toEqual([0, 1]);
  expect(await ids('type=annual')).toEqual([0]);
  expect(await ids('start_from=2025-01-01&start_to=2025-01-01')).toEqual([1]);
  expect(await ids('status=published')).toEqual([]);
});

test("counts cover the companies in the reader's reach", async () => {
  const cycle = await kpi.cycle();
  for (const [entity, statuses] of [
    [here, ['completed', 'cancelled', 'self_assessment']],
    [elsewhere, ['completed', 'manager_review']],
  ] as const) {
    for (const status of statuses) {
      const employee = await make.employee({ entity_id: entity.id });
      await kpi.evaluation({ cycle_id: cycle.id, employee, status });
    }
  }
  const figures = ({ evaluations_count, completed_count, cancelled_count }: Record<string, number>) => [
    evaluations_count,
    completed_count,
    cancelled_count,
  ];
  expect(figures((await hr.get(`/api/kpi-cycles/${cycle.id}`)).body.data)).toEqual([5, 2, 1]);
  expect(figures((await localHr.get(`/api/kpi-cycles/${cycle.id}`)).body.data)).toEqual([3, 1, 1]);
  await owner.query('select fold_kpi_evaluation_counts()');
  expect(figures((await localHr.get(`/api/kpi-cycles/${cycle.id}`)).body.data)).toEqual([3, 1, 1]);
});
