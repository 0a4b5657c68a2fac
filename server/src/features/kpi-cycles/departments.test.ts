import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';

const testApp = await startApp();
const { as, make, owner } = testApp;
const kpi = kpiMaker(testApp);
const here = await make.entity();
const elsewhere = await make.entity();
const hr = await as((await make.employee({ entity_id: here.id, roles: ['HR'] })).user_id);
const localHr = await as(
  (await make.employee({ entity_id: here.id, roles: [{ role: 'HR', entity_ids: [here.id] }] })).user_id,
);

const rows = async (cycleId: number) =>
  (
    await owner.query(
      'select department_id::int, template_id::int, is_published from kpi_cycle_departments where cycle_id = $1 order by 1',
      [cycleId],
    )
  ).rows as unknown[];

test('a department takes part with a template or without one yet', async () => {
  const cycle = await kpi.cycle({ status: 'draft' });
  const department = await make.department({ entity_id: here.id });
  const template = await kpi.template({ entity_id: here.id });
  const url = `/api/kpi-cycles/${cycle.id}/departments/${department.id}`;
  const first = await hr.put(url, { template_id: null });
  expect([first.status, first.body.data.template, first.body.data.allowed_actions]).toEqual([
    200,
    null,
    ['update', 'delete'],
  ]);
  const second = await hr.put(url, { template_id: template.id, revision: first.body.data.revision });
  expect(second.body.data).toMatchObject({
    cycle_id: cycle.id,
    department: { id: department.id, name: department.name },
    entity: { id: here.id, name: here.name },
    template: { id: template.id, name: template.name },
    is_published: false,
    published_by: null,
    evaluations_count: 0,
    by_status: { self_assessment: 0, completed: 0 },
    overdue: 0,
  });
  expect((await hr.put(url, {})).body.data.template.id).toBe(template.id);
  const stale = await hr.put(url, { template_id: null, revision: first.body.data.revision });
  expect([stale.status, stale.body.errors]).toEqual([422, { status: [expect.any(String)] }]);
  expect((await hr.get(`/api/kpi-cycles/${cycle.id}`)).body.data.departments_count).toBe(1);
  expect((await hr.delete(url)).status).toBe(204);
  expect((await hr.delete(url)).status).toBe(404);
  expect(await rows(cycle.id)).toEqual([]);
  const { rows: written } = await owner.query(
    `select changes -> 'template_id' as template from audit_log
     where action = 'kpi_cycle.departments' and subject_id = $1 order by id`,
    [cycle.id],
  );
  expect(written.map((row) => row.template)).toEqual([
    { from: null, to: null },
    { from: null, to: template.id },
    { from: template.id, to: null },
  ]);
});

test('the template is active, and of the company of the department or of none', async () => {
  const cycle = await kpi.cycle({ status: 'draft' });
  const department = await make.department({ entity_id: here.id });
  const url = `/api/kpi-cycles/${cycle.id}/departments/${department.id}`;
  for (const template of [
    await kpi.template({ entity_id: elsewhere.id }),
    await kpi.template({ entity_id: here.id, status: 'archived' }),
    { id: 999_999 },
  ]) {
    const { status, body } = await hr.put(url, { template_id: template.id });
    expect([status, body.errors]).toEqual([
      422,
      { template_id: ['This template isn’t available. Select another one.'] },
    ]);
  }
  expect(await rows(cycle.id)).toEqual([]);
  expect((await hr.put(url, { template_id: (await kpi.template()).id })).status).toBe(200);
});

test('a cycle of one company accepts its active departments only', async () => {
  const cycle = await kpi.cycle({ status: 'draft', entity_id: here.id });
  const foreign = await make.department({ entity_id: elsewhere.id });
  const asleep = await make.department({ entity_id: here.id, status: 'inactive' });
  const put = (id: number) => hr.put(`/api/kpi-cycles/${cycle.id}/departments/${id}`, { template_id: null });
  expect((await put(foreign.id)).body.errors).toEqual({
    department_id: [`${foreign.name} belongs to another company than the cycle.`],
  });
  expect((await put(asleep.id)).body.errors).toEqual({ department_id: [`${asleep.name} is inactive.`] });
  expect((await put(999_999)).status).toBe(404);
  expect(await rows(cycle.id)).toEqual([]);
});

