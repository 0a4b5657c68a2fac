import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { writeXlsx } from '../../spreadsheets/xlsx-write.ts';
import { startApp } from '../../testing/app.ts';

const { as, make, owner } = await startApp();
const data = (name: string) => readFileSync(new URL(`../../testing/data/${name}`, import.meta.url), 'utf8');
const [thousand, hundred] = [data('employees-1000.csv'), data('employees-107.csv')];

const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const upload = (content: string | Buffer, fields: Record<string, string>, name = 'people.csv') =>
  hr.upload('/api/employees/import', { name, content }, fields);
const commit = (id: number, body?: object) => hr.post(`/api/employees/imports/${id}/commit`, body);

/** Removes all imported people, so that the next test can use the numbers. */
async function removeImported() {
  await owner.query(`
    delete from job_history; update departments set manager_id = null; update employees set reporting_manager_id = null;
    delete from employees where employee_number not like 'T-%';
    delete from users u where not exists (select from employees e where e.user_id = u.id)`);
}

const tables = ['employees', 'users', 'role_assignments', 'departments', 'job_history'];

/** Rows and contents of all tables an import writes. */
async function contents(): Promise<unknown[]> {
  const sums = tables.map(
    (name) => `(select count(*) || md5(string_agg(to_jsonb(t)::text, '' order by to_jsonb(t)::text)) from ${name} t)`,
  );
  const { rows } = await owner.query({ text: `select ${sums.join(', ')}`, rowMode: 'array' });
  return rows[0] as unknown[];
}

test('a thousand people are imported with aliases, a default company and created departments', async () => {
  const entity = await make.entity({ probation_months: 0 });
  const fields = { create_departments: '1', defaults: JSON.stringify({ entity_id: entity.id }) };
  const checked = await upload(thousand, { ...fields, dry_run: '1' });
  expect([checked.status, checked.body.message]).toEqual([201, 'Import checked: 1000 rows can be imported.']);
  const { id, plan_hash, counts, columns, progress, allowed_actions } = checked.body.data;
  expect(counts).toEqual({ total: 1000, valid: 1000, created: 1000, updated: 0, skipped: 0, failed: 0, warnings: 9 });
  expect(progress).toEqual({ processed: 1000, total: 1000 });
  expect(allowed_actions).toEqual(['update', 'commit', 'delete']);
  expect(columns.map(({ field, source }: { field: string; source: string }) => [field, source])).toEqual([
    ['employee_number', 'alias'],
    ['first_name', 'exact'],
    ['last_name', 'exact'],
    ['email', 'alias'],
    ['gender', 'exact'],
    ['date_of_birth', 'alias'],
    ['joining_date', 'exact'],
    ['department', 'exact'],
    ['job_title', 'alias'],
    ['reporting_manager', 'alias'],
    ['activity_status', 'alias'],
  ]);
  expect((await hr.get(`/api/employees?entity_id=${entity.id}`)).body.meta.total).toBe(0);
  const done = await commit(id, { plan_hash });
  expect([done.status, done.body.message]).toEqual([
    200,
    'Import completed: 1000 created, 0 updated, 0 skipped, 0 failed.',
  ]);
  expect(done.body.data.allowed_actions).toEqual(['undo']);
  expect((await hr.get(`/api/employees?entity_id=${entity.id}&activity_status=inactive`)).body.meta.total).toBe(198);
  const boss = (await hr.get('/api/employees?search=10567')).body.data[0];
  const reports = await hr.get(`/api/employees?reporting_manager_id=${boss.id}`);
  expect(reports.body.meta.total).toBe(250);
  const { rows } = await owner.query(
    `select count(*)::int as people, count(*) filter (where u.password_hash is null)::int as locked,
            count(*) filter (where u.roles ->> 0 is not null and u.roles -> 0 ->> 'name' = 'Employee')::int as employees,
            count(*) filter (where u.access_version > 1)::int as written_twice,
            (select count(*)::int from job_history h join employees x on x.id = h.employee_id where x.entity_id = $1) as history,
            (select count(*)::int from audit_log where action = 'employee.created' and entity_id = $1) as audited,
            (select count(*)::int from departments where entity_id = $1) as departments
     from employees e join users u on u.id = e.user_id where e.entity_id = $1`,
    [entity.id],
  );
  expect(rows[0]).toEqual({
    people: 1000,
    locked: 1000,
    employees: 1000,
    written_twice: 0,
    history: 1000,
    audited: 1000,
    departments: 9,
  });

  const before = await contents();
  const again = await upload(thousand, { ...fields, on_conflict: 'update' });
  expect(again.body.message).toBe('Import completed: 0 created, 0 updated, 1000 skipped, 0 failed.');
  expect(await contents()).toEqual(before);
  await removeImported();
});

