import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const { as, make, deps, owner } = await startApp();
const acme = await make.entity({ name: 'Acme Foods Ltd', code: 'ACME', registration_number: 'HRB 4711' });
const borg = await make.entity({ name: 'Børg Systems', code: 'BORG', status: 'inactive' });
const purchasing = await make.department({ entity_id: acme.id, name: 'Purchasing' });
await make.department({ entity_id: acme.id, name: 'Sales' });
const hana = await make.employee({ roles: ['HR'], department_id: purchasing.id, first_name: 'Hana', last_name: 'Ito' });
const acmeHr = await make.employee({
  roles: [{ role: 'HR', entity_ids: [acme.id] }],
  department_id: purchasing.id,
  first_name: 'Noor',
  last_name: 'Aziz',
});
await make.employee({ department_id: purchasing.id, activity_status: 'inactive' });
const hr = await as(hana.user_id);
const limited = await as(acmeHr.user_id);

const stored = async () => (await owner.query('select * from entities order by id')).rows as unknown[];
const trails = async (id: number) =>
  deps.db
    .selectFrom('audit_log')
    .select(['action', 'subject_label', 'entity_id', 'changes', 'actor_id'])
    .where('subject_type', '=', 'entity')
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute();
const names = async (query = '', client = hr) => {
  const { status, body } = await client.get(`/api/entities?${query}`);
  expect(status).toBe(200);
  return body.data.map(({ name }: { name: string }) => name) as string[];
};

test('HR adds a company, reads it, changes it and deletes it', async () => {
  const added = await hr.post('/api/entities', { name: ' Globex ', country: 'DE', timezone: 'Europe/Berlin' });
  expect([added.status, added.body.message]).toEqual([201, 'Company created successfully.']);
  const { data } = added.body;
  expect(data).toMatchObject({
    name: 'Globex',
    code: 'GLOB',
    status: 'active',
    description: null,
    country: 'DE',
    timezone: 'Europe/Berlin',
    probation_months: 3,
    probation_lead_days: 30,
    probation_max_extensions: 1,
    departments_count: 0,
    employees_count: 0,
    hr_representatives: [],
    revision: 1,
    allowed_actions: ['update', 'delete', 'export'],
  });
  const path = `/api/entities/${data.id}`;
  expect((await hr.get(path)).body).toEqual({ data, message: 'Operation successful.' });
  const changed = await hr.put(path, { code: 'GLX', country: null, revision: 1 });
  expect([changed.status, changed.body.message]).toEqual([200, 'Company updated successfully.']);
  expect(changed.body.data).toMatchObject({ name: 'Globex', code: 'GLX', country: null, revision: 2 });
  expect((await hr.delete(path)).status).toBe(204);
  expect((await hr.get(path)).status).toBe(404);
  const trail = await trails(data.id);
  expect(trail.map(({ action, actor_id }) => [action, actor_id])).toEqual([
    ['entity.created', hana.user_id],
    ['entity.updated', hana.user_id],
    ['entity.deleted', hana.user_id],
  ]);
  expect(trail[0]?.changes).toMatchObject({ name: { from: null, to: 'Globex' }, code: { from: null, to: 'GLOB' } });
  expect(trail[1]?.changes).toEqual({ code: { from: 'GLOB', to: 'GLX' }, country: { from: 'DE', to: null } });
});

test('a company shows its departments, its active people and who decides for it', async () => {
  const { body } = await hr.get(`/api/entities/${acme.id}`);
  expect(body.data).toMatchObject({
    departments_count: 2,
    employees_count: 2,
    hr_representatives: [{ user_id: acmeHr.user_id, employee_id: acmeHr.id, name: 'Noor Aziz' }],
    allowed_actions: ['update', 'export'],
  });
  const [row] = (await hr.get('/api/entities?search=acme')).body.data;
  const { hr_representatives: _details, ...listed } = body.data;
  expect(row).toEqual(listed);
});

