import { expect, test, vi } from 'vitest';
import { resumeImports, runImportJob } from '../../jobs/imports.ts';
import { databaseNow } from '../../jobs/task.ts';
import { startApp } from '../../testing/app.ts';
import { killImportWhen } from '../../testing/kill-import.ts';
import { waitingLocks } from '../../testing/waiting-locks.ts';

const app = await startApp();
const { as, make, owner, deps } = app;
const person = await make.employee({ roles: ['HR'] });
const hr = await as(person.user_id);
const job = async () => ({ deps, now: await databaseNow(deps.db) });

/** Uploads this many templates with two items each, enough for a job. */
async function upload(prefix: string, count: number, fields: Record<string, string> = {}) {
  const lines = Array.from({ length: count }, (_, n) => `${prefix} ${n},A1,50\n${prefix} ${n},A2,50`);
  const file = { name: `${prefix}.csv`, content: ['template_name,item_name,weight', ...lines].join('\n') };
  const { body } = await hr.upload('/api/kpi-templates/import', file, fields);
  const id = body.data.id as number;
  const read = async () => (await hr.get(`/api/kpi-templates/imports/${id}`)).body.data;
  return { id, path: `/api/kpi-templates/imports/${id}`, read };
}

const made = async (prefix: string) =>
  (await owner.query('select count(*)::int as n from kpi_templates where name like $1', [`${prefix} %`])).rows[0]
    .n as number;

test('a job checks and writes a large file, and notifies the uploader', async () => {
  const { id, path, read } = await upload('Job', 600, { dry_run: '1' });
  expect(await read()).toMatchObject({ status: 'processing', phase: 'checking' });
  await runImportJob(await job(), { id });
  expect(await read()).toMatchObject({ status: 'preview', counts: { created: 1_200 } });
  const started = await hr.post(`${path}/commit`, {});
  expect(started.body.data).toMatchObject({ status: 'processing', phase: 'writing' });
  await Promise.all([runImportJob(await job(), { id }), runImportJob(await job(), { id })]);
  expect(await read()).toMatchObject({ status: 'completed', counts: { created: 1_200, failed: 0 } });
  expect(await made('Job')).toBe(600);
  const notified = (await hr.get('/api/notifications?event=import_finished')).body.data;
  expect(notified.map(({ data }: { data: { url: string } }) => data.url)).toEqual([
    `/kpi/templates/imports/${id}`,
    `/kpi/templates/imports/${id}`,
  ]);
});

test('an import whose process dies while writing keeps whole templates, and the rest follows once', async () => {
  const { id, read } = await upload('Killed', 700);
  await killImportWhen(app, id, async () => (await made('Killed')) > 0);
  const before = await made('Killed');
  expect(before).toBeLessThan(700);
  const { rows } = await owner.query(
    `select count(*)::int as n from import_rows where import_id = $1 and status = 'created'`,
    [id],
  );
  expect(rows[0].n).toBe(before * 2);
  await resumeImports(await job());
  expect(await read()).toMatchObject({ status: 'completed', counts: { created: 1_400, failed: 0 } });
  expect(await made('Killed')).toBe(700);
}, 120_000);

test('an importer who loses the permission meanwhile writes nothing', async () => {
  const { id, read } = await upload('Lost', 501);
  const set = (role: string) =>
    owner.query(`update role_assignments set role_id = (select id from roles where name = $2) where user_id = $1`, [
      person.user_id,
      role,
    ]);
  await set('Employee');
  await runImportJob(await job(), { id });
  await set('HR');
  const { status, failure } = await read();
  expect([status, failure]).toEqual(['failed', 'You no longer have permission to import KPI templates.']);
  expect(await made('Lost')).toBe(0);
});

test('a name taken concurrently fails its template, and the others are written', async () => {
  const rival = await owner.connect();
  await rival.query('begin');
  await rival.query(`insert into kpi_templates (name, status) values ('Held', 'draft')`);
  const content = 'template_name,item_name,weight\nFree,A1,100\nheld,A1,100\nFree too,A1,100';
  const answer = hr.upload('/api/kpi-templates/import', { name: 'held.csv', content }, {});
  await vi.waitUntil(async () => (await waitingLocks(owner)).length > 0, 15_000);
  await rival.query('commit');
  rival.release();
  const { status, body } = await answer;
  expect([status, body.data.counts]).toMatchObject([201, { created: 2, failed: 1 }]);
  const [row] = (await hr.get(`/api/kpi-templates/imports/${body.data.id}/rows?status=failed`)).body.data;
  expect([row.row, row.errors]).toEqual([3, { template_name: ['The template name has already been taken.'] }]);
});
