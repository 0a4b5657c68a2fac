import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';

const { as, make, deps } = await startApp();
const alpha = await make.entity({ name: 'Zulu Foods', code: 'ZULU' });
const beta = await make.entity({ name: 'Acme Works', code: 'ACME' });
const buying = await make.department({ entity_id: alpha.id, name: 'Buying' });
const selling = await make.department({ entity_id: alpha.id, name: 'selling' });
const making = await make.department({ entity_id: beta.id, name: 'Making' });

const hr = await make.employee({
  roles: ['HR'],
  department_id: making.id,
  first_name: 'Hana',
  last_name: 'Ito',
  employee_number: 'H-1',
});
const omar = await make.employee({
  department_id: buying.id,
  first_name: 'Omar',
  last_name: 'Díaz',
  employee_number: 'B-2',
  email: 'omar.diaz@acme.example',
  job_title: 'Head',
  joining_date: '2020-01-01',
});
const lena = await make.employee({
  department_id: buying.id,
  first_name: 'Lena',
  last_name: "O'Neil",
  display_name: 'Lenny Müller',
  employee_number: 'a-10',
  email: 'lena.park@acme.example',
  job_title: 'Buyer',
  reporting_manager_id: omar.id,
  employment_lifecycle: 'probationary',
  employment_type: 'intern',
  joining_date: '2026-02-02',
  probation_start_date: '2026-02-02',
  probation_end_date: '2026-05-02',
});
const jon = await make.employee({
  department_id: selling.id,
  first_name: 'jon',
  middle_name: 'Van Dyke',
  last_name: 'diaz',
  employee_number: 'C/3',
  activity_status: 'inactive',
  employment_lifecycle: 'resigned',
});
const client = await as(hr.user_id);
const ids = async (query = '') => {
  const answer = await client.get(`/api/employees?${query}`);
  expect(answer.status).toBe(200);
  const found = answer.body.data.map((row: { id: number }) => row.id);
  expect(answer.body.meta.total).toBe(found.length);
  return found;
};
const people = { hr: hr.id, omar: omar.id, lena: lena.id, jon: jon.id };

test('a list is sorted by last name, then by first name, without case and accents, and has no private field', async () => {
  expect(await ids()).toEqual([people.jon, people.omar, people.hr, people.lena]);
  const { body } = await client.get('/api/employees');
  expect(body.data[3]).toEqual({
    id: lena.id,
    employee_number: 'a-10',
    email: 'lena.park@acme.example',
    first_name: 'Lena',
    last_name: "O'Neil",
    salutation: null,
    middle_name: null,
    display_name: 'Lenny Müller',
    entity_id: alpha.id,
    entity: { id: alpha.id, name: 'Zulu Foods' },
    department_id: buying.id,
    department: { id: buying.id, name: 'Buying' },
    job_title: 'Buyer',
    reporting_manager_id: omar.id,
    reporting_manager: { id: omar.id, employee_number: 'B-2', name: 'Omar Díaz' },
    profile_picture_url: null,
    activity_status: 'active',
    employment_lifecycle: 'probationary',
    grade: null,
    employment_type: 'intern',
    phone: null,
    joining_date: '2026-02-02',
    probation_start_date: '2026-02-02',
    probation_end_date: '2026-05-02',
    confirmation_date: null,
    early_access: false,
    extension_count: 0,
    probation_paused_from: null,
    absence: null,
    notice_date: null,
    last_working_date: null,
    roles: [{ id: expect.any(Number), name: 'Employee', entity_ids: null }],
    user: { id: lena.user_id, last_login_at: null, has_password: false, must_change_password: false, invitation: null },
    deleted_at: null,
    revision: 1,
    created_at: expect.stringMatching(/Z$/),
    updated_at: expect.stringMatching(/Z$/),
    allowed_actions: [
      'update',
      'confirm',
      'extend-probation',
      'correct-probation',
      'probation-pause',
      'deactivate',
      'separate',
      'job-history',
      'absences',
      'past-jobs',
      'add-file',
      'roles',
      'reset-password',
      'sign-in-block',
    ],
  });
});

