import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';

const app = await startApp();
const { as, make, owner, deps } = app;
const kpi = kpiMaker(app);
const acme = await make.entity({ name: 'Acme Foods Ltd' });
const borg = await make.entity({ name: 'Borg Systems' });
const hana = await make.employee({ roles: ['HR'], entity_id: acme.id });
const hr = await as(hana.user_id);
const acmeHr = await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }], entity_id: acme.id });
const limited = await as(acmeHr.user_id);

const stored = async () =>
  (
    await owner.query(
      'select * from kpi_templates t left join kpi_template_items i on i.template_id = t.id order by t.id, i.id',
    )
  ).rows as unknown[];
const auditRows = async (id: number) =>
  deps.db
    .selectFrom('audit_log')
    .select(['action', 'subject_label', 'entity_id', 'actor_id', 'changes'])
    .where('subject_type', '=', 'kpi_template')
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute();

const sales = {
  name: 'Sales scorecard',
  entity_id: acme.id,
  items: [
    {
      name: 'Revenue',
      weight: 50,
      item_type: 'measured',
      direction: 'higher_better',
      target_value: 1_000_000,
      unit: 'EUR',
    },
    { name: 'New customers', weight: 30.5, evidence_required: true },
    { name: 'Teamwork', weight: 19.5, description: 'Helps others.' },
  ],
};

test('HR adds a template, reads it, changes it and deletes it', async () => {
  const added = await hr.post('/api/kpi-templates', sales);
  expect([added.status, added.body.message]).toEqual([201, 'KPI template created successfully.']);
  const { data } = added.body;
  expect(data).toMatchObject({
    name: 'Sales scorecard',
    entity: { id: acme.id, name: 'Acme Foods Ltd' },
    scale_min: 1,
    scale_max: 5,
    score_step: 1,
    status: 'active',
    version: 1,
    total_weight: 100,
    items_count: 3,
    usage: { draft_cycles: 0, published_cycles: 0 },
    revision: 1,
    allowed_actions: ['update', 'archive', 'duplicate', 'delete', 'export'],
  });
  expect(data.items[0]).toMatchObject({
    name: 'Revenue',
    weight: 50,
    sort_order: 1,
    target_value: 1_000_000,
    cap_pct: 120,
  });
  expect(data.items[1]).toMatchObject({
    weight: 30.5,
    sort_order: 2,
    item_type: 'rating',
    evidence_required: true,
    cap_pct: null,
  });
  const path = `/api/kpi-templates/${data.id}`;
  expect((await hr.get(path)).body).toEqual({ data, message: 'Operation successful.' });
  const changed = await hr.put(path, { description: 'For the sales force', revision: 1 });
  expect(changed.body.data).toMatchObject({ description: 'For the sales force', version: 1, revision: 2 });
  expect((await hr.delete(path)).status).toBe(204);
  expect((await hr.get(path)).status).toBe(404);
  const log = await auditRows(data.id);
  expect(log.map(({ action, actor_id, entity_id }) => [action, actor_id, entity_id])).toEqual([
    ['kpi_template.created', hana.user_id, acme.id],
    ['kpi_template.updated', hana.user_id, acme.id],
    ['kpi_template.deleted', hana.user_id, acme.id],
  ]);
  expect(log[1]?.changes).toEqual({ description: { from: null, to: 'For the sales force' } });
});

