import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);
const acme = await make.entity({ name: 'Acme Foods Ltd', code: 'ACME' });
const borg = await make.entity({ name: 'Borg Systems', code: 'BORG' });
const hana = await make.employee({ roles: ['HR'], entity_id: acme.id });
const hr = await as(hana.user_id);
const acmeHr = await as(
  (await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }], entity_id: acme.id })).user_id,
);

const header = 'template_name,item_name,weight';
const file = (...lines: string[]) => [header, ...lines].join('\n');
let serial = 0;
const upload = (content: string, fields: Record<string, string> = {}, client = hr) => {
  serial += 1;
  return client.upload('/api/kpi-templates/import', { name: `file${serial}.csv`, content }, fields);
};
const dry = async (content: string, fields: Record<string, string> = {}, client = hr) => {
  const answer = await upload(content, { dry_run: '1', ...fields }, client);
  expect(answer.status).toBe(201);
  const path = `/api/kpi-templates/imports/${answer.body.data.id}`;
  return { path, data: answer.body.data, rows: await rowsOf(path, client) };
};
type Row = {
  row: number;
  status: string;
  action: string;
  errors: Record<string, string[]>;
  warnings: Record<string, string[]>;
} & Record<string, unknown>;
const rowsOf = async (path: string, client = hr) => (await client.get(`${path}/rows?per_page=100`)).body.data as Row[];
const stored = async () =>
  (
    await owner.query(
      'select * from kpi_templates t left join kpi_template_items i on i.template_id = t.id order by t.id, i.id',
    )
  ).rows as unknown[];
const named = async (name: string) =>
  (await hr.get(`/api/kpi-templates?search=${encodeURIComponent(name)}`)).body.data as { id: number; name: string }[];

test('rows with one name become a template, and the audit log names the import', async () => {
  const content = [
    'Template,KPI,Weight %,item description,position,template_description,Notes',
    'Sales,Revenue,50,Booked,2,For sellers,private',
    'SALES,"New ""big"" customers","30,5",,1,,',
    'Support,Speed,100 %,,,,',
    'Sales,Teamwork,19.50,,3,For sellers,',
  ].join('\n');
  const { status, body } = await upload(content);
  expect([status, body.message]).toEqual([201, 'Import completed: 4 created, 0 updated, 0 skipped, 0 failed.']);
  expect(body.data).toMatchObject({
    type: 'kpi_templates',
    status: 'completed',
    undo_until: null,
    allowed_actions: [],
  });
  const [sales] = await named('Sales');
  const { data } = (await hr.get(`/api/kpi-templates/${sales?.id}`)).body;
  expect(data).toMatchObject({
    name: 'Sales',
    description: 'For sellers',
    entity_id: null,
    status: 'active',
    total_weight: 100,
  });
  expect(
    data.items.map(({ name, weight, description }: Record<string, unknown>) => [name, weight, description]),
  ).toEqual([
    ['New "big" customers', 30.5, null],
    ['Revenue', 50, 'Booked'],
    ['Teamwork', 19.5, null],
  ]);
  const rows = await rowsOf(`/api/kpi-templates/imports/${body.data.id}`);
  expect(rows[0]).toMatchObject({ key: 'Sales', subject_id: sales?.id, status: 'created', action: 'create' });
  expect(rows[0]?.warnings).toEqual({ Notes: ['The column “Notes” won’t be imported.'] });
  const { rows: log } = await owner.query(
    `select actor_id::int, reason from audit_log where action = 'kpi_template.created' and subject_id = $1`,
    [sales?.id],
  );
  expect(log).toEqual([{ actor_id: hana.user_id, reason: `Import ${body.data.id} (file1.csv)` }]);
});

test('a wrong total fails every row of its template only', async () => {
  const before = await stored();
  const { data, rows, path } = await dry(file('Odd,One,50', 'Odd,Two,49.99', 'Even,One,100'));
  const total = 'The weights add up to 99.99; they must add up to exactly 100.00.';
  expect(rows.map(({ status, errors }) => [status, errors])).toEqual([
    ['failed', { weight: [total] }],
    ['failed', { weight: [total] }],
    ['valid', {}],
  ]);
  expect(data.counts).toMatchObject({ total: 3, valid: 1, created: 1, failed: 2 });
  expect(await stored()).toEqual(before);
  const errors = parse((await hr.get(`${path}/errors.csv`)).bytes, { bom: true });
  expect(errors).toEqual([
    ['template_name', 'item_name', 'weight', 'errors'],
    ['Odd', 'One', '50', total],
    ['Odd', 'Two', '49.99', total],
  ]);
  await hr.delete(path);
});

