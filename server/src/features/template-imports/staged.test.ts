import { expect, test } from 'vitest';
import { eraseCells, expireImports } from '../../jobs/imports.ts';
import { databaseNow } from '../../jobs/task.ts';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';

const app = await startApp();
const { as, make, owner, deps } = app;
const kpi = kpiMaker(app);
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const other = await as((await make.employee({ roles: ['HR'] })).user_id);

const header = 'template_name,item_name,weight';
const file = (...lines: string[]) => [header, ...lines].join('\n');
let serial = 0;
const upload = (content: string, fields: Record<string, string> = {}) => {
  serial += 1;
  return hr.upload('/api/kpi-templates/import', { name: `file${serial}.csv`, content }, fields);
};
const dry = async (content: string, fields: Record<string, string> = {}) => {
  const { status, body } = await upload(content, { dry_run: '1', ...fields });
  expect(status).toBe(201);
  return { path: `/api/kpi-templates/imports/${body.data.id}`, data: body.data, id: body.data.id as number };
};
type Row = { row: number; status: string; errors: Record<string, string[]> } & Record<string, unknown>;
const rowsOf = async (path: string, query = '') =>
  (await hr.get(`${path}/rows?per_page=100&${query}`)).body.data as Row[];
const states = async (path: string) => (await rowsOf(path)).map(({ status }) => status);
const count = async () =>
  (
    await owner.query(
      'select (select count(*) from kpi_templates)::int as t, (select count(*) from kpi_template_items)::int as i',
    )
  ).rows[0] as { t: number; i: number };
const job = async () => ({ deps, now: await databaseNow(deps.db) });

test('a corrected cell checks its whole template again, and the former one', async () => {
  const { path, data } = await dry(file('Sales,One,50', 'Sales,Two,49', 'Other,Three,100', 'Other,Four,1'));
  expect(await states(path)).toEqual(['failed', 'failed', 'failed', 'failed']);
  const fixed = await hr.put(`${path}/rows/3`, { cells: { weight: '49.50' } });
  expect(fixed.body.data).toMatchObject({ row: 3, edited: true, status: 'failed' });
  const moved = await hr.put(`${path}/rows/3`, { cells: { weight: '50' } });
  expect(moved.body.data).toMatchObject({ status: 'valid', action: 'create', errors: {} });
  expect(await states(path)).toEqual(['valid', 'valid', 'failed', 'failed']);
  // from one template to another: both are checked
  await hr.put(`${path}/rows/5`, { cells: { template_name: 'SALES' } });
  expect(await states(path)).toEqual(['failed', 'failed', 'valid', 'failed']);
  const left = await hr.put(`${path}/rows/5`, { left_out: true });
  expect(left.body.data).toMatchObject({ left_out: true, action: 'skip' });
  expect(await states(path)).toEqual(['valid', 'valid', 'valid', 'valid']);
  const fresh = (await hr.get(path)).body.data;
  expect([fresh.counts.created, fresh.counts.skipped, fresh.plan_hash === data.plan_hash]).toEqual([3, 1, false]);
  const described = await hr.put(`${path}/rows/2`, { cells: { template_description: 'Added here' } });
  expect(described.body.data.cells).toMatchObject({ template_description: 'Added here' });
  expect((await other.get(path)).status).toBe(200);
  expect((await other.put(`${path}/rows/2`, { left_out: true })).status).toBe(403);
  const done = await hr.post(`${path}/commit`, {});
  expect(done.body.data.counts).toMatchObject({ created: 3, skipped: 1, failed: 0 });
  expect(await states(path)).toEqual(['created', 'created', 'created', 'skipped']);
  const [sales] = (await hr.get('/api/kpi-templates?search=Sales')).body.data;
  expect([sales.items_count, sales.description]).toEqual([2, 'Added here']);
  expect((await hr.post(`${path}/commit`, {})).status).toBe(422);
  expect((await hr.delete(path)).status).toBe(422);
});

test('a file without the columns needs a mapping, and is refused in a real run', async () => {
  const content = 'Scorecard title,Measure,Points\nMapped,One,100';
  const before = await count();
  const refused = await upload(content);
  expect([refused.status, refused.body.errors.file]).toEqual([
    422,
    [
      'The file has no column for the template name field.',
      'The file has no column for the item name field.',
      'The file has no column for the weight field.',
    ],
  ]);
  const { path, data } = await dry(content);
  expect([data.status, data.columns[0]]).toMatchObject([
    'needs_mapping',
    { field: 'template_name', source: 'suggested' },
  ]);
  const mapping = { 'Scorecard title': 'template_name', Measure: 'item_name', Points: 'weight' };
  const wrong = await hr.put(path, { mapping: { ...mapping, Points: 'email' } });
  expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['mapping']]);
  const mapped = await hr.put(path, { mapping });
  expect(mapped.body.data).toMatchObject({ status: 'preview', counts: { created: 1 } });
  expect(await count()).toEqual(before);
  expect((await hr.delete(path)).status).toBe(204);
  expect((await hr.get(path)).status).toBe(404);
});

