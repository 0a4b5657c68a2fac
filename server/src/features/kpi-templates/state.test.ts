import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);
const acme = await make.entity();
const department = await make.department({ entity_id: acme.id });
const hr = await as(
  (await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }], entity_id: acme.id })).user_id,
);

const template = (fields: Parameters<typeof kpi.template>[0] = {}) => kpi.template({ entity_id: acme.id, ...fields });
const use = (status: 'draft' | 'published' | 'closed', template_id: number, is_published = false) =>
  kpi.cycle({ status, departments: [{ department_id: department.id, template_id, is_published }] });
const stored = async () =>
  (
    await owner.query(
      'select *, (select count(*) from audit_log) from kpi_templates t left join kpi_template_items i on i.template_id = t.id order by t.id, i.id',
    )
  ).rows as unknown[];
const stateOf = async (id: number) =>
  (await owner.query('select status, version, revision from kpi_templates where id = $1', [id])).rows[0] as unknown;

test('a draft is activated, archived and activated again, each recorded', async () => {
  const { id } = await template({ status: 'draft' });
  const path = `/api/kpi-templates/${id}`;
  const active = await hr.post(`${path}/activate`, { revision: 1 });
  expect([active.status, active.body.message, active.body.data.status]).toEqual([
    200,
    'KPI template activated successfully.',
    'active',
  ]);
  expect((await hr.post(`${path}/archive`, {})).body.data).toMatchObject({
    status: 'archived',
    revision: 3,
    version: 1,
  });
  expect((await hr.post(`${path}/activate`)).body.data.status).toBe('active');
  const { rows } = await owner.query(
    `select action, changes from audit_log where subject_type = 'kpi_template' and subject_id = $1 order by id`,
    [id],
  );
  expect(rows).toEqual([
    { action: 'kpi_template.activated', changes: { status: { from: 'draft', to: 'active' } } },
    { action: 'kpi_template.archived', changes: { status: { from: 'active', to: 'archived' } } },
    { action: 'kpi_template.activated', changes: { status: { from: 'archived', to: 'active' } } },
  ]);
});

test.each([
  ['active', 'activate', 'A KPI template that is active can’t be activated.'],
  ['draft', 'archive', 'A KPI template that is draft can’t be archived.'],
  ['archived', 'archive', 'A KPI template that is archived can’t be archived.'],
])('a template that is %s refuses to %s', async (status, action, message) => {
  const { id } = await template({ status });
  const before = await stored();
  const answer = await hr.post(`/api/kpi-templates/${id}/${action}`);
  expect([answer.status, answer.body]).toEqual([422, { message, errors: { status: [message] }, status, revision: 1 }]);
  expect(await stored()).toEqual(before);
});

test.each([
  ['of 99.99', [{ weight: 9_999 }], 'items'],
  [
    'with a measured item without target',
    [{ weight: 10_000, item_type: 'measured', direction: 'target' }],
    'items.0.target_value',
  ],
])('a draft %s is not activated', async (_what, items, field) => {
  const { id } = await template({ status: 'draft', items });
  const before = await stored();
  const { status, body } = await hr.post(`/api/kpi-templates/${id}/activate`);
  expect([status, Object.keys(body.errors), body.status]).toEqual([422, ['status', field], 'draft']);
  expect(await stored()).toEqual(before);
});

test('a draft without items is not activated', async () => {
  const sent = { name: 'Empty', entity_id: acme.id, status: 'draft', items: [] };
  const { id } = (await hr.post('/api/kpi-templates', sent)).body.data;
  const { status, body } = await hr.post(`/api/kpi-templates/${id}/activate`);
  expect([status, body.errors.items]).toEqual([
    422,
    ['The weights add up to 0.00; they must add up to exactly 100.00.'],
  ]);
  expect(await stateOf(id)).toEqual({ status: 'draft', version: 1, revision: 1 });
});

test('a template of unpublished departments of an open cycle is not archived', async () => {
  for (const status of ['draft', 'published'] as const) {
    const { id } = await template();
    await use(status, id);
    const before = await stored();
    const answer = await hr.post(`/api/kpi-templates/${id}/archive`);
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { status: ['You can’t archive this template yet. These open cycles still need it: 1 department.'] },
    ]);
    expect((await hr.get(`/api/kpi-templates/${id}`)).body.data.allowed_actions).not.toContain('archive');
    expect(await stored()).toEqual(before);
  }
  for (const [status, is_published] of [
    ['published', true],
    ['closed', false],
  ] as const) {
    const { id } = await template();
    await use(status, id, is_published);
    expect((await hr.post(`/api/kpi-templates/${id}/archive`)).status).toBe(200);
  }
});