test('the same people are imported from a workbook', async () => {
  const entity = await make.entity();
  const [header = '', ...lines] = thousand.trim().split(/\r?\n/);
  const columns = header.split(',').map((heading) => ({ header: heading }));
  const book = await buffer(
    writeXlsx(
      columns,
      lines.map((line) => line.split(',')),
    ),
  );
  const fields = {
    create_departments: 'true',
    defaults: JSON.stringify({ entity: entity.name, employment_lifecycle: 'confirmed' }),
  };
  const done = await upload(book, fields, 'people.xlsx');
  expect(done.body.data).toMatchObject({ format: 'xlsx', status: 'completed', counts: { created: 1000, failed: 0 } });
  await removeImported();
});

test('the one person without a department is corrected on the staged row', async () => {
  const entity = await make.entity({ name: 'Sample Company' });
  const checked = await upload(hundred, { dry_run: '1', create_departments: '1' });
  expect(checked.body.message).toBe('Import checked: 106 rows can be imported, 1 row has errors.');
  const { id, plan_hash } = checked.body.data;
  const failed = await hr.get(`/api/employees/imports/${id}/rows?status=failed`);
  expect(failed.body.data).toEqual([
    expect.objectContaining({
      row: 80,
      key: '178',
      status: 'failed',
      action: 'none',
      cells: expect.objectContaining({ employee_number: '178', department: '' }),
      errors: { department_id: ['The department field is required.'] },
    }),
  ]);
  const fixed = await hr.put(`/api/employees/imports/${id}/rows/80`, { cells: { department: 'Sales' } });
  expect(fixed.body.data).toMatchObject({ status: 'valid', action: 'create', edited: true, errors: {} });
  // the outcome shown before the correction is out of date
  const old = await commit(id, { plan_hash });
  expect([old.status, Object.keys(old.body.errors)]).toEqual([422, ['status', 'plan_hash']]);
  expect((await hr.get(`/api/employees?entity_id=${entity.id}`)).body.meta.total).toBe(0);
  const done = await commit(id);
  expect(done.body.data.counts).toMatchObject({ created: 107, failed: 0 });
  const king = (await hr.get('/api/employees?search=sking')).body.data[0];
  expect((await hr.get(`/api/employees?reporting_manager_id=${king.id}`)).body.meta.total).toBe(14);
});

test('a circle of managers and an inactive manager fail with all rows below, and two corrections fix that', async () => {
  const entity = await make.entity();
  const plant = (number: string, change: (cells: string[]) => void) => (text: string) =>
    text
      .split('\n')
      .map((line) => {
        const cells = line.split(',');
        if (cells[0] === number) change(cells);
        return cells.join(',');
      })
      .join('\n');
  const planted = [
    plant('10567', (cells) => (cells[9] = '10854')),
    plant('10854', (cells) => (cells[9] = '10567')),
    plant('10039', (cells) => (cells[10] = 'inactive')),
  ].reduce((text, change) => change(text), thousand);
  const checked = await upload(planted, {
    dry_run: '1',
    create_departments: '1',
    defaults: JSON.stringify({ entity_id: entity.id }),
  });
  const { id, counts } = checked.body.data;
  // the two in the circle, the 250 and 58 below them, and the 42 of the inactive manager
  expect(counts).toMatchObject({ valid: 648, failed: 352 });
  const rowOf = async (key: string) =>
    (await hr.get(`/api/employees/imports/${id}/rows?search=${key}`)).body.data.find(
      (row: { key: string }) => row.key === key,
    );
  const head = await rowOf('10567');
  expect(head.errors.reporting_manager_id[0]).toMatch(
    /^Rows \d+ and \d+ report to each other in a circle\. Correct the manager of one of them\.$/,
  );
  await hr.put(`/api/employees/imports/${id}/rows/${head.row}`, { cells: { reporting_manager: '' } });
  expect((await hr.get(`/api/employees/imports/${id}`)).body.data.counts.failed).toBe(42);
  const idle = await rowOf('10039');
  expect(idle.status).toBe('valid');
  await hr.put(`/api/employees/imports/${id}/rows/${idle.row}`, { cells: { activity_status: 'Active' } });
  const mended = await hr.get(`/api/employees/imports/${id}`);
  expect(mended.body.data.counts).toMatchObject({ valid: 1000, failed: 0 });
  expect((await commit(id)).body.data.counts).toMatchObject({ created: 1000, failed: 0 });
});
