import { expect, test } from 'vitest';
import { resumeImports, runImportJob } from '../../jobs/imports.ts';
import { databaseNow } from '../../jobs/task.ts';
import { startApp } from '../../testing/app.ts';
import { killImportWhen } from '../../testing/kill-import.ts';

const app = await startApp();
const { as, make, deps, owner } = app;
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);

/** People of one company whose only known job is today's, with their employee numbers. */
async function people(prefix: string, count: number): Promise<void> {
  const entity = await make.entity();
  const { id: department } = await make.department({ entity_id: entity.id });
  await owner.query(
    `with accounts as (insert into users (email)
       select lower($1) || n || '@example.com' from generate_series(1, $2) n returning id, email),
     made as (insert into employees (user_id, employee_number, email, first_name, last_name, entity_id, department_id,
                                     employment_lifecycle, joining_date, job_title)
       select id, upper(split_part(email, '@', 1)), email, 'Many', 'Jobs', $3, $4, 'confirmed', '2010-01-01', 'Lead'
       from accounts returning *)
     insert into job_history (employee_id, effective_from, status, changed_fields, entity_id, department_id, job_title,
                              employment_type, employment_lifecycle, created_by_name, source)
     select id, '2010-01-01', 'current', '{}', entity_id, department_id, job_title, employment_type,
            employment_lifecycle, 'System', 'assumed' from made`,
    [prefix, count, entity.id, department],
  );
}

/** Four jobs for each person; the last one is today's. */
const fileOf = (prefix: string, count: number) =>
  [
    'employee_number,from,to,title',
    ...Array.from({ length: count }, (_, n) => `${prefix}${n + 1}`).flatMap((number) => [
      `${number},2010-01-01,,Trainee`,
      `${number},2012-01-01,2013-12-31,Junior`,
      `${number},2014-02-01,,Senior`,
      `${number},2020-01-01,,Lead`,
    ]),
  ].join('\n');

async function upload(prefix: string, count: number, fields: Record<string, string> = {}) {
  await people(prefix, count);
  const file = { name: `${prefix}.csv`, content: fileOf(prefix, count) };
  const answer = await hr.upload('/api/job-history/import', file, fields);
  expect(answer.status).toBe(201);
  return answer.body.data.id as number;
}
const context = async () => ({ deps, now: await databaseNow(deps.db) });
const read = async (id: number) => (await hr.get(`/api/job-history/imports/${id}`)).body.data;
const jobs = async (prefix: string) =>
  (
    await owner.query(
      `select count(*)::int as n from job_history h join employees e on e.id = h.employee_id
       where e.employee_number ~ ('^' || $1 || '[0-9]+$')`,
      [prefix],
    )
  ).rows[0].n as number;
const written = async (id: number) =>
  (
    await owner.query(
      `select count(*)::int as n from import_rows where import_id = $1 and status in ('created', 'updated')`,
      [id],
    )
  ).rows[0].n as number;

test('a large file is checked, written and undone in the background', async () => {
  const count = 300;
  const id = await upload('HA', count, { dry_run: '1' });
  await runImportJob(await context(), { id });
  expect(await read(id)).toMatchObject({
    status: 'preview',
    counts: { created: 3 * count, updated: count, failed: 0 },
  });
  await hr.post(`/api/job-history/imports/${id}/commit`);
  await runImportJob(await context(), { id });
  expect(await read(id)).toMatchObject({ status: 'completed', counts: { created: 3 * count, updated: count } });
  expect(await jobs('HA')).toBe(4 * count);
  await hr.post(`/api/job-history/imports/${id}/undo`);
  await runImportJob(await context(), { id });
  expect(await read(id)).toMatchObject({ status: 'undone' });
  expect(await jobs('HA')).toBe(count);
}, 600_000);

test('an import whose process dies while writing keeps whole people, and the rest follows once', async () => {
  const id = await upload('HB', 1_500);
  await killImportWhen(app, id, async () => (await written(id)) > 0);
  const before = await written(id);
  expect(before).toBeLessThan(6_000);
  expect(await jobs('HB')).toBe(1_500 + (before / 4) * 3);
  await resumeImports(await context());
  expect(await read(id)).toMatchObject({ status: 'completed', counts: { created: 4_500, updated: 1_500, failed: 0 } });
  expect(await jobs('HB')).toBe(6_000);
}, 120_000);