test('items are matched by id: changed, removed and new ones, and the version counts it', async () => {
  const { data } = (await hr.post('/api/kpi-templates', { ...sales, name: 'Versions' })).body;
  const path = `/api/kpi-templates/${data.id}`;
  const [revenue, customers, teamwork] = data.items;
  const changed = await hr.put(path, {
    items: [
      { id: teamwork.id, name: 'Teamwork', weight: 40 },
      { name: 'Margin', weight: 10 },
      { id: revenue.id, name: 'Turnover', weight: 50 },
    ],
  });
  expect([changed.status, changed.body.data.version, changed.body.data.items_count]).toEqual([200, 2, 3]);
  const { items } = changed.body.data;
  expect(items.map(({ name, weight, sort_order }: Record<string, unknown>) => [name, weight, sort_order])).toEqual([
    ['Teamwork', 40, 1],
    ['Margin', 10, 2],
    ['Turnover', 50, 3],
  ]);
  // missing fields of an item keep their value
  expect([items[0].id, items[0].description]).toEqual([teamwork.id, 'Helps others.']);
  expect(items[2]).toMatchObject({ id: revenue.id, item_type: 'measured', target_value: 1_000_000 });
  expect(items.some(({ id }: { id: number }) => id === customers.id)).toBe(false);
  const same = await hr.put(path, { ...changed.body.data, revision: changed.body.data.revision });
  expect([same.status, same.body.data]).toEqual([200, changed.body.data]);
  expect(await auditRows(data.id)).toHaveLength(2);
  const renamed = await hr.put(path, { name: 'Versions 2', job_title: 'Seller', grade: 'T2' });
  expect(renamed.body.data).toMatchObject({ version: 2, revision: 3, job_title: 'Seller', items });
  await hr.delete(path);
});

test('two items may swap their names, and a measured item may become a rated one', async () => {
  const { data } = (await hr.post('/api/kpi-templates', { ...sales, name: 'Swap' })).body;
  const [revenue, customers, teamwork] = data.items;
  const { status, body } = await hr.put(`/api/kpi-templates/${data.id}`, {
    items: [
      { id: revenue.id, name: 'Teamwork', weight: 50, item_type: 'rating' },
      customers,
      { id: teamwork.id, name: 'Revenue', weight: 19.5 },
    ],
  });
  expect([status, body.data.items.map(({ name }: { name: string }) => name)]).toEqual([
    200,
    ['Teamwork', 'New customers', 'Revenue'],
  ]);
  expect(body.data.items[0]).toMatchObject({ item_type: 'rating', direction: null, target_value: null, cap_pct: null });
  await hr.delete(`/api/kpi-templates/${data.id}`);
});

test('a foreign item, a repeated item and a duplicate name are refused', async () => {
  const { data } = (await hr.post('/api/kpi-templates', { ...sales, name: 'Ids' })).body;
  const other = await kpi.template({ entity_id: acme.id });
  const before = await stored();
  const [revenue] = data.items;
  const path = `/api/kpi-templates/${data.id}`;
  const foreign = await hr.put(path, { items: [{ id: other.items[0]?.id, name: 'Mine now', weight: 100 }] });
  expect([foreign.status, foreign.body.errors]).toEqual([422, { 'items.0.id': ['The selected item 1 is invalid.'] }]);
  const twice = await hr.put(path, {
    items: [
      { ...revenue, weight: 50 },
      { ...revenue, name: 'Other', weight: 50 },
    ],
  });
  expect([twice.status, Object.keys(twice.body.errors)]).toEqual([422, ['items.1.id']]);
  const named = await hr.put(path, {
    items: [
      { ...revenue, weight: 50 },
      { name: 'REVENUE', weight: 50 },
    ],
  });
  expect([named.status, named.body.errors]).toEqual([
    422,
    { 'items.1.name': ['The item 2 name field has a duplicate value.'] },
  ]);
  expect(await stored()).toEqual(before);
  await hr.delete(path);
});

test('company and state cannot change by an update; their stored values are accepted', async () => {
  const { id } = await kpi.template({ entity_id: acme.id, status: 'archived' });
  const before = await stored();
  const moved = await hr.put(`/api/kpi-templates/${id}`, { entity_id: borg.id, status: 'active' });
  expect([moved.status, moved.body.errors]).toEqual([
    422,
    {
      entity_id: ['The company can’t be changed here.'],
      status: ['The status can’t be changed here.'],
    },
  ]);
  expect(await stored()).toEqual(before);
  const same = await hr.put(`/api/kpi-templates/${id}`, { entity_id: acme.id, status: 'archived', grade: 'T1' });
  expect([same.status, same.body.data.grade]).toEqual([200, 'T1']);
});