const { omar: o, lena: l, jon: j, hr: h } = people;
test.each([
  ['last_name', [j, o, h, l], [l, h, o, j]],
  ['first_name', [h, j, l, o], [o, l, j, h]],
  ['employee_number', [l, o, j, h], [h, j, o, l]],
  ['email', undefined, undefined],
  ['entity_id', [o, l, j, h], [h, j, l, o]],
  ['department_id', [o, l, j, h], [h, j, l, o]],
  ['entity_name', [h, j, o, l], [l, o, j, h]],
  ['department_name', [o, l, h, j], [j, h, l, o]],
  ['job_title', [l, o, h, j], [o, l, j, h]],
  ['activity_status', [h, o, l, j], [j, l, o, h]],
  ['employment_lifecycle', [h, o, l, j], [j, l, o, h]],
  ['joining_date', [o, l, h, j], [l, o, j, h]],
  ['probation_end_date', [l, h, o, j], [l, j, o, h]],
  ['created_at', [h, o, l, j], [j, l, o, h]],
  ['updated_at', [h, o, l, j], [j, l, o, h]],
] as const)(
  'the order by %s puts nobody’s empty value first and decides ties in the same direction',
  async (sort, up, down) => {
    const [rising, falling] = [await ids(`sort_by=${sort}`), await ids(`sort_by=${sort}&sort_direction=DESC`)];
    expect(rising).toEqual(up ?? [...falling].reverse());
    expect(falling).toEqual(down ?? [...rising].reverse());
  },
);

test.each([
  [`entity_id=${alpha.id}`, [j, o, l]],
  [`entity_id=${alpha.id},${beta.id}`, [j, o, h, l]],
  ['entity_id=999999', []],
  [`department_id=${buying.id}`, [o, l]],
  [`department_id=${buying.id},${making.id}&entity_id=${alpha.id}`, [o, l]],
  [`department_id=${making.id}&entity_id=${alpha.id}`, []],
  ['activity_status=active', [o, h, l]],
  ['activity_status=active,inactive', [j, o, h, l]],
  ['employment_lifecycle=probationary,resigned', [j, l]],
  [`entity_id=${alpha.id}&activity_status=active&employment_lifecycle=confirmed`, [o]],
  [`reporting_manager_id=${omar.id}`, [l]],
  ['reporting_manager_id=0', [j, o, h]],
  [`reporting_manager_id=0,${omar.id}`, [j, o, h, l]],
  ['employment_type=intern', [l]],
  ['joined_from=2020-01-01&joined_to=2026-02-01', [o]],
  ['joined_from=2020-01-02', [l]],
  ['probation_ends_from=2026-05-02&probation_ends_to=2026-05-02', [l]],
  ['probation_ends_to=2026-05-01', []],
  ['deleted=0', [j, o, h, l]],
  ['deleted=1', []],
] as const)('the filter %s finds exactly whom it names', async (query, expected) => {
  expect(await ids(query)).toEqual(expected);
});

test("a selection lists the chosen people in list order, within the reader's scope", async () => {
  expect(await ids(`id=${lena.id},${omar.id}`)).toEqual([omar.id, lena.id]);
  const own = await as(lena.user_id);
  const seen = await own.get(`/api/employees?id=${lena.id},${jon.id}`);
  expect(seen.body.data.map(({ id }: { id: number }) => id)).toEqual([lena.id]);
});

test('people are found by a role they hold', async () => {
  const { id } = await deps.db.selectFrom('roles').select('id').where('name', '=', 'HR').executeTakeFirstOrThrow();
  expect(await ids(`role_id=${id}`)).toEqual([h]);
});

