import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Actor } from '../../access/actor.ts';
import { rightsOf } from '../../access/rights.ts';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';
import { templatesMatching, templatesOrdered } from './queries.ts';

const app = await startApp();
const { as, make, deps } = app;
const kpi = kpiMaker(app);
const acme = await make.entity({ name: 'Acme' });
const borg = await make.entity({ name: 'Borg' });
const [buying, selling] = [
  await make.department({ entity_id: acme.id }),
  await make.department({ entity_id: borg.id }),
];
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const limited = await as(
  (await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }], entity_id: acme.id })).user_id,
);
const common = await kpi.template({ name: 'Überall', description: 'Group wide' });
const buyer = await kpi.template({ name: 'buying', entity_id: acme.id, job_title: 'Senior Buyer', grade: 'T2' });
const seller = await kpi.template({
  name: 'Alpha',
  entity_id: borg.id,
  status: 'archived',
  items: [{ weight: 5000 }, { weight: 5000 }],
});
const draft = await kpi.template({ name: 'zed', entity_id: acme.id, status: 'draft', items: [{ weight: 9999 }] });
// times are stored in milliseconds, so rows from the same one have no order
for (const [minute, { id }] of [common, buyer, seller, draft].entries()) {
  const created_at = `2026-11-01T09:0${minute}:00Z`;
  await deps.db.updateTable('kpi_templates').set({ created_at }).where('id', '=', id).execute();
  await sql`select pg_sleep(0.002)`.execute(deps.db);
}

const names = async (query = '', client = hr) => {
  const { status, body } = await client.get(`/api/kpi-templates?${query}`);
  expect(status).toBe(200);
  return body.data.map(({ name }: { name: string }) => name) as string[];
};

test('the list sorts, filters, searches and pages', async () => {
  expect(await names()).toEqual(['Alpha', 'buying', 'Überall', 'zed']);
  expect(await names('sort_direction=desc')).toEqual(['zed', 'Überall', 'buying', 'Alpha']);
  expect(await names('sort_by=status')).toEqual(['Überall', 'buying', 'Alpha', 'zed']);
  expect(await names('sort_by=items_count')).toEqual(['zed', 'Alpha', 'Überall', 'buying']);
  expect(await names('sort_by=created_at')).toEqual(['Überall', 'buying', 'Alpha', 'zed']);
  expect(await names('sort_by=updated_at&sort_direction=desc')).toEqual(['zed', 'Alpha', 'buying', 'Überall']);
  expect(await names('status=draft,archived')).toEqual(['Alpha', 'zed']);
  expect(await names(`entity_id=${acme.id}`)).toEqual(['buying', 'zed']);
  expect(await names(`entity_id=0,${borg.id}`)).toEqual(['Alpha', 'Überall']);
  expect(await names('job_title=senior buyer')).toEqual(['buying']);
  expect(await names('grade=t2')).toEqual(['buying']);
  expect(await names('search=uberall wide')).toEqual(['Überall']);
  expect(await names('search=buyer')).toEqual(['buying']);
  expect(await names('search=nothing')).toEqual([]);
  const page = (await hr.get('/api/kpi-templates?per_page=3&page=2')).body;
  expect([page.data.map(({ id }: { id: number }) => id), page.meta.total]).toEqual([[draft.id], 4]);
  expect(await names('', limited)).toEqual(['buying', 'Überall', 'zed']);
  for (const [query, field] of [
    ['sort_by=version', 'sort_by'],
    ['status=closed', 'status'],
    ['entity_id=x', 'entity_id'],
  ] as const)
    expect(Object.keys((await hr.get(`/api/kpi-templates?${query}`)).body.errors)).toEqual([field]);
});

test("usage counts cycles by state, limited to the viewer's departments", async () => {
  const use = (template_id: number, is_published = false) => [
    { department_id: buying.id, template_id, is_published },
    { department_id: selling.id, template_id, is_published },
  ];
  await kpi.cycle({ status: 'draft', departments: use(common.id) });
  await kpi.cycle({ status: 'draft', departments: [{ department_id: selling.id, template_id: common.id }] });
  await kpi.cycle({ status: 'published', departments: use(common.id, true) });
  await kpi.cycle({ status: 'closed', departments: use(common.id, true) });
  await kpi.cycle({ departments: [{ department_id: buying.id, template_id: null }] });
  const rowOf = async (client = hr) =>
    (await client.get('/api/kpi-templates?search=uberall')).body.data[0] as Record<string, unknown>;
  expect((await rowOf()).usage).toEqual({ draft_cycles: 2, published_cycles: 2 });
  expect((await rowOf()).allowed_actions).toEqual(['update', 'duplicate', 'export']);
  expect((await rowOf(limited)).usage).toEqual({ draft_cycles: 1, published_cycles: 2 });
  const { items: _items, ...whole } = (await hr.get(`/api/kpi-templates/${common.id}`)).body.data;
  expect(await rowOf()).toEqual(whole);
});

test.each([
  ['active', () => buyer.id, ['update', 'archive', 'duplicate', 'delete', 'export']],
  ['archived', () => seller.id, ['update', 'activate', 'duplicate', 'delete', 'export']],
  ['draft that is not complete', () => draft.id, ['update', 'duplicate', 'delete', 'export']],
])('the actions of a template that is %s', async (_state, id, actions) => {
  expect((await hr.get(`/api/kpi-templates/${id()}`)).body.data.allowed_actions).toEqual(actions);
});

test('activation is offered once the measured items of a draft are complete', async () => {
  const measured = { name: 'Sales', weight: 10_000, item_type: 'measured' };
  const open = await kpi.template({ status: 'draft', items: [{ ...measured, direction: 'higher_better' }] });
  const yes = await kpi.template({ status: 'draft', items: [{ ...measured, direction: 'boolean' }] });
  const actionsOf = async (id: number) =>
    (await hr.get(`/api/kpi-templates/${id}`)).body.data.allowed_actions as string[];
  expect(await actionsOf(open.id)).not.toContain('activate');
  expect((await hr.post(`/api/kpi-templates/${open.id}/activate`)).status).toBe(422);
  expect(await actionsOf(yes.id)).toContain('activate');
  expect((await hr.post(`/api/kpi-templates/${yes.id}/activate`)).status).toBe(200);
});

test('an index gives the order by name, and a page asks the database once', async () => {
  const { user_id } = await make.admin();
  const admin = { ...(await rightsOf(new Map(), deps.db, user_id, 'any')), user_id, employee_id: null } as Actor;
  const plan = await deps.db.transaction().execute(async (db) => {
    await sql`set local enable_seqscan = off`.execute(db);
    await sql`set local enable_bitmapscan = off`.execute(db);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (costs off) select t.id from kpi_templates t
      where ${templatesMatching(admin, {})} ${templatesOrdered({})} limit 15`.execute(db);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toContain('kpi_templates_name_idx');
  expect(plan).not.toMatch(/Sort|Seq Scan/);
});