test.each([
  ['0', 'The weight field must be at least 0.01.'],
  ['-5', 'The weight field must be at least 0.01.'],
  ['100.01', 'The weight field must not be greater than 100.'],
  ['NaN', 'The weight field must be a number.'],
  ['33.333', 'The weight field must have 0-2 decimal places.'],
  ['', 'The weight field is required.'],
  ['-', 'The weight field is required.'],
])('a weight of "%s" fails its row, and the other rows of the template refer to it', async (weight, message) => {
  const { rows, path } = await dry(file(`Bad,One,${weight}`, 'Bad,Two,50', 'Bad,Three,50'));
  expect(rows.map(({ status, errors }) => [status, errors])).toEqual([
    ['failed', { weight: [message] }],
    ['failed', { template_name: ['Fix row 2 to import this template.'] }],
    ['failed', { template_name: ['Fix row 2 to import this template.'] }],
  ]);
  await hr.delete(path);
});

test('rows without a name, with too long a name, a repeated item or a foreign company are refused', async () => {
  const { rows, path } = await dry(
    [
      `${header},entity`,
      ',One,100,',
      `${'x'.repeat(151)},One,100,`,
      'Twice,One,50,',
      'Twice,ONE,50,',
      'Where,One,100,Nowhere Ltd',
    ].join('\n'),
  );
  expect(rows.map(({ errors }) => errors)).toEqual([
    { template_name: ['The template name field is required.'] },
    { template_name: ['The template name field must not be greater than 150 characters.'] },
    { template_name: ['Fix row 5 to import this template.'] },
    { item_name: ['The item name field has a duplicate value.'] },
    { entity_id: ['This company isn’t available. Select another one.'] },
  ]);
  await hr.delete(path);
});

test('more than 50 items and two descriptions of one template are reported', async () => {
  const many = await dry(file(...Array.from({ length: 51 }, (_, n) => `Many,Item ${n},${n === 0 ? 50 : 1}`)));
  expect(many.data.counts.failed).toBe(51);
  expect(many.rows[0]?.errors.template_name).toEqual(['The items field must not have more than 50 items.']);
  const two = await dry([`${header},template_description`, 'Two,A1,50,First', 'Two,B1,50,Second'].join('\n'));
  expect(two.rows.map(({ warnings }) => warnings)).toEqual([
    {},
    { template_description: ['The template uses the description in row 2.'] },
  ]);
  await hr.delete(many.path);
  await hr.delete(two.path);
});

test('companies are identified by id, name or code, or by the default of the import', async () => {
  const lines = [
    `${header},entity`,
    `Place,One,100,${acme.id}`,
    'Place 2,One,40,acme',
    'Place 2,Two,60,ACME FOODS LTD',
  ];
  const { status, body } = await upload([...lines, 'Place 3,One,100,'].join('\n'), {
    defaults: JSON.stringify({ entity_id: borg.id }),
  });
  expect([status, body.data.counts.created]).toEqual([201, 4]);
  const places = (await hr.get('/api/kpi-templates?search=Place')).body.data as {
    entity_id: number;
    items_count: number;
  }[];
  expect(places.map(({ entity_id, items_count }) => [entity_id, items_count])).toEqual([
    [acme.id, 1],
    [acme.id, 2],
    [borg.id, 1],
  ]);
  const refused = await upload(file('Default,One,100'), { dry_run: '1', defaults: '{"weight":"100"}' });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['defaults']]);
});