test('an update that changes nothing leaves revision and trail alone', async () => {
  const before = await stored();
  const { status, body } = await hr.put(`/api/entities/${acme.id}`, { name: 'Acme Foods Ltd', code: 'ACME' });
  expect([status, body.data.revision]).toEqual([200, 1]);
  expect(await stored()).toEqual(before);
  expect(await trails(acme.id)).toEqual([]);
});

test('a stale revision is refused with the one that holds now', async () => {
  const before = await stored();
  const { status, body } = await hr.put(`/api/entities/${acme.id}`, { name: 'Other', revision: 7 });
  expect([status, body.status, body.revision]).toEqual([422, 'active', 1]);
  expect(body.errors.status).toHaveLength(1);
  expect(await stored()).toEqual(before);
});

test.each([
  ['a missing name', {}, 'name', 'The name field is required.'],
  ['a short name', { name: 'X' }, 'name', 'The name field must be at least 2 characters.'],
  ['a name that is taken in other letters', { name: 'BORG SYSTEMS' }, 'name', 'The name has already been taken.'],
  ['a code that is taken', { name: 'New', code: 'ACME' }, 'code', 'The code has already been taken.'],
  ['a code in small letters', { name: 'New', code: 'new' }, 'code', 'The code field format is invalid.'],
  ['an unknown time zone', { name: 'New', timezone: 'Mars/Base' }, 'timezone', 'The selected time zone is invalid.'],
  ['an unknown status', { name: 'New', status: 'closed' }, 'status', 'The selected status is invalid.'],
  [
    'a probation too long',
    { name: 'New', probation_months: 25 },
    'probation_months',
    'The probation length field must not be greater than 24.',
  ],
])('%s is refused', async (_what, body, field, message) => {
  const before = await stored();
  const answer = await hr.post('/api/entities', body);
  expect([answer.status, answer.body.errors]).toEqual([422, { [field]: [message] }]);
  expect(await stored()).toEqual(before);
});

test('a required field cannot be cleared, and a name of another company cannot be taken', async () => {
  const before = await stored();
  const emptied = await hr.put(`/api/entities/${acme.id}`, { name: null });
  expect([emptied.status, emptied.body.errors]).toEqual([422, { name: ['The name field is required.'] }]);
  const taken = await hr.put(`/api/entities/${acme.id}`, { name: 'Børg Systems' });
  expect([taken.status, taken.body.errors]).toEqual([422, { name: ['The name has already been taken.'] }]);
  expect(await stored()).toEqual(before);
});

test('an empty code is generated for a new company and refused for an existing one', async () => {
  const added = await hr.post('/api/entities', { name: 'Quartz', code: '' });
  expect([added.status, added.body.data.code]).toEqual([201, 'QUAR']);
  const before = await stored();
  const refused = await hr.put(`/api/entities/${added.body.data.id}`, { code: '' });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['code']]);
  expect(await stored()).toEqual(before);
  expect((await hr.delete(`/api/entities/${added.body.data.id}`)).status).toBe(204);
});

test('two companies with the same initials added concurrently get different codes', async () => {
  const added = await Promise.all(
    ['Initech Labs', 'Intra Logistics'].map((name) => hr.post('/api/entities', { name })),
  );
  expect(added.map(({ status }) => status)).toEqual([201, 201]);
  expect(added.map(({ body }) => body.data.code as string).sort()).toEqual(['IL', 'IL2']);
  for (const { body } of added) await hr.delete(`/api/entities/${body.data.id}`);
});

test('a referenced company is not deleted, and the answer lists its references', async () => {
  const before = await stored();
  const { status, body } = await hr.delete(`/api/entities/${acme.id}`);
  expect(status).toBe(422);
  expect(body.errors.entity).toEqual([
    'Acme Foods Ltd can’t be deleted because it still has 2 departments and 3 people.',
  ]);
  expect(await stored()).toEqual(before);
  expect(await trails(acme.id)).toEqual([]);
});