test('a name is unique within its company, whatever its case', async () => {
  await kpi.template({ name: 'Café', entity_id: acme.id });
  const before = await stored();
  const taken = await hr.post('/api/kpi-templates', { ...sales, name: 'CAFE' });
  expect([taken.status, taken.body.errors]).toEqual([422, { name: ['The name has already been taken.'] }]);
  expect(await stored()).toEqual(before);
  for (const entity_id of [borg.id, null]) {
    const free = await hr.post('/api/kpi-templates', { ...sales, name: 'CAFE', entity_id });
    expect([free.status, free.body.data.entity_id]).toEqual([201, entity_id]);
  }
  const again = await hr.post('/api/kpi-templates', { ...sales, name: 'cafe', entity_id: null });
  expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ['name']]);
});

test('HR of one company reads shared templates and writes its own only', async () => {
  const common = await kpi.template({ name: 'Common' });
  const own = await kpi.template({ name: 'Own', entity_id: acme.id });
  const foreign = await kpi.template({ name: 'Foreign', entity_id: borg.id });
  const before = await stored();
  const listed = (await limited.get('/api/kpi-templates?per_page=100')).body.data as {
    id: number;
    allowed_actions: string[];
  }[];
  expect(listed.some(({ id }) => id === foreign.id)).toBe(false);
  const actionsOf = (id: number) => listed.find((row) => row.id === id)?.allowed_actions;
  expect(actionsOf(common.id)).toEqual(['duplicate', 'export']);
  expect(actionsOf(own.id)).toEqual(['update', 'archive', 'duplicate', 'delete', 'export']);
  expect((await limited.get(`/api/kpi-templates/${common.id}`)).status).toBe(200);
  for (const [id, status] of [
    [common.id, 403],
    [foreign.id, 404],
  ]) {
    const path = `/api/kpi-templates/${id}`;
    const answers = [
      await limited.put(path, { name: 'Mine', items: 'nonsense' }),
      await limited.post(`${path}/activate`),
      await limited.post(`${path}/archive`),
      await limited.delete(path),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([status, status, status, status]);
  }
  expect((await limited.get(`/api/kpi-templates/${foreign.id}`)).status).toBe(404);
  expect((await limited.post(`/api/kpi-templates/${foreign.id}/duplicate`, {})).status).toBe(404);
  expect((await limited.post(`/api/kpi-templates/${common.id}/duplicate`, {})).status).toBe(403);
  const forAll = await limited.post('/api/kpi-templates', { ...sales, name: 'For all', entity_id: null });
  expect([forAll.status, forAll.body]).toEqual([
    403,
    {
      message: 'This action is unauthorized.',
      errors: { entity_id: ['Select a company. Your role can’t create templates for all companies.'] },
    },
  ]);
  const elsewhere = await limited.post('/api/kpi-templates', { ...sales, name: 'Elsewhere', entity_id: borg.id });
  expect([elsewhere.status, Object.keys(elsewhere.body.errors)]).toEqual([422, ['entity_id']]);
  expect(await stored()).toEqual(before);
  const copy = await limited.post(`/api/kpi-templates/${common.id}/duplicate`, { entity_id: acme.id });
  expect([copy.status, copy.body.data.entity_id, copy.body.data.status]).toEqual([201, acme.id, 'draft']);
  expect((await limited.put(`/api/kpi-templates/${own.id}`, { grade: 'T9' })).status).toBe(200);
});

test.each(['Manager', 'TeamLead', 'Employee'] as const)('a %s has no access to templates', async (role) => {
  const client = await as((await make.employee({ roles: [role], entity_id: acme.id })).user_id);
  const { id } = await kpi.template({ entity_id: acme.id });
  const before = await stored();
  const path = `/api/kpi-templates/${id}`;
  const answers = [
    await client.get('/api/kpi-templates'),
    await client.get('/api/kpi-templates/export'),
    await client.get(path),
    await client.post('/api/kpi-templates', sales),
    await client.put(path, { name: 'Mine' }),
    await client.post(`${path}/duplicate`, {}),
    await client.delete(path),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
  expect(await stored()).toEqual(before);
});

test('a duplicate is a draft of its own under a free name', async () => {
  const { data } = (await hr.post('/api/kpi-templates', { ...sales, name: 'Original', grade: 'T2' })).body;
  const path = `/api/kpi-templates/${data.id}/duplicate`;
  const first = await hr.post(path, {});
  expect([first.status, first.body.data.name, first.body.data.status]).toEqual([201, 'Original (copy)', 'draft']);
  expect(first.body.data).toMatchObject({ entity_id: acme.id, grade: 'T2', version: 1, total_weight: 100 });
  const plain = (items: Record<string, unknown>[]) => items.map(({ id: _id, ...item }) => item);
  expect(plain(first.body.data.items)).toEqual(plain(data.items));
  expect((await hr.post(path, {})).body.data.name).toBe('Original (copy 2)');
  const named = await hr.post(path, { name: 'For Borg', entity_id: borg.id });
  expect([named.body.data.name, named.body.data.entity_id]).toEqual(['For Borg', borg.id]);
  const before = await stored();
  const taken = await hr.post(path, { name: 'ORIGINAL' });
  expect([taken.status, taken.body.errors]).toEqual([422, { name: ['The name has already been taken.'] }]);
  expect(await stored()).toEqual(before);
  const long = await kpi.template({ name: 'x'.repeat(150) });
  expect((await hr.post(`/api/kpi-templates/${long.id}/duplicate`, {})).body.data.name).toBe(
    `${'x'.repeat(143)} (copy)`,
  );
});

test('an export has a row for each item in the order of the list, and is recorded', async () => {
  const gamma = await make.entity({ name: 'Gamma' });
  await hr.post('/api/kpi-templates', { ...sales, name: 'B1', description: '=1+1', entity_id: gamma.id });
  await hr.post('/api/kpi-templates', { name: 'A1', status: 'draft', items: [], entity_id: gamma.id });
  const answer = await hr.get(`/api/kpi-templates/export?entity_id=${gamma.id}`);
  expect(answer.headers['content-disposition']).toMatch(/filename="kpi-templates-\d{8}-\d{4}\.csv"/);
  const [header = [], ...rows] = parse(answer.bytes, { bom: true });
  expect(header).toHaveLength(24);
  const shown = ['template_name', 'item_name', 'weight', 'item_description', 'sort_order', 'template_description'];
  const states = ['evidence_required', 'entity', 'scale_max', 'status', 'version'];
  const at = [...shown, ...states].map((name) => header.indexOf(name));
  expect(rows.map((row) => at.map((index) => row[index]))).toEqual([
    ['A1', '', '', '', '', '', '', 'Gamma', '5', 'draft', '1'],
    ['B1', 'Revenue', '50', '', '1', "'=1+1", 'false', 'Gamma', '5', 'active', '1'],
    ['B1', 'New customers', '30.5', '', '2', "'=1+1", 'true', 'Gamma', '5', 'active', '1'],
    ['B1', 'Teamwork', '19.5', 'Helps others.', '3', "'=1+1", 'false', 'Gamma', '5', 'active', '1'],
  ]);
  const sheet = await hr.get('/api/kpi-templates/export?format=xlsx&columns=template_name,weight');
  expect([sheet.status, sheet.bytes.subarray(0, 2).toString()]).toEqual([200, 'PK']);
  const { rows: log } = await owner.query(
    `select changes from audit_log where action = 'export.created' and subject_label = 'kpi-templates' order by id`,
  );
  expect(log[0].changes.rows.to).toBe(4);
  expect(
    (await limited.get(`/api/kpi-templates/export?entity_id=${gamma.id}`)).bytes.toString().split('\n'),
  ).toHaveLength(2);
});