test.each([
  ['LENA', [l]],
  ['lena buy', [l]],
  ['buyer', [l]],
  ['head', [o]],
  ['lena head', []],
  ['lena buying', []],
  ['muller', [l]],
  ['Müller', [l]],
  ['mül le', [l]],
  ["o'neil", [l]],
  ["O'", [l]],
  ['neil', [l]],
  ['park@acme', [l]],
  ['lena.park@acme.example', [l]],
  ['acme', [o, l]],
  ['díaz', [j, o]],
  ['dyke jon', [j]],
  ['c/3', [j]],
  ['A-10', [l]],
  ['%', []],
  ['_', []],
  ['\\', []],
  ["'", []],
  ["a' | 'b", []],
  ['!x & (y)', []],
  [':*', []],
  ['x'.repeat(100), []],
] as const)(
  'the search for %s finds whose names, title, number or e-mail hold every word',
  async (search, expected) => {
    expect(await ids(`search=${encodeURIComponent(search)}`)).toEqual(expected);
  },
);

test.each([
  ['sort_by=salary', 'sort_by'],
  ['sort_direction=up', 'sort_direction'],
  ['entity_id=x', 'entity_id'],
  ['activity_status=gone', 'activity_status'],
  ['joined_from=2026-02-30', 'joined_from'],
  ['per_page=101', 'per_page'],
  [`search=${'x'.repeat(101)}`, 'search'],
])('the query %s is refused by field', async (query, field) => {
  const answer = await client.get(`/api/employees?${query}`);
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
});

test('pages do not overlap, and beyond the end the list is empty with a total', async () => {
  const page = async (n: number, more = '') => (await client.get(`/api/employees?per_page=3&page=${n}${more}`)).body;
  const [first, second, third] = [await page(1), await page(2), await page(3)];
  expect([...first.data, ...second.data].map((row) => row.id)).toEqual([j, o, h, l]);
  expect(third.data).toEqual([]);
  expect(third.meta).toEqual({ current_page: 3, from: 0, last_page: 2, per_page: 3, to: 0, total: 4 });
  const searched = await page(2, '&search=acme');
  expect([searched.data, searched.meta.total]).toEqual([[], 2]);
});

test('deleted people have a list of their own, for users who can delete', async () => {
  const gone = await make.employee({ department_id: selling.id, last_name: 'Gone' });
  await deps.db.updateTable('employees').set({ deleted_at: '2026-01-01' }).where('id', '=', gone.id).execute();
  expect(await ids('deleted=1')).toEqual([gone.id]);
  expect(await ids()).toEqual([j, o, h, l]);
  expect(await ids('search=gone')).toEqual([]);
  expect((await client.get(`/api/employees/${gone.id}`)).status).toBe(404);
  const manager = await as(omar.user_id);
  expect((await manager.get('/api/employees?deleted=1')).status).toBe(403);
  await deps.db.deleteFrom('employees').where('id', '=', gone.id).execute();
});

test('a list takes one statement after the session, a search two, however long it is', async () => {
  const many = await Promise.all(Array.from({ length: 30 }, () => make.employee({ department_id: making.id })));
  let statements = 0;
  deps.pool.on('acquire', () => (statements += 1));
  const cost = async (query: string) => {
    statements = 0;
    const { body } = await client.get(`/api/employees?${query}`);
    return { rows: body.data.length, statements };
  };
  await cost('');
  const [one, hundred] = [await cost('per_page=1'), await cost('per_page=100')];
  expect([one.rows, hundred.rows]).toEqual([1, 34]);
  expect([one.statements, hundred.statements]).toEqual([2, 2]);
  expect(await cost('search=last&per_page=1')).toEqual({ rows: 1, statements: 3 });
  expect(await cost('search=last&per_page=100')).toEqual({ rows: 30, statements: 3 });
  deps.pool.removeAllListeners('acquire');
  await deps.db
    .deleteFrom('employees')
    .where(
      'id',
      'in',
      many.map(({ id }) => id),
    )
    .execute();
});
