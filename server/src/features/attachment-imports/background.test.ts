import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { resumeImports, runImportJob } from '../../jobs/imports.ts';
import { databaseNow } from '../../jobs/task.ts';
import { startApp } from '../../testing/app.ts';
import { archiveOf } from '../../testing/archive-fixtures.ts';
import { brokenInvariants } from '../../invariants/invariants.ts';
import { killImportWhen } from '../../testing/kill-import.ts';

const app = await startApp({}, { large: true });
const { as, make, deps, owner } = app;
await make.admin();
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);

/** Many people of one company, with their employee numbers. */
async function people(prefix: string, count: number): Promise<void> {
  const entity = await make.entity();
  const { id: department } = await make.department({ entity_id: entity.id });
  await owner.query(
    `with accounts as (insert into users (email)
       select lower($1) || n || '@example.com' from generate_series(1, $2) n returning id, email)
     insert into employees (user_id, employee_number, email, first_name, last_name, entity_id, department_id,
                            employment_lifecycle, joining_date)
     select id, upper(split_part(email, '@', 1)), email, 'Many', 'Files', $3, $4, 'confirmed', '2010-01-01' from accounts`,
    [prefix, count, entity.id, department],
  );
}

/** Two small files for each person. */
const archive = (prefix: string, count: number) =>
  archiveOf(
    Array.from({ length: count }, (_, n) => `${prefix}${n + 1}`).flatMap((number) => [
      { name: `${number}/Badge.csv`, content: `badge,${number}\n` },
      { name: `${number}_Keys.csv`, content: `keys,${number}\n` },
    ]),
  );

async function upload(prefix: string, count: number, dry_run: string) {
  await people(prefix, count);
  const file = { name: `${prefix}.zip`, content: archive(prefix, count) };
  const fields = { dry_run, defaults: JSON.stringify({ category: 'other' }) };
  const answer = await hr.upload('/api/attachments/import', file, fields);
  expect([answer.status, answer.body.data.status]).toEqual([201, 'processing']);
  return answer.body.data.id as number;
}
const context = async () => ({ deps, now: await databaseNow(deps.db) });
const read = async (id: number) => (await hr.get(`/api/attachments/imports/${id}`)).body.data;
const number = async (query: string, ...values: unknown[]) => (await owner.query(query, values)).rows[0].n as number;
const files = (prefix: string) =>
  number(
    `select count(*)::int as n from attachments a join employees e on e.id = a.employee_id
     where e.employee_number ~ ('^' || $1 || '[0-9]+$')`,
    prefix,
  );
const written = (id: number) =>
  number(`select count(*)::int as n from import_rows where import_id = $1 and status = 'created'`, id);

test('2,000 files are unpacked in time and flat memory, written and undone in the background', async () => {
  const started = performance.now();
  const before = process.memoryUsage.rss();
  const id = await upload('FA', 1_000, '1');
  expect(performance.now() - started).toBeLessThan(60_000);
  expect(process.memoryUsage.rss() - before).toBeLessThan(256 * 1_048_576);
  await runImportJob(await context(), { id });
  expect(await read(id)).toMatchObject({ status: 'preview', counts: { created: 2_000, failed: 0 } });
  await hr.post(`/api/attachments/imports/${id}/commit`);
  await runImportJob(await context(), { id });
  expect(await read(id)).toMatchObject({ status: 'completed', counts: { created: 2_000 } });
  expect(await files('FA')).toBe(2_000);
  expect((await readdir(`${deps.config.DATA_DIR}/kept`)).length).toBe(2_000);
  await hr.post(`/api/attachments/imports/${id}/undo`);
  await runImportJob(await context(), { id });
  expect(await read(id)).toMatchObject({ status: 'undone', kept_count: 0 });
  expect(await files('FA')).toBe(0);
  expect(await number('select count(*)::int as n from removed_files')).toBe(2_000);
}, 300_000);

test('an import whose process dies while writing adds each file once', async () => {
  const id = await upload('FB', 600, '0');
  await killImportWhen(app, id, async () => (await written(id)) > 0);
  const before = await written(id);
  expect(before).toBeLessThan(1_200);
  expect(await files('FB')).toBe(before);
  await resumeImports(await context());
  expect(await read(id)).toMatchObject({ status: 'completed', counts: { created: 1_200, failed: 0 } });
  expect(await files('FB')).toBe(1_200);
  expect(await number(`select count(*)::int as n from audit_log where action = 'attachment.created'`)).toBe(3_200);
  expect(await number('select count(*)::int as n from import_files')).toBe(0);
  expect(await brokenInvariants(deps.db, deps.config.DATA_DIR)).toEqual([]);
}, 300_000);

test('an upload whose process dies while staging ends, and its files go', async () => {
  const id = await upload('FC', 510, '1');
  await owner.query(
    `update imports set is_staged = false, lease = 'gone', leased_until = now() - interval '1 second' where id = $1`,
    [id],
  );
  await resumeImports(await context());
  expect(await read(id)).toMatchObject({ status: 'failed', failure: expect.stringContaining('interrupted') });
  expect(await number('select count(*)::int as n from import_files')).toBe(0);
  expect(await files('FC')).toBe(0);
}, 120_000);