test('atomic mode: one invalid template prevents all others', async () => {
  const before = await count();
  const { body } = await upload(file('Right,One,100', 'Wrong,One,99'), { mode: 'atomic' });
  expect(body.data).toMatchObject({ status: 'failed', failure: 'Some rows have errors. Nothing was imported.' });
  const { path } = await dry(file('Right,One,100', 'Wrong,One,99'), { mode: 'atomic' });
  expect((await hr.get(path)).body.data.allowed_actions).toEqual(['update', 'delete']);
  expect((await hr.post(`${path}/commit`, {})).status).toBe(422);
  expect(await count()).toEqual(before);
  await hr.put(`${path}/rows/3`, { cells: { weight: '100' } });
  const { status } = await hr.post(`${path}/commit`, {});
  expect([status, await count()]).toEqual([200, { t: before.t + 2, i: before.i + 2 }]);
});

test('a commit with another effect than shown is refused, and shows the difference', async () => {
  const { path, data } = await dry(file('Meanwhile,One,60', 'Meanwhile,Two,40', 'Alone,One,100'), { mode: 'atomic' });
  expect((await hr.post(`${path}/commit`, { plan_hash: 'another' })).status).toBe(422);
  await kpi.template({ name: 'MEANWHILE' });
  const before = await count();
  const { status, body } = await hr.post(`${path}/commit`, { plan_hash: data.plan_hash });
  expect([status, body.errors.rows, body.status]).toEqual([422, ['Row 2 changed.', 'Row 3 changed.'], 'preview']);
  expect(await states(path)).toEqual(['failed', 'failed', 'valid']);
  expect((await hr.get(path)).body.data.stale_rows).toEqual([2, 3]);
  expect(await count()).toEqual(before);
  expect((await hr.put(path, { on_conflict: 'update', mode: 'partial' })).body.data.counts).toMatchObject({
    updated: 2,
    created: 1,
  });
  expect((await hr.post(`${path}/commit`, {})).body.data.status).toBe('completed');
});

test('of two simultaneous commits one writes', async () => {
  const { path } = await dry(file('Once,One,100'));
  const before = await count();
  const answers = await Promise.all([1, 2, 3].map(() => hr.post(`${path}/commit`, {})));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 422, 422]);
  expect(await count()).toEqual({ t: before.t + 1, i: before.i + 1 });
});

test('two imports of one name: the second finds it taken', async () => {
  const [first, second] = [await dry(file('Race,One,100')), await dry(file('RACE,Two,100'))];
  const answers = await Promise.all([first, second].map(({ path }) => hr.post(`${path}/commit`, {})));
  const created = answers.filter(({ body }) => body.data?.counts.created === 1);
  expect(created).toHaveLength(1);
  const { rows } = await owner.query(`select count(*)::int as n from kpi_templates where fold(name) = 'race'`);
  expect(rows).toEqual([{ n: 1 }]);
});

test('a file of more than 5,000 rows or 5 MB is refused', async () => {
  const before = await count();
  const long = await upload(file(...Array.from({ length: 5_001 }, (_, n) => `Long ${n},One,100`)));
  expect([long.status, Object.keys(long.body.errors)]).toEqual([422, ['file']]);
  const heavy = await upload(file(`Heavy,One,100${' '.repeat(5 * 1_024 * 1_024)}`));
  expect(heavy.status).toBe(413);
  for (const content of ['', header, 'a,a\n1,2']) expect((await upload(content)).status).toBe(422);
  expect(await count()).toEqual(before);
});

test('unfinished imports expire, and their cells are erased', async () => {
  const { path, id } = await dry(file('Expiring,One,100'));
  await owner.query(`update imports set expires_at = now() - interval '1 minute' where id = $1`, [id]);
  await expireImports(await job());
  await eraseCells(await job());
  expect((await hr.get(path)).body.data).toMatchObject({ status: 'expired', allowed_actions: [] });
  expect((await rowsOf(path)).map(({ cells }) => cells)).toEqual([null]);
  expect((await hr.post(`${path}/commit`, {})).status).toBe(422);
});

test('rows are filtered by state and searched, and a template import has no undo', async () => {
  const { path, id } = await dry(file('Find,Alpha,100', 'Bad,Beta,9'));
  expect((await rowsOf(path, 'status=failed')).map(({ row }) => row)).toEqual([3]);
  expect((await rowsOf(path, 'search=alpha')).map(({ row }) => row)).toEqual([2]);
  expect((await rowsOf(path, 'search=bad')).map(({ row }) => row)).toEqual([3]);
  expect((await hr.post(`${path}/undo`)).status).toBe(404);
  expect((await hr.post(`/api/employees/imports/${id}/undo`)).status).toBe(404);
  const found = (await hr.get(`/api/kpi-templates/imports?status=preview&search=file`)).body.data;
  expect(found.some((row: { id: number }) => row.id === id)).toBe(true);
  expect((await hr.get('/api/employees/imports')).body.data).toEqual([]);
});