test('published departments stay, and a closed cycle accepts none', async () => {
  const [template, other] = [await kpi.template(), await kpi.template()];
  const department = await make.department({ entity_id: here.id });
  const cycle = await kpi.cycle({
    departments: [{ department_id: department.id, template_id: template.id, is_published: true }],
  });
  const url = `/api/kpi-cycles/${cycle.id}/departments/${department.id}`;
  const before = await rows(cycle.id);
  const changed = await hr.put(url, { template_id: other.id });
  expect([changed.status, changed.body.status, changed.body.errors]).toEqual([
    422,
    'published',
    { status: [`${department.name} is already published.`] },
  ]);
  expect((await hr.delete(url)).status).toBe(422);
  expect(await rows(cycle.id)).toEqual(before);
  const { body } = await hr.get(`/api/kpi-cycles/${cycle.id}/departments`);
  expect(body.data[0]).toMatchObject({ is_published: true, allowed_actions: ['replace-template'] });
  const closed = await kpi.cycle({ status: 'closed' });
  const late = await hr.put(`/api/kpi-cycles/${closed.id}/departments/${department.id}`, { template_id: template.id });
  expect([late.status, late.body.status]).toEqual([422, 'closed']);
  expect(await rows(closed.id)).toEqual([]);
});

test('a user of one company selects its departments in a cycle of all companies', async () => {
  const cycle = await kpi.cycle({ status: 'draft' });
  const [own, foreign] = [
    await make.department({ entity_id: here.id }),
    await make.department({ entity_id: elsewhere.id }),
  ];
  const put = (id: number) => localHr.put(`/api/kpi-cycles/${cycle.id}/departments/${id}`, { template_id: null });
  expect((await put(own.id)).status).toBe(200);
  expect((await put(foreign.id)).status).toBe(404);
  await hr.put(`/api/kpi-cycles/${cycle.id}/departments/${foreign.id}`, { template_id: null });
  expect((await localHr.delete(`/api/kpi-cycles/${cycle.id}/departments/${foreign.id}`)).status).toBe(404);
  const names = async (client: typeof hr) =>
    (await client.get(`/api/kpi-cycles/${cycle.id}/departments`)).body.data.map(
      (row: { department: { id: number } }) => row.department.id,
    );
  expect(await names(localHr)).toEqual([own.id]);
  expect(await names(hr)).toEqual(expect.arrayContaining([own.id, foreign.id]));
});

test("the board shows the state and overdue steps of each department, in the reader's scope", async () => {
  const [first, second] = [
    await make.department({ entity_id: here.id, name: 'Alpha' }),
    await make.department({ entity_id: here.id, name: 'Beta' }),
  ];
  const template = await kpi.template();
  const cycle = await kpi.cycle({
    self_assessment_closes_on: dayFromNow(-2),
    manager_review_closes_on: dayFromNow(2),
    departments: [first, second].map(({ id }) => ({ department_id: id, template_id: template.id, is_published: true })),
  });
  for (const status of ['self_assessment', 'self_assessment', 'manager_review', 'completed'] as const)
    await kpi.evaluation({
      cycle_id: cycle.id,
      template,
      status,
      employee: await make.employee({ department_id: first.id }),
    });
  // published before the department moved: readers of its new company do not count it
  await owner.query('update kpi_evaluations set entity_id = $1 where cycle_id = $2 and status = $3', [
    elsewhere.id,
    cycle.id,
    'completed',
  ]);
  const board = async (client: typeof hr, query = '') =>
    (await client.get(`/api/kpi-cycles/${cycle.id}/departments?${query}`)).body.data.map(
      ({ evaluations_count, by_status, overdue }: Record<string, Record<string, number>>) => [
        evaluations_count,
        Object.fromEntries(Object.entries(by_status ?? {}).filter(([, n]) => n > 0)),
        overdue,
      ],
    );
  const empty = [0, {}, 0];
  expect(await board(hr)).toEqual([[4, { self_assessment: 2, manager_review: 1, completed: 1 }, 2], empty]);
  expect(await board(localHr)).toEqual([[3, { self_assessment: 2, manager_review: 1 }, 2], empty]);
  await owner.query('select fold_kpi_evaluation_counts()');
  expect(await board(localHr, 'sort_by=evaluations_count')).toEqual([
    empty,
    [3, { self_assessment: 2, manager_review: 1 }, 2],
  ]);
  expect(await board(hr, 'search=beta')).toEqual([empty]);
  expect(await board(hr, 'template_id=0')).toEqual([]);
  expect(await board(hr, 'is_published=0')).toEqual([]);
});