test('the history of people prevents a delete of their company, which is not offered', async () => {
  const former = await make.entity({ name: 'Former Ltd' });
  const department = await make.department({ entity_id: former.id });
  await owner.query(
    `insert into job_history (employee_id, effective_from, effective_to, status, changed_fields, entity_id,
       department_id, employment_type, employment_lifecycle, created_by_name)
     values ($1, '2020-01-01', '2020-12-31', 'past', '{}', $2, $3, 'full_time', 'confirmed', 'System')`,
    [hana.id, former.id, purchasing.id],
  );
  await owner.query('delete from departments where id = $1', [department.id]);
  expect((await hr.get(`/api/entities/${former.id}`)).body.data.allowed_actions).toEqual(['update', 'export']);
  const { status, body } = await hr.delete(`/api/entities/${former.id}`);
  expect([status, body.errors.entity]).toEqual([
    422,
    ['Former Ltd can’t be deleted because it still has 1 job history entry.'],
  ]);
  await owner.query('delete from job_history where entity_id = $1', [former.id]);
  expect((await hr.delete(`/api/entities/${former.id}`)).status).toBe(204);
});

test('an inactive company takes no new departments and no new people', async () => {
  const department = await hr.post('/api/departments', { entity_id: borg.id, name: 'Research' });
  expect([department.status, department.body.errors]).toEqual([
    422,
    { entity_id: ['This company isn’t available. Select another one.'] },
  ]);
  const existing = await make.department({ entity_id: borg.id });
  const person = await hr.post('/api/employees', {
    email: 'new@example.com',
    first_name: 'New',
    last_name: 'Person',
    entity_id: borg.id,
    department_id: existing.id,
  });
  expect([person.status, Object.keys(person.body.errors)]).toEqual([422, ['entity_id']]);
  const { rows } = await owner.query('select count(*)::int as n from departments where entity_id = $1', [borg.id]);
  expect(rows).toEqual([{ n: 1 }]);
});

test('HR of one company reads and changes only that one', async () => {
  const before = await stored();
  expect(await names('', limited)).toEqual(['Acme Foods Ltd']);
  expect((await limited.get(`/api/entities/${acme.id}`)).body.data.allowed_actions).toEqual(['update', 'export']);
  expect((await limited.get(`/api/entities/${borg.id}`)).status).toBe(404);
  expect((await limited.put(`/api/entities/${borg.id}`, { name: 'Mine' })).status).toBe(404);
  expect((await limited.post('/api/entities', { name: 'Mine' })).status).toBe(403);
  expect((await limited.delete(`/api/entities/${acme.id}`)).status).toBe(403);
  expect(await stored()).toEqual(before);
  const changed = await limited.put(`/api/entities/${acme.id}`, { description: 'Food' });
  expect([changed.status, changed.body.data.description]).toEqual([200, 'Food']);
});

test.each(['Manager', 'TeamLead', 'Employee'] as const)('a %s has no access to companies', async (role) => {
  const client = await as((await make.employee({ roles: [role], department_id: purchasing.id })).user_id);
  const before = await stored();
  const path = `/api/entities/${acme.id}`;
  const answers = [
    await client.get('/api/entities'),
    await client.get('/api/entities/export'),
    await client.get(path),
    await client.post('/api/entities', { name: 'Mine' }),
    await client.put(path, { name: 'Mine' }),
    await client.delete(path),
  ];
  expect(answers.map(({ status }) => status)).toEqual(Array.from(answers, () => 403));
  expect(await stored()).toEqual(before);
});

