import { expect, test } from 'vitest';
import { runImportJob } from '../jobs/imports.ts';
import { databaseNow } from '../jobs/task.ts';
import { startApp } from '../testing/app.ts';

const { as, make, deps, owner } = await startApp();
const person = await make.employee({ roles: ['HR'] });
const hr = await as(person.user_id);
const acme = await make.entity();
const department = await make.department({ entity_id: acme.id });

const file = (prefix: string, count: number, lastAddress = '') =>
  [
    'employee_number,first_name,last_name,email,entity_id,department_id',
    ...Array.from({ length: count }, (_, n) => {
      const email = n === count - 1 && lastAddress ? lastAddress : `${prefix}${n}@example.com`;
      return `${prefix}${n},Ann,Lee,${email},${acme.id},${department.id}`;
    }),
  ].join('\n');

async function upload(prefix: string, content: string, fields: Record<string, string> = {}): Promise<number> {
  const answer = await hr.upload('/api/employees/import', { name: `${prefix}.csv`, content }, fields);
  expect(answer.status).toBe(201);
  return answer.body.data.id as number;
}
const runJob = async (id: number) => runImportJob({ deps, now: await databaseNow(deps.db) }, { id });
const notified = async (id: number) => {
  const { data } = (await hr.get('/api/notifications?event=import_finished')).body;
  return data
    .filter((one: { data: { subject_id: number } }) => one.data.subject_id === id)
    .map(({ title, body }: { title: string; body: string }) => `${title}: ${body}`);
};

test('the uploader of a large file is notified once of the check and once of the end', async () => {
  const id = await upload('a', file('a', 1_001, 'no address'), { dry_run: '1' });
  expect(await notified(id)).toEqual([]);
  await runJob(id);
  await runJob(id);
  const checked = 'a.csv is ready to review: 1000 of 1001 rows can be imported · 1 with errors';
  expect(await notified(id)).toEqual([checked]);
  await hr.post(`/api/employees/imports/${id}/commit`);
  await runJob(id);
  await runJob(id);
  expect(await notified(id)).toEqual([
    'a.csv: import finished: 1000 created · 0 updated · 0 skipped · 1 with errors',
    checked,
  ]);
  const { rows } = await owner.query('select distinct user_id::int, actor_id from notifications');
  expect(rows).toEqual([{ user_id: person.user_id, actor_id: null }]);
});

test('an import that fails in the background notifies the uploader', async () => {
  const id = await upload('b', file('b', 1_001, 'no address'), { mode: 'atomic' });
  await runJob(id);
  expect((await hr.get(`/api/employees/imports/${id}`)).body.data.status).toBe('failed');
  expect(await notified(id)).toEqual(['b.csv: import failed: 0 created and 0 updated before it stopped.']);
});

test('an import that ends while the sender awaits the answer notifies no one', async () => {
  const id = await upload('c', file('c', 3));
  expect((await hr.get(`/api/employees/imports/${id}`)).body.data.status).toBe('completed');
  expect(await notified(id)).toEqual([]);
});