test('measures, scale and state are read from a file in the notation of people', async () => {
  const content = [
    'template_name;item_name;weight;direction;target;Baseline;cap;tolerance;evidence;unit;Status;Grade',
    'Measured;Revenue;40;Higher better;1000,5;500;110 %;;yes;€;draft;S2',
    'Measured;On time;30;target;95;;;2,5;Nein;%;;S3',
    'Measured;Certified;30;boolean;;;;;;;;',
  ].join('\n');
  const { rows, data, path } = await dry(content);
  expect(rows.map(({ errors, warnings }) => [errors, warnings])).toEqual([
    [{}, {}],
    [{}, { grade: ['The template uses the value in row 2.'] }],
    [{}, {}],
  ]);
  expect((await hr.post(`${path}/commit`, { plan_hash: data.plan_hash })).body.data.counts.created).toBe(3);
  const [found] = await named('Measured');
  const template = (await hr.get(`/api/kpi-templates/${found?.id}`)).body.data;
  expect(template).toMatchObject({
    status: 'draft',
    grade: 'S2',
    items: [
      { direction: 'higher_better', target_value: 1000.5, baseline_value: 500, cap_pct: 110, evidence_required: true },
      { direction: 'target', target_value: 95, tolerance_pct: 2.5, cap_pct: 120, evidence_required: false, unit: '%' },
      { item_type: 'measured', direction: 'boolean', target_value: null },
    ],
  });
  const wider = [
    'template_name,item_name,weight,scale_max,scale_words,status',
    'Measured,Revenue,50,7,Low | High,active',
    'Measured,On time,50,,,',
  ];
  const update = { on_conflict: 'update' };
  const refused = await dry(wider.join('\n'), update);
  expect(refused.rows.map(({ errors }) => Object.keys(errors).toSorted())).toEqual([
    ['item_type', 'scale_words'],
    ['item_type', 'scale_words'],
  ]);
  const state = await dry(
    file('Measured,Revenue,100').replace('weight', 'weight,status').replace(/100$/, '100,active'),
    update,
  );
  expect(state.rows[0]?.warnings.status).toEqual(['Importing doesn’t change the status of an existing template.']);
  await Promise.all([refused, state].map(async (one) => hr.delete(one.path)));
});

test('a number that may be thousands or decimals is refused and not guessed', async () => {
  const measured = (target: string, baseline: string) => [
    'template_name;item_name;weight;direction;target;baseline',
    `Guessed;Revenue;100;higher better;${target};${baseline}`,
  ];
  for (const [target, baseline] of [
    ['50.000', '1.500'],
    ['50,000', '-1,500'],
  ] as const) {
    const { rows, path } = await dry(measured(target, baseline).join('\n'));
    expect(rows[0]?.errors).toEqual({
      target_value: [expect.stringContaining(`“${target}”`)],
      baseline_value: [expect.stringContaining(`“${baseline}”`)],
    });
    await hr.delete(path);
  }
  const { rows } = await dry(measured('50000', '1500.00').join('\n'));
  expect(rows[0]?.errors).toEqual({});
});

test('HR of one company imports its own templates only', async () => {
  const common = await kpi.template({ name: 'Common', items: [{ name: 'One', weight: 10_000 }] });
  const before = await stored();
  const update = { on_conflict: 'update' };
  const { rows, path } = await dry(
    [
      `${header},entity`,
      'For all,One,100,',
      'Foreign,One,100,Borg Systems',
      'Common,Two,100,',
      'Mine,One,100,ACME',
    ].join('\n'),
    update,
    acmeHr,
  );
  expect(rows.map(({ status, errors }) => [status, Object.keys(errors)])).toEqual([
    ['failed', ['template_name']],
    ['failed', ['entity_id']],
    ['failed', ['template_name']],
    ['valid', []],
  ]);
  expect(rows[2]?.errors.template_name).toEqual(['You don’t have permission to import this row.']);
  expect(await stored()).toEqual(before);
  expect((await hr.put(path, { mode: 'atomic' })).status).toBe(403);
  expect((await acmeHr.post(`${path}/commit`, {})).body.data.counts).toMatchObject({ created: 1, failed: 3 });
  expect((await hr.get(`/api/kpi-templates/${common.id}`)).body.data.items[0].name).toBe('One');
  expect((await acmeHr.get('/api/kpi-templates/imports')).body.meta.total).toBe(1);
  expect((await hr.get('/api/kpi-templates/imports')).body.meta.total).toBeGreaterThan(1);
  expect((await hr.get(`/api/employees/imports/${path.split('/').at(-1)}`)).status).toBe(404);
  const manager = await as((await make.employee({ roles: ['Manager'], entity_id: acme.id })).user_id);
  expect((await upload(file('Mine,One,100'), {}, manager)).status).toBe(403);
});

