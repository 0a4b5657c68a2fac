import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const { as, make, owner } = await startApp();
const entity = await make.entity({ name: 'Harbour Foods' });
const department = await make.department({ entity_id: entity.id, name: 'Production' });
const hr = await as((await make.employee({ entity_id: entity.id, roles: ['HR'] })).user_id);
// can import, but does not see private fields
const clerk = await as(await importClerk());

async function importClerk() {
  const { user_id } = await make.employee({ entity_id: entity.id, roles: [] });
  await owner.query(
    `with made as (insert into roles (name, scope) values ('Import clerk', 'all') returning id),
          given as (insert into role_permissions (role_id, permission)
                    select id, unnest(array['employees.view', 'employees.import', 'employees.create']) from made)
     insert into role_assignments (user_id, role_id) select $1, id from made`,
    [user_id],
  );
  return user_id;
}

const header = 'Emp ID,First Name,Last Name,Email,Department,EmploymentStatus,Sex,MaritalDesc,Engagement';
const line = (number: number, status: string, sex = 'F', marital = 'Separated', engagement = 'Fulltime') =>
  `H-${number}, Nele ,Person${number},nele${number}@example.com,Production       ,${status},${sex},${marital},${engagement}`;
const fileOf = (...lines: string[]) => [header, ...lines].join('\n');
const mapping = {
  EmploymentStatus: 'employment_lifecycle',
  Sex: 'gender',
  MaritalDesc: 'marital_status',
  Engagement: 'employment_type',
};
const upload = (content: string, fields: Record<string, unknown> = {}, user = hr) =>
  user.upload(
    '/api/employees/import',
    { name: 'staff.csv', content },
    {
      dry_run: '1',
      mapping: JSON.stringify(mapping),
      defaults: JSON.stringify({ entity: entity.name }),
      ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)])),
    },
  );
type Listed = { header: string; field: string; values: { text: string; value: string | null; source: string }[] };
const valuesOf = async (id: number, user = hr): Promise<Listed[]> =>
  (await user.get(`/api/employees/imports/${id}/values`)).body.data;
const read = (columns: Listed[], field: string) =>
  columns.find((column) => column.field === field)?.values.map(({ text, value, source }) => [text, value, source]);

test('the texts of columns with fixed choices are listed with proposals, and apply once they are chosen', async () => {
  const file = fileOf(
    line(1, 'Active'),
    line(2, 'Active  ', 'weiblich'),
    line(3, 'Voluntarily Terminated', 'M', 'ledig', 'Teilzeit'),
    line(4, 'Zqx', 'Männlich', 'Widowed'),
  );
  const checked = await upload(file);
  expect(checked.body.data.counts).toMatchObject({ total: 4, failed: 4 });
  const { id, revision } = checked.body.data;
  const columns = await valuesOf(id);
  expect(columns.map((column) => column.header)).toEqual(['EmploymentStatus', 'Sex', 'MaritalDesc', 'Engagement']);
  expect(read(columns, 'employment_lifecycle')).toEqual([
    ['Active', 'confirmed', 'suggested'],
    ['Voluntarily Terminated', 'resigned', 'suggested'],
    ['Zqx', null, 'unknown'],
  ]);
  expect(read(columns, 'gender')).toEqual([
    ['F', 'female', 'exact'],
    ['M', 'male', 'exact'],
    ['Männlich', 'male', 'exact'],
    ['weiblich', 'female', 'exact'],
  ]);
  expect(read(columns, 'marital_status')).toContainEqual(['ledig', 'single', 'exact']);
  expect(read(columns, 'employment_type')).toEqual([
    ['Fulltime', 'full_time', 'suggested'],
    ['Teilzeit', 'part_time', 'exact'],
  ]);
  const values = {
    EmploymentStatus: { 'Voluntarily Terminated': 'resigned', Active: 'confirmed', Zqx: 'probationary' },
    sex: { weiblich: 'female', MÄNNLICH: 'male' },
    MaritalDesc: { Separated: null, ledig: 'single' },
    Engagement: { fulltime: 'full_time', Teilzeit: 'part_time' },
  };
  const again = await hr.put(`/api/employees/imports/${id}`, { values, revision });
  expect([again.status, again.body.data.values]).toEqual([200, values]);
  expect(again.body.data.counts).toMatchObject({ total: 4, created: 4, failed: 0 });
  expect(read(await valuesOf(id), 'marital_status')).toContainEqual(['Separated', null, 'chosen']);
  const done = await hr.post(`/api/employees/imports/${id}/commit`, { plan_hash: again.body.data.plan_hash });
  expect(done.body.data.counts).toMatchObject({ created: 4, failed: 0 });
  const list = await hr.get('/api/employees?search=H-3');
  const person = (await hr.get(`/api/employees/${list.body.data[0].id}`)).body.data;
  expect(person).toMatchObject({
    first_name: 'Nele',
    employment_lifecycle: 'resigned',
    employment_type: 'part_time',
    department: { id: department.id },
  });

  const { rows } = await owner.query(
    `select employee_number, marital_status, gender from employees where employee_number like 'H-%' order by 1`,
  );
  expect(rows.map((row) => [row.marital_status, row.gender])).toEqual([
    [null, 'female'],
    [null, 'female'],
    ['single', 'male'],
    ['widowed', 'male'],
  ]);

  // the next file, of any company, gets the choices as proposals
  const next = await upload(fileOf(line(11, 'zqx'), line(12, 'Active')));
  const proposed = await valuesOf(next.body.data.id);
  expect(read(proposed, 'employment_lifecycle')).toEqual([
    ['Active', 'confirmed', 'remembered'],
    ['zqx', 'probationary', 'remembered'],
  ]);
  expect(read(proposed, 'marital_status')).toEqual([['Separated', null, 'remembered']]);
  expect(next.body.data.counts).toMatchObject({ failed: 2 });
});