test('items and scale stay while a published or closed cycle uses them; other fields may change', async () => {
  for (const status of ['published', 'closed'] as const) {
    const { id } = await template();
    await use(status, id, true);
    const path = `/api/kpi-templates/${id}`;
    const { items } = (await hr.get(path)).body.data;
    const before = await stored();
    const message =
      'You can’t change the items or the scale because of 1 published KPI cycle. Duplicate the template instead.';
    const otherItems = await hr.put(path, { items: [{ name: 'Other', weight: 100 }] });
    expect([otherItems.status, otherItems.body.errors]).toEqual([422, { status: [message], items: [message] }]);
    const otherScale = await hr.put(path, { name: 'Renamed', scale_max: 10 });
    expect([otherScale.status, otherScale.body.errors]).toEqual([422, { status: [message], scale_max: [message] }]);
    expect(await stored()).toEqual(before);
    const renamed = await hr.put(path, { name: `Used ${status}`, description: 'Kept', items, scale_max: 5 });
    expect([renamed.status, renamed.body.data]).toMatchObject([200, { name: `Used ${status}`, version: 1 }]);
    const copy = (await hr.post(`${path}/duplicate`, {})).body.data;
    expect((await hr.put(`/api/kpi-templates/${copy.id}`, { scale_max: 10 })).body.data.version).toBe(2);
  }
});

test('a draft cycle does not lock items', async () => {
  const { id } = await template();
  await use('draft', id);
  const { status, body } = await hr.put(`/api/kpi-templates/${id}`, { items: [{ name: 'Other', weight: 100 }] });
  expect([status, body.data.version]).toEqual([200, 2]);
});

test('a template used by cycles is not deleted, and the refusal counts them', async () => {
  const { id, name } = await template();
  await use('draft', id);
  await use('published', id, true);
  await use('closed', id, true);
  const before = await stored();
  const { status, body } = await hr.delete(`/api/kpi-templates/${id}`);
  expect([status, body.errors]).toEqual([
    422,
    { kpi_template: [`You can’t delete ${name}. It’s used by 1 draft KPI cycle and 2 published KPI cycles.`] },
  ]);
  expect(await stored()).toEqual(before);
});

test('a stale revision is refused with the current one', async () => {
  const { id } = await template();
  const path = `/api/kpi-templates/${id}`;
  await hr.put(path, { grade: 'T1' });
  const before = await stored();
  for (const answer of [
    await hr.put(path, { grade: 'T2', revision: 1 }),
    await hr.post(`${path}/archive`, { revision: 1 }),
  ])
    expect([answer.status, answer.body.status, answer.body.revision]).toEqual([422, 'active', 2]);
  expect(await stored()).toEqual(before);
});

test('of several simultaneous changes one succeeds', async () => {
  const { id } = await template();
  const path = `/api/kpi-templates/${id}`;
  const statuses = async (answers: Promise<{ status: number }>[]) =>
    (await Promise.all(answers)).map(({ status }) => status).sort((a, b) => a - b);
  const archived = Array.from({ length: 4 }, () => hr.post(`${path}/archive`));
  expect(await statuses(archived)).toEqual([200, 422, 422, 422]);
  expect(await stateOf(id)).toEqual({ status: 'archived', version: 1, revision: 2 });
  const activated = Array.from({ length: 4 }, () => hr.post(`${path}/activate`, { revision: 2 }));
  expect(await statuses(activated)).toEqual([200, 422, 422, 422]);
  const changed = [60, 70, 80].map((weight) =>
    hr.put(path, {
      items: [
        { name: 'One', weight },
        { name: 'Two', weight: 100 - weight },
      ],
      revision: 3,
    }),
  );
  expect(await statuses(changed)).toEqual([200, 422, 422]);
  expect(await stateOf(id)).toEqual({ status: 'active', version: 2, revision: 4 });
  const { rows } = await owner.query(
    'select sum(weight)::int as n, count(*)::int as c from kpi_template_items where template_id = $1',
    [id],
  );
  expect(rows).toEqual([{ n: 10_000, c: 2 }]);
  const mixed = [
    hr.post(`${path}/archive`, { revision: 4 }),
    hr.put(path, { name: 'Late', revision: 4 }),
    hr.delete(path),
  ];
  const ends = (await Promise.all(mixed)).map(({ status }) => status);
  expect(ends.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
  expect(ends[2]).toBe(204);
});