test('the list sorts, filters, searches and pages', async () => {
  const zed = await make.entity({ name: 'zed', code: 'AA', registration_number: 'ZR 1' });
  expect(await names()).toEqual(['Acme Foods Ltd', 'Børg Systems', 'zed']);
  expect(await names('sort_by=code')).toEqual(['zed', 'Acme Foods Ltd', 'Børg Systems']);
  expect(await names('sort_by=employees_count&sort_direction=desc')).toEqual(['Acme Foods Ltd', 'Børg Systems', 'zed']);
  expect(await names('sort_by=status&sort_direction=DESC')).toEqual(['Børg Systems', 'Acme Foods Ltd', 'zed']);
  expect(await names('sort_by=created_at')).toEqual(['Acme Foods Ltd', 'Børg Systems', 'zed']);
  expect(await names('status=inactive')).toEqual(['Børg Systems']);
  expect(await names('status=inactive,active')).toHaveLength(3);
  expect(await names('search=SYSTEMS borg')).toEqual(['Børg Systems']);
  expect(await names('search=hrb')).toEqual(['Acme Foods Ltd']);
  expect(await names('search=hrb zed')).toEqual([]);
  expect(await names(`id=${zed.id},${acme.id},999999`)).toEqual(['Acme Foods Ltd', 'zed']);
  expect(await names(`id=${zed.id},${acme.id}`, limited)).toEqual(['Acme Foods Ltd']);
  const page = (await hr.get('/api/entities?per_page=2&page=2')).body;
  expect([page.data.map(({ id }: { id: number }) => id), page.meta.total, page.meta.last_page]).toEqual([
    [zed.id],
    3,
    2,
  ]);
  const beyond = (await hr.get('/api/entities?page=9')).body;
  expect([beyond.data, beyond.meta.total]).toEqual([[], 3]);
  for (const [query, field] of [
    ['sort_by=address', 'sort_by'],
    ['sort_direction=up', 'sort_direction'],
    ['status=closed', 'status'],
    ['id=acme', 'id'],
    ['per_page=101', 'per_page'],
  ] as const) {
    const { status, body } = await hr.get(`/api/entities?${query}`);
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  }
});

test('an export contains the rows of the list in its order and is recorded', async () => {
  const answer = await hr.get('/api/entities/export?status=active&sort_by=code');
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(answer.headers['content-disposition']).toMatch(/filename="entities-\d{8}-\d{4}\.csv"/);
  const rows = parse(answer.bytes, { columns: true, bom: true }) as Record<string, string>[];
  expect(rows.map(({ name }) => name)).toEqual(['zed', 'Acme Foods Ltd']);
  expect(Object.entries(rows[1] as object)).toMatchObject([
    ['id', String(acme.id)],
    ['name', 'Acme Foods Ltd'],
    ['code', 'ACME'],
    ['status', 'active'],
    ['country', ''],
    ['timezone', 'UTC'],
    ['departments_count', '2'],
    ['employees_count', expect.any(String)],
  ]);
  const few = await limited.get('/api/entities/export?columns=code,id');
  expect(parse(few.bytes, { bom: true })).toEqual([
    ['id', 'code'],
    [String(acme.id), 'ACME'],
  ]);
  const sheet = await hr.get('/api/entities/export?format=xlsx');
  expect([sheet.status, sheet.bytes.subarray(0, 2).toString()]).toEqual([200, 'PK']);
  const traces = await deps.db
    .selectFrom('audit_log')
    .select(['actor_id', 'subject_label', 'changes'])
    .where('action', '=', 'export.created')
    .orderBy('id')
    .execute();
  expect(traces.map(({ actor_id }) => actor_id)).toEqual([hana.user_id, acmeHr.user_id, hana.user_id]);
  expect(traces[0]).toMatchObject({
    subject_label: 'entities',
    changes: { rows: { to: 2 }, status: { to: ['active'] } },
  });
  const words = await hr.get('/api/entities/export?headings=words&columns=name,code,status,employees_count', {
    'accept-language': 'de',
  });
  const [headings, ...inWords] = parse(words.bytes, { bom: true });
  expect(headings).toEqual(['Name', 'Kürzel', 'Status', 'Mitarbeitende']);
  expect(inWords).toContainEqual([acme.name, 'ACME', 'Aktiv', expect.any(String)]);
  const refused = await hr.get('/api/entities/export?columns=code,tax_number');
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['columns']]);
});

test('an unknown company is 404', async () => {
  for (const id of ['0', '999999', 'abc', '1.5']) expect((await hr.get(`/api/entities/${id}`)).status).toBe(404);
});

test('a list takes one statement after the session, however long it is', async () => {
  let statements = 0;
  deps.pool.on('acquire', () => (statements += 1));
  const cost = async (size: number) => {
    statements = 0;
    await hr.get(`/api/entities?per_page=${size}`);
    return statements;
  };
  await cost(1);
  expect([await cost(1), await cost(100)]).toEqual([2, 2]);
  deps.pool.removeAllListeners('acquire');
});
