import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { databaseNow } from '../../jobs/task.ts';
import { startApp } from '../../testing/app.ts';
import { expireLease, killImportWhen } from '../../testing/kill-import.ts';
import { eraseCells, expireImports, resumeImports, runImportJob } from '../../jobs/imports.ts';

const app = await startApp();
const { as, make, deps, owner } = app;
const person = await make.employee({ roles: ['HR'] });
const hr = await as(person.user_id);
const header = 'employee_number,first_name,last_name,email,entity,department,reporting_manager';

/** This many people of one company; each except the first reports to the person at a tenth of their position. */
const people = (prefix: string, count: number, entity: string) =>
  [
    header,
    ...Array.from({ length: count }, (_, n) =>
      [
        `${prefix}${n}`,
        'Ann',
        `Lee${n}`,
        `${prefix}${n}@example.com`,
        entity,
        'Crew',
        n === 0 ? '' : `${prefix}${Math.floor(n / 10)}`,
      ].join(','),
    ),
  ].join('\n');

async function upload(prefix: string, count: number, fields: Record<string, string> = {}) {
  const entity = await make.entity();
  const content = people(prefix, count, entity.name);
  const answer = await hr.upload(
    '/api/employees/import',
    { name: `${prefix}.csv`, content },
    { create_departments: '1', ...fields },
  );
  expect(answer.status).toBe(201);
  return { id: answer.body.data.id as number, entity, content, answer };
}

const context = async () => ({ deps, now: await databaseNow(deps.db) });
const runJob = async (id: number) => runImportJob(await context(), { id });
const read = async (id: number) => (await hr.get(`/api/employees/imports/${id}`)).body.data;
const headcount = async (entityId: number) =>
  (await owner.query('select count(*)::int as n from employees where entity_id = $1', [entityId])).rows[0].n as number;
test('a large file is checked and written in the background, with progress', async () => {
  const { id, entity, answer } = await upload('a', 1_500, { dry_run: '1' });
  expect(answer.body).toMatchObject({
    message: 'Import started.',
    data: { status: 'processing', phase: 'checking', progress: { processed: 0, total: 1_500 }, allowed_actions: [] },
  });
  await runJob(id);
  expect(await read(id)).toMatchObject({ status: 'preview', phase: null, counts: { total: 1_500, created: 1_500 } });
  const commit = await hr.post(`/api/employees/imports/${id}/commit`);
  expect(commit.body.data).toMatchObject({ status: 'processing', phase: 'writing' });
  expect(await headcount(entity.id)).toBe(0);
  await runJob(id);
  expect(await read(id)).toMatchObject({
    status: 'completed',
    counts: { created: 1_500, failed: 0 },
    progress: { processed: 1_500 },
  });
  expect(await headcount(entity.id)).toBe(1_500);
  const undo = await hr.post(`/api/employees/imports/${id}/undo`);
  expect(undo.body.data).toMatchObject({ status: 'processing', phase: 'undoing' });
  await runJob(id);
  expect(await read(id)).toMatchObject({ status: 'undone', undone_by: { user_id: person.user_id } });
  expect(await headcount(entity.id)).toBe(0);
});

test('a file has one running import at a time', async () => {
  const { id, content } = await upload('b', 1_001);
  const twice = await hr.upload('/api/employees/import', { name: 'again.csv', content }, { dry_run: '1' });
  expect([twice.status, twice.body.errors]).toEqual([
    422,
    { file: [`This file is already being imported (import ${id}).`] },
  ]);
  await Promise.all([runJob(id), runJob(id), runJob(id)]);
  expect(await read(id)).toMatchObject({ status: 'completed', counts: { created: 1_001 } });
});