test('departments and companies are matched too, and a match says which department is created', async () => {
  const file = fileOf(
    line(21, 'confirmed').replace('Production', '4711'),
    line(22, 'confirmed').replace('Production', '0815'),
  );
  const values = {
    Department: { 4711: 'Production', '0815': 'Packing' },
    MaritalDesc: { Separated: null },
    Engagement: { Fulltime: 'full_time' },
  };
  const checked = await hr.upload(
    '/api/employees/import',
    { name: 'departments.csv', content: file },
    {
      dry_run: '1',
      create_departments: '1',
      mapping: JSON.stringify(mapping),
      values: JSON.stringify(values),
      defaults: JSON.stringify({ entity: entity.name }),
    },
  );
  expect(checked.body.data.counts).toMatchObject({ created: 2, failed: 0, warnings: 1 });
  const rows = await hr.get(`/api/employees/imports/${checked.body.data.id}/rows?has_warnings=true`);
  expect(rows.body.data[0].warnings.department_id).toEqual(['The department “Packing” will be created.']);
});

test('values of unknown columns, of other fields and other values than the choices are refused', async () => {
  const file = fileOf(line(31, 'confirmed'));
  for (const values of [
    { Status: { Active: 'confirmed' } },
    { 'First Name': { Nele: 'Nora' } },
    { EmploymentStatus: { Active: 'happy' } },
  ]) {
    const refused = await upload(file, { values });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['values']]);
  }
  const { id, revision } = (await upload(file)).body.data;
  const refused = await hr.put(`/api/employees/imports/${id}`, { values: { Sex: { F: 'lady' } }, revision });
  expect([refused.status, refused.body.errors.values]).toEqual([422, ['The selected value matching is invalid.']]);
  expect((await hr.get(`/api/employees/imports/${id}`)).body.data.values).toEqual({});
});

test('texts of private fields are listed for readers of private fields only', async () => {
  const file = fileOf(line(41, 'Active'));
  const refused = await upload(file, {}, clerk);
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    {
      mapping: ['You don’t have permission to set the gender.', 'You don’t have permission to set the marital status.'],
    },
  ]);
  const { EmploymentStatus, Engagement } = mapping;
  const own = (await upload(file, { mapping: { EmploymentStatus, Engagement } }, clerk)).body.data.id;
  expect((await valuesOf(own, clerk)).map(({ field }) => field)).toEqual(['employment_lifecycle', 'employment_type']);
  expect((await valuesOf(own, clerk)).map(({ field }) => field)).not.toContain('gender');
  expect((await valuesOf(own)).map(({ field }) => field)).toContain('gender');
});
