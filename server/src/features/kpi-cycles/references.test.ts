import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';

const testApp = await startApp();
const { as, make, owner } = testApp;
const kpi = kpiMaker(testApp);
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const admin = await as((await make.admin()).user_id);

test('a department with a current or former cycle is not deleted', async () => {
  const department = await make.department({ name: 'Yard' });
  const [draft, old] = [
    await kpi.cycle({ status: 'draft', departments: [{ department_id: department.id, template_id: null }] }),
    await kpi.cycle(),
  ];
  const url = `/api/departments/${department.id}`;
  await kpi.evaluation({ cycle_id: old.id, department_id: department.id });
  const { status, body } = await hr.delete(url);
  expect([status, body.errors]).toEqual([
    422,
    { department: ['Yard can’t be deleted because it still has 1 KPI cycle and 1 KPI evaluation.'] },
  ]);
  expect((await hr.get(url)).body.data.allowed_actions).not.toContain('delete');
  const { items } = (await hr.get(`${url}/consequences`)).body.data;
  expect(items.map(({ kind, blocks }: { kind: string; blocks: string[] }) => [kind, blocks])).toEqual([
    ['kpi_cycles', ['delete']],
    ['kpi_evaluations', ['delete']],
  ]);
  await hr.delete(`/api/kpi-cycles/${draft.id}`);
  expect((await hr.delete(url)).body.errors.department).toEqual([
    'Yard can’t be deleted because it still has 1 KPI evaluation.',
  ]);
});

test('a company with templates or cycles is not deleted', async () => {
  const entity = await make.entity({ name: 'Acme' });
  const url = `/api/entities/${entity.id}`;
  await kpi.template({ entity_id: entity.id });
  const cycle = await kpi.cycle({ entity_id: entity.id, status: 'draft' });
  const { status, body } = await admin.delete(url);
  expect([status, body.errors]).toEqual([
    422,
    { entity: ['Acme can’t be deleted because it still has 1 KPI template and 1 KPI cycle.'] },
  ]);
  expect((await admin.get(url)).body.data.allowed_actions).not.toContain('delete');
  const { items } = (await admin.get(`${url}/consequences`)).body.data;
  expect(items.map(({ kind }: { kind: string }) => kind)).toEqual(['kpi_templates', 'kpi_cycles']);
  await admin.delete(`/api/kpi-cycles/${cycle.id}`);
  await owner.query('delete from kpi_templates where entity_id = $1', [entity.id]);
  expect((await admin.delete(url)).status).toBe(204);
});

test('cycles of a leaver are reassigned to a person who can publish them', async () => {
  const entity = await make.entity();
  const other = await make.entity();
  const from = await make.employee({ entity_id: entity.id, roles: ['HR'] });
  const cycle = await kpi.cycle({ entity_id: entity.id, owner_id: from.id });
  const closed = await kpi.cycle({ status: 'closed', owner_id: from.id });
  const url = `/api/employees/${from.id}`;
  expect((await hr.get(url)).body.data.responsibilities.cycles_owned).toBe(1);
  const reason = 'Leaves for another company.';
  const deactivate = (reassign_to?: number) =>
    hr.post(`${url}/deactivate`, { reason, ...(reassign_to !== undefined && { reassign_to }) });
  const owners = async () =>
    (await owner.query('select owner_id::int from kpi_cycles where id = any($1) order by id', [[cycle.id, closed.id]]))
      .rows;
  const alone = await deactivate();
  expect([alone.status, JSON.stringify(alone.body.errors)]).toEqual([422, expect.stringContaining('1 KPI cycle')]);
  for (const role of ['Employee' as const, { role: 'HR', entity_ids: [other.id] }]) {
    const unfit = await make.employee({ roles: [role] });
    expect((await deactivate(unfit.id)).body.errors).toEqual({
      reassign_to: ['The selected successor can’t take over KPI cycles: they don’t have permission to publish them.'],
    });
  }
  expect(await owners()).toEqual([{ owner_id: from.id }, { owner_id: from.id }]);
  const fit = await make.employee({ roles: [{ role: 'HR', entity_ids: [entity.id] }] });
  expect((await deactivate(fit.id)).status).toBe(200);
  expect(await owners()).toEqual([{ owner_id: fit.id }, { owner_id: from.id }]);
});

test('cycles of a leaver in companies outside of the scope are not handed over', async () => {
  const [entity, other] = [await make.entity(), await make.entity()];
  const from = await make.employee({ entity_id: entity.id });
  const heir = await make.employee({ entity_id: entity.id, roles: ['HR'] });
  const near = await make.employee({ entity_id: entity.id, roles: [{ role: 'HR', entity_ids: [entity.id] }] });
  const limited = await as(near.user_id);
  const cycles = [
    await kpi.cycle({ entity_id: entity.id, owner_id: from.id }),
    await kpi.cycle({ entity_id: other.id, owner_id: from.id }),
  ].map(({ id }) => id);
  const owners = async () =>
    (await owner.query('select owner_id::int from kpi_cycles where id = any($1) order by id', [cycles])).rows;
  const sent = { reason: 'Leaves for another company.', reassign_to: heir.id };
  const { status, body } = await limited.post(`/api/employees/${from.id}/deactivate`, sent);
  expect([status, body.errors]).toEqual([
    422,
    { reassign_to: ['The selected successor can’t take over KPI cycles outside your scope.'] },
  ]);
  expect(await owners()).toEqual([{ owner_id: from.id }, { owner_id: from.id }]);
  expect((await limited.get(`/api/employees/${from.id}`)).body.data.activity_status).toBe('active');
  expect((await hr.post(`/api/employees/${from.id}/deactivate`, sent)).status).toBe(200);
  expect(await owners()).toEqual([{ owner_id: heir.id }, { owner_id: heir.id }]);
});
