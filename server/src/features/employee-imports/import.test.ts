import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const { as, make } = await startApp();
const data = (name: string) => readFileSync(new URL(`../../testing/data/${name}`, import.meta.url), 'utf8');

const hr = await as((await make.employee({ roles: ['HR'] })).user_id);

test('a thousand people come in by aliases, a default company and departments that are made', async () => {
  const entity = await make.entity({ probation_months: 0 });
  const upload = await hr.upload(
    '/api/employees/import',
    { name: 'people.csv', content: data('employees-1000.csv') },
    { dry_run: '1', create_departments: '1', defaults: JSON.stringify({ entity_id: entity.id }) },
  );
  expect([upload.status, upload.body.message]).toEqual([201, 'Import checked: 1000 rows can be imported.']);
  const { id, plan_hash, counts } = upload.body.data;
  expect(counts).toMatchObject({ total: 1000, created: 1000, failed: 0 });
  const commit = await hr.post(`/api/employees/imports/${id}/commit`, { plan_hash });
  expect([commit.status, commit.body.message]).toEqual([
    200,
    'Import completed: 1000 created, 0 updated, 0 skipped, 0 failed.',
  ]);
  const people = await hr.get(`/api/employees?entity_id=${entity.id}`);
  expect(people.body.meta.total).toBe(1000);
});

test('the one person without a department is corrected on the staged row', async () => {
  const entity = await make.entity({ name: 'Sample Company' });
  const upload = await hr.upload(
    '/api/employees/import',
    { name: 'people.csv', content: data('employees-107.csv') },
    { dry_run: '1', create_departments: '1' },
  );
  expect(upload.body.message).toBe('Import checked: 106 rows can be imported, 1 row has errors.');
  const { id } = upload.body.data;
  const failed = await hr.get(`/api/employees/imports/${id}/rows?status=failed`);
  expect(failed.body.data).toHaveLength(1);
  expect(failed.body.data[0].errors).toEqual({ department_id: ['The department id field is required.'] });
  const fixed = await hr.put(`/api/employees/imports/${id}/rows/${failed.body.data[0].row}`, {
    cells: { department: 'Sales' },
  });
  expect(fixed.status).toBe(200);
  expect(fixed.body.data).toMatchObject({ status: 'valid', action: 'create', edited: true });
  const commit = await hr.post(`/api/employees/imports/${id}/commit`);
  expect(commit.body.data.counts).toMatchObject({ created: 107, failed: 0 });
  expect((await hr.get(`/api/employees?entity_id=${entity.id}`)).body.meta.total).toBe(107);
});