test('existing templates fail, are skipped or updated, by the chosen rule', async () => {
  const { id } = await kpi.template({
    name: 'Taken',
    items: [
      { name: 'Kept', weight: 5_000, item_type: 'measured', direction: 'target', target_value: 7, description: 'Old' },
      { name: 'Gone', weight: 5_000, sort_order: 9 },
    ],
  });
  const content = file('taken,kept,60', 'taken,Fresh,40');
  const before = await stored();
  const failing = await dry(content);
  expect(failing.rows.map(({ errors }) => errors.template_name)).toEqual([
    ['The template name has already been taken.'],
    ['The template name has already been taken.'],
  ]);
  const skipping = await upload(file('TAKEN,Other,1'), { on_conflict: 'skip' });
  expect(skipping.body.data.counts).toMatchObject({ skipped: 1, failed: 0 });
  expect(await stored()).toEqual(before);
  const updating = await dry(content, { on_conflict: 'update' });
  expect(updating.rows[0]).toMatchObject({
    action: 'update',
    subject_id: id,
    changes: { item_name: { from: 'Kept', to: 'kept' }, weight: { from: 50, to: 60 } },
    warnings: { items: ['Items of “Taken” that aren’t in the file will be removed: Gone.'] },
  });
  expect(await stored()).toEqual(before);
  const { body } = await hr.post(`${updating.path}/commit`, { plan_hash: updating.data.plan_hash });
  expect(body.data.counts).toMatchObject({ updated: 2, failed: 0 });
  const { data } = (await hr.get(`/api/kpi-templates/${id}`)).body;
  expect(data).toMatchObject({ name: 'Taken', version: 2, items_count: 2, total_weight: 100 });
  expect(data.items[0]).toMatchObject({
    name: 'kept',
    weight: 60,
    item_type: 'measured',
    target_value: 7,
    description: 'Old',
  });
  const again = await upload(content, { on_conflict: 'update' });
  expect(again.body.data.counts).toMatchObject({ updated: 0, skipped: 2 });
  expect((await hr.get(`/api/kpi-templates/${id}`)).body.data.revision).toBe(data.revision);
  await hr.delete(failing.path);
});

test('a template in use by a published cycle is not updated', async () => {
  const department = await make.department({ entity_id: acme.id });
  const { id } = await kpi.template({ name: 'In use' });
  await kpi.cycle({ departments: [{ department_id: department.id, template_id: id, is_published: true }] });
  const before = await stored();
  const { body } = await upload(file('In use,One,100'), { on_conflict: 'update' });
  expect(body.data.counts).toMatchObject({ failed: 1, updated: 0 });
  const [row] = await rowsOf(`/api/kpi-templates/imports/${body.data.id}`);
  expect(row?.errors.template_name?.[0]).toContain('Duplicate the template instead.');
  expect(await stored()).toEqual(before);
});

test('an exported file imported again with skip changes nothing', async () => {
  await kpi.template({ name: 'Unfinished', status: 'draft', items: [{ weight: 100 }] });
  await hr.post('/api/kpi-templates', { name: 'Nothing yet', status: 'draft', items: [] });
  await kpi.template({ name: '=cmd', entity_id: borg.id, description: '-' });
  const before = await stored();
  for (const format of ['csv', 'xlsx']) {
    const exported = await hr.get(`/api/kpi-templates/export?format=${format}`);
    const content = exported.bytes;
    const fields = { on_conflict: 'skip' };
    const { status, body } = await hr.upload('/api/kpi-templates/import', { name: `all.${format}`, content }, fields);
    const { counts } = body.data;
    expect([status, counts.failed, counts.created, counts.updated]).toEqual([201, 0, 0, 0]);
    expect(counts.skipped).toBe(counts.total);
    expect(body.data.columns.filter(({ source }: { source: string }) => source !== 'exact')).toMatchObject([
      { header: 'version', source: 'ignored' },
    ]);
  }
  expect(await stored()).toEqual(before);
});

test.each(['csv', 'xlsx'])('the sample as %s can be imported', async (format) => {
  const sample = await hr.get(`/api/kpi-templates/import/sample?format=${format}`);
  expect(sample.headers['content-disposition']).toContain(`kpi-templates-sample.${format}`);
  const content = sample.bytes;
  const fields = { dry_run: '1' };
  const { body } = await hr.upload('/api/kpi-templates/import', { name: `sample.${format}`, content }, fields);
  expect(body.data.counts).toMatchObject({ total: 5, created: 5, failed: 0, warnings: 0 });
});