test('of two simultaneous commits one succeeds', async () => {
  const { id, entity } = await upload('c', 20, { dry_run: '1' });
  const answers = await Promise.all([1, 2, 3].map(() => hr.post(`/api/employees/imports/${id}/commit`)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(2);
  expect(await headcount(entity.id)).toBe(20);
});

const written = async (id: number) =>
  (await owner.query(`select count(*)::int as n from import_rows where import_id = $1 and status = 'created'`, [id]))
    .rows[0].n as number;

test('an import whose process dies while writing keeps whole batches, and the rest follows once', async () => {
  const { id, entity } = await upload('d', 6_000);
  await killImportWhen(app, id, async () => (await written(id)) > 0);
  const before = await written(id);
  expect(await headcount(entity.id)).toBe(before);
  expect(before).toBeLessThan(6_000);
  await resumeImports(await context());
  expect(await read(id)).toMatchObject({ status: 'completed', counts: { total: 6_000, created: 6_000, failed: 0 } });
  expect(await headcount(entity.id)).toBe(6_000);
  const { rows } = await owner.query(
    `select count(*)::int as n from job_history h join employees e on e.id = h.employee_id where e.entity_id = $1`,
    [entity.id],
  );
  expect(rows[0].n).toBe(6_000);
}, 60_000);

test('an atomic import whose process dies leaves nothing, and is then written in full', async () => {
  const { id, entity } = await upload('e', 4_000, { mode: 'atomic' });
  await killImportWhen(app, id, async () => {
    const { status, phase, progress } = await read(id);
    return status === 'processing' && phase === 'writing' && progress.processed >= 1_000;
  });
  expect(await headcount(entity.id)).toBe(0);
  expect(await written(id)).toBe(0);
  await resumeImports(await context());
  expect(await read(id)).toMatchObject({ status: 'completed', counts: { created: 4_000 } });
  expect(await headcount(entity.id)).toBe(4_000);
}, 60_000);

test('an atomic import fails when a row has errors', async () => {
  const entity = await make.entity();
  const content = `${people('f', 3, entity.name)}\nf9,Ann,,f9@example.com,${entity.name},Crew,`;
  const answer = await hr.upload(
    '/api/employees/import',
    { name: 'f.csv', content },
    { mode: 'atomic', create_departments: '1' },
  );
  expect(answer.body.data).toMatchObject({
    status: 'failed',
    failure: 'Some rows have errors. Nothing was imported.',
    counts: { total: 4, created: 0, failed: 1 },
  });
  const dry = await hr.upload(
    '/api/employees/import',
    { name: 'f.csv', content },
    { mode: 'atomic', create_departments: '1', dry_run: '1' },
  );
  expect(dry.body.data.allowed_actions).toEqual(['update', 'delete']);
  const commit = await hr.post(`/api/employees/imports/${dry.body.data.id}/commit`);
  expect(commit.body).toMatchObject({ status: 'preview', errors: { status: [expect.any(String)] } });
  expect(await headcount(entity.id)).toBe(0);
});

test('a commit with another effect than shown is refused, and shows the difference', async () => {
  const { id, entity } = await upload('g', 5, { dry_run: '1' });
  const department = await make.department({ entity_id: entity.id });
  await make.employee({ department_id: department.id, employee_number: 'G3' });
  const commit = await hr.post(`/api/employees/imports/${id}/commit`);
  expect(commit.status).toBe(422);
  expect(commit.body).toMatchObject({ status: 'preview', errors: { rows: ['Row 5 changed.'] } });
  expect(await read(id)).toMatchObject({ status: 'preview', stale_rows: [5], counts: { valid: 4, failed: 1 } });
  expect(await headcount(entity.id)).toBe(1);
  const again = await hr.post(`/api/employees/imports/${id}/commit`);
  expect(again.body.data).toMatchObject({ status: 'completed', stale_rows: null, counts: { created: 4, failed: 1 } });
});

test('losing the permission meanwhile ends the import', async () => {
  const other = await make.employee({ roles: ['HR'] });
  const entity = await make.entity();
  const client = await as(other.user_id);
  const content = people('h', 1_001, entity.name);
  const { body } = await client.upload(
    '/api/employees/import',
    { name: 'h.csv', content },
    { create_departments: '1' },
  );
  await deps.db.deleteFrom('role_assignments').where('user_id', '=', other.user_id).execute();
  await runJob(body.data.id);
  expect(await read(body.data.id)).toMatchObject({
    status: 'failed',
    failure: 'You no longer have permission to import.',
    counts: { created: 0 },
  });
  expect(await headcount(entity.id)).toBe(0);
});

test('an upload interrupted while staging ends as failed', async () => {
  const { id } = await upload('i', 1_001);
  await owner.query('update imports set is_staged = false where id = $1', [id]);
  await expireLease(app, id);
  await owner.query(`update imports set leased_until = now() - interval '1 second' where id = $1`, [id]);
  await resumeImports(await context());
  expect(await read(id)).toMatchObject({ status: 'failed', failure: 'The upload was interrupted. Try again.' });
});

test('staged imports expire and lose their cells; finished ones lose them after thirty days', async () => {
  const staged = await upload('j', 3, { dry_run: '1' });
  const done = await upload('k', 3);
  await owner.query('update imports set expires_at = now() where id = $1', [staged.id]);
  await owner.query(`update imports set finished_at = now() - interval '31 days' where id = $1`, [done.id]);
  const fresh = await upload('l', 3);
  await expireImports(await context());
  await eraseCells(await context());
  expect(await read(staged.id)).toMatchObject({ status: 'expired', allowed_actions: [] });
  const { rows } = await sql<{ import_id: number; kept: boolean }>`
    select import_id, bool_or(cells is not null) as kept from import_rows
    where import_id in (${staged.id}, ${done.id}, ${fresh.id}) group by import_id order by import_id`.execute(deps.db);
  expect(rows.map(({ kept }) => kept)).toEqual([false, false, true]);
  expect((await hr.get(`/api/employees/imports/${done.id}/rows`)).body.data[0].cells).toBeNull();
});

test.each([
  ['lost the permission', 'ua', 'delete from role_assignments where user_id = $1'],
  ['may not sign in any more', 'ub', 'update users set is_enabled = false where id = $1'],
])('an undo in the background changes nothing once its sender %s', async (_what, prefix, change) => {
  const { id, entity } = await upload(prefix, 3);
  const sender = await make.employee({ roles: ['HR'] });
  // the minimum number of rows for an undo in the background
  await owner.query(`update imports set counts = jsonb_set(counts, '{total}', '1001') where id = $1`, [id]);
  const undo = await (await as(sender.user_id)).post(`/api/employees/imports/${id}/undo`);
  expect(undo.body.data).toMatchObject({ status: 'processing', phase: 'undoing' });
  await owner.query(change, [sender.user_id]);
  await runJob(id);
  expect(await read(id)).toMatchObject({
    status: 'completed',
    phase: null,
    undone_by: null,
    failure: 'You no longer have permission to import.',
  });
  expect(await headcount(entity.id)).toBe(3);
});
