import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import { mailServer } from '../../../testing/mail-server.ts';

/** People without an email address: a record without a sign-in. */

const { port } = await mailServer();
const { as, make, owner } = await startApp({ SMTP_URL: `smtp://127.0.0.1:${port}` });
const works = await make.entity({ name: 'Works' });
const hall = await make.department({ entity_id: works.id, name: 'Hall' });
const hrPerson = await make.employee({ roles: [{ role: 'HR', entity_ids: [works.id] }, 'Employee'] });
const hr = await as(hrPerson.user_id);
const foreman = await make.employee({ department_id: hall.id, roles: ['Manager'] });

const noSignIn = 'This person has no email address and so no sign-in. Enter an address first.';
const worker = (more: object = {}) => ({
  email: null,
  first_name: 'Ivo',
  last_name: 'Kowalski',
  entity_id: works.id,
  department_id: hall.id,
  ...more,
});
const accountOf = async (id: number) =>
  (await owner.query('select user_id::int, email from employees where id = $1', [id])).rows[0] as {
    user_id: number | null;
    email: string | null;
  };
const accounts = async () => Number((await owner.query('select count(*) from users')).rows[0].count);
const rolesOf = async (userId: number | null) =>
  (
    await owner.query('select r.name from role_assignments a join roles r on r.id = a.role_id where a.user_id = $1', [
      userId,
    ])
  ).rows.map(({ name }) => name as string);
const idsOf = async (query: string, client = hr) =>
  (await client.get(`/api/employees?per_page=100&${query}`)).body.data.map(({ id }: { id: number }) => id) as number[];

test('HR adds a person without an address: no account, no role, and the address must be said to be empty', async () => {
  const before = await accounts();
  const { email: _none, ...silent } = worker();
  const unsaid = await hr.post('/api/employees', silent);
  expect([unsaid.status, unsaid.body.errors]).toEqual([422, { email: ['The email field is required.'] }]);
  for (const email of [null, '', '  ']) {
    const added = await hr.post('/api/employees', worker({ email }));
    expect([added.status, added.body.data.email, added.body.data.user, added.body.data.roles]).toEqual([
      201,
      null,
      null,
      [],
    ]);
    expect(await accountOf(added.body.data.id)).toEqual({ user_id: null, email: null });
  }
  expect(await accounts()).toBe(before);
});

test('with an empty address a one-time password and roles are refused, and nothing is written', async () => {
  const admin = await as((await make.admin()).user_id);
  const { rows } = await owner.query(`select id from roles where name = 'Employee'`);
  const sent = worker({ last_name: 'Refused', issue_password: true, assignments: [{ role_id: rows[0].id }] });
  const answer = await admin.post('/api/employees', sent);
  expect([answer.status, answer.body.errors]).toEqual([422, { issue_password: [noSignIn], assignments: [noSignIn] }]);
  expect(await idsOf('search=Refused')).toEqual([]);
});

test('nothing about a sign-in is offered or done', async () => {
  const { id } = await make.worker({ department_id: hall.id });
  const { body } = await hr.get(`/api/employees/${id}`);
  expect(body.data.allowed_actions).not.toEqual(expect.arrayContaining(['reset-password']));
  expect(body.data.allowed_actions).not.toContain('roles');
  expect(body.data.allowed_actions).toContain('update');
  const refusals = [
    await hr.post(`/api/employees/${id}/reset-password`, { delivery: 'screen' }),
    await hr.post(`/api/employees/${id}/invite`),
    await hr.delete(`/api/employees/${id}/sessions`),
    await hr.delete(`/api/employees/${id}/invite`),
    await hr.put(`/api/employees/${id}/roles`, { assignments: [] }),
  ];
  expect(refusals.map(({ status, body: { message } }) => [status, message])).toEqual(
    refusals.map(() => [422, noSignIn]),
  );
  const many = await hr.post('/api/employees/invite', { employee_ids: [id] });
  expect(many.body.data).toMatchObject({ sent: [], refused: [{ employee_id: id, reason: noSignIn }] });
  const held = await hr.get(`/api/employees/${id}/roles`);
  expect(held.body.data).toMatchObject({ user_id: null, assignments: [], assignable: [], former: [], permissions: [] });
});

test('an address makes the account with the role Employee, and the invitation works as for others', async () => {
  const { id } = await make.worker({ department_id: hall.id });
  const given = await hr.put(`/api/employees/${id}`, { email: 'Ivo@works.example' });
  expect([given.status, given.body.data.email]).toEqual([200, 'ivo@works.example']);
  const { user_id } = await accountOf(id);
  expect(await rolesOf(user_id)).toEqual(['Employee']);
  expect(given.body.data).toMatchObject({ user: { id: user_id, has_password: false }, roles: [{ name: 'Employee' }] });
  expect((await hr.post(`/api/employees/${id}/invite`)).status).toBe(200);
  const log = await hr.get(`/api/audit-log?subject_type=employee&subject_id=${id}`);
  expect(log.body.data[0]?.changes.email).toEqual({ from: null, to: 'ivo@works.example' });
  const twice = await hr.put(`/api/employees/${(await make.worker({ department_id: hall.id })).id}`, {
    email: 'ivo@works.example',
  });
  expect([twice.status, twice.body.errors]).toEqual([422, { email: ['The email has already been taken.'] }]);
});

test('users give no first address to their own manager: it would be a way in', async () => {
  const head = await make.worker({ department_id: hall.id });
  const own = await make.employee({ department_id: hall.id, reporting_manager_id: head.id, roles: ['HR'] });
  const answer = await (await as(own.user_id)).put(`/api/employees/${head.id}`, { email: 'mine@works.example' });
  expect(answer.status).toBe(403);
  expect(await accountOf(head.id)).toEqual({ user_id: null, email: null });
  expect((await hr.put(`/api/employees/${head.id}`, { email: 'head@works.example' })).status).toBe(200);
});

test('who updates records but may not see what an Employee sees gives no account', async () => {
  const admin = await as((await make.admin()).user_id);
  const role = await admin.post('/api/roles', {
    name: 'Records',
    scope: 'all',
    permissions: ['employees.view', 'employees.update'],
  });
  expect(role.status).toBe(201);
  const clerk = await as((await make.employee({ roles: [{ role: 'Records', entity_ids: [works.id] }] })).user_id);
  const { id } = await make.worker({ department_id: hall.id });
  expect((await clerk.put(`/api/employees/${id}`, { phone: '12345' })).status).toBe(200);
  expect((await clerk.put(`/api/employees/${id}`, { email: 'clerk@works.example' })).status).toBe(403);
  expect(await accountOf(id)).toEqual({ user_id: null, email: null });
});

test('an address is removed with its account, invitation and roles while the person has never signed in', async () => {
  const person = await make.employee({ department_id: hall.id });
  await hr.post(`/api/employees/${person.id}/invite`);
  const taken = await hr.put(`/api/employees/${person.id}`, { email: '' });
  expect([taken.status, taken.body.data.email, taken.body.data.user]).toEqual([200, null, null]);
  const { rows } = await owner.query('select from users where id = $1', [person.user_id]);
  expect([rows, await rolesOf(person.user_id)]).toEqual([[], []]);
  // the address can be used again
  const { id } = await make.worker({ department_id: hall.id });
  expect((await hr.put(`/api/employees/${id}`, { email: person.email })).status).toBe(200);
});

test('the address of a person who has signed in stays, and nothing changes', async () => {
  const person = await make.employee({ department_id: hall.id });
  await as(person.user_id);
  const answer = await hr.put(`/api/employees/${person.id}`, { email: null, phone: '12345' });
  expect([answer.status, answer.body.errors]).toEqual([
    422,
    { email: ['This person has already signed in with this address. You can replace it, but not remove it.'] },
  ]);
  expect(await accountOf(person.id)).toMatchObject({ email: person.email, user_id: person.user_id });
  expect((await hr.get(`/api/employees/${person.id}`)).body.data.phone).toBeNull();
});

test('an account that a decision names stays, also without a session', async () => {
  const person = await make.employee({ department_id: hall.id });
  await owner.query(
    `insert into attachments (employee_id, category, title, file_key, file_name, mime_type, size, checksum,
                              uploaded_by, uploaded_by_name)
     values ($1, 'other', 'Note', 'key', 'a.pdf', 'application/pdf', 1, 'sum', $2, 'Former')`,
    [foreman.id, person.user_id],
  );
  const answer = await hr.put(`/api/employees/${person.id}`, { email: null });
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['email']]);
  expect((await accountOf(person.id)).user_id).toBe(person.user_id);
});

test('an account that is allowed more than the actor keeps its address', async () => {
  const wide = await make.employee({ department_id: hall.id, roles: ['HR'] });
  expect((await hr.put(`/api/employees/${wide.id}`, { email: null })).status).toBe(403);
  expect((await accountOf(wide.id)).user_id).toBe(wide.user_id);
  const head = await make.employee({ department_id: hall.id, roles: ['Admin'] });
  expect((await hr.put(`/api/employees/${head.id}`, { email: null })).status).toBe(403);
});

test('a reviewer who loses the account is missing in the same transaction', async () => {
  const lead = await make.employee({ department_id: hall.id, roles: ['Manager'] });
  const subject = await make.worker({ department_id: hall.id, employment_lifecycle: 'probationary' });
  await owner.query(
    `update employees set joining_date = '2026-09-01', probation_start_date = '2026-09-01', probation_end_date = '2026-12-01' where id = $1`,
    [subject.id],
  );
  const opened = await hr.post('/api/probation-reviews', { employee_id: subject.id, reviewer_id: lead.id });
  expect(opened.status).toBe(201);
  expect((await hr.put(`/api/employees/${lead.id}`, { email: null })).status).toBe(200);
  const { rows } = await owner.query('select reviewer_missing_since from probation_reviews where id = $1', [
    opened.body.data.id,
  ]);
  expect(rows[0].reviewer_missing_since).not.toBeNull();
});

test('lists, searches, filters and the order by address cope with people without one', async () => {
  const shop = await make.department({ entity_id: works.id });
  const at = `department_id=${shop.id}`;
  const { id } = await make.worker({
    department_id: shop.id,
    first_name: 'Ewa',
    last_name: 'Zielinski',
    employee_number: 'SHOP-77',
  });
  const ann = await make.employee({ department_id: shop.id, email: 'ann@shop.example' });
  const zed = await make.employee({ department_id: shop.id, email: 'zed@shop.example' });
  expect(await idsOf(`${at}&sort_by=email`)).toEqual([ann.id, zed.id, id]);
  expect(await idsOf(`${at}&sort_by=email&sort_direction=desc`)).toEqual([zed.id, ann.id, id]);
  expect(await idsOf(`${at}&search=zielin`)).toEqual([id]);
  expect(await idsOf(`${at}&search=elinsk`)).toEqual([id]);
  expect(await idsOf(`${at}&search=shop-77`)).toEqual([id]);
  expect(await idsOf(`${at}&sign_in=none`)).toEqual([id]);
  expect(new Set(await idsOf(`${at}&sign_in=not_invited`))).toEqual(new Set([ann.id, zed.id]));
  expect(await idsOf(`${at}&missing=sign_in`)).not.toContain(id);
  expect(await idsOf(`${at}&role_id=0`)).toEqual([]);
  const file = await hr.get(`/api/employees/export?format=csv&${at}`);
  expect(file.bytes.toString('utf8')).toContain('"SHOP-77","Ewa","Zielinski","",');
  const pdf = await hr.get(`/api/employees/${id}/pdf`);
  expect(pdf.status).toBe(200);
});

test('the directory of colleagues, the search and the organisation chart show them without an address', async () => {
  const { id } = await make.worker({
    department_id: hall.id,
    last_name: 'Quernheim',
    reporting_manager_id: foreman.id,
  });
  const colleague = await as((await make.employee({ department_id: hall.id })).user_id);
  const found = await colleague.get('/api/directory?search=quern');
  expect(found.body.data.map((card: { id: number; email: null }) => [card.id, card.email])).toEqual([[id, null]]);
  const hits = await hr.get('/api/search?q=uernhei');
  expect(hits.body.data.people.map((hit: { id: number }) => hit.id)).toEqual([id]);
  const chart = await hr.get(`/api/org-chart?by=manager&person_id=${id}`);
  expect([chart.status, chart.body.data.path]).toEqual([200, [foreman.id]]);
});

test('two people without an address are no duplicates of each other by it', async () => {
  await make.worker({ department_id: hall.id });
  const answer = await hr.get('/api/employees/duplicates?email=');
  expect([answer.status, answer.body.data.email]).toEqual([200, null]);
});

test('the life of the record goes on: suspended, back, leaving, rehired with an address', async () => {
  const { id } = await make.worker({ department_id: hall.id });
  const reason = 'As agreed with the person';
  expect((await hr.post(`/api/employees/${id}/deactivate`, { reason })).status).toBe(200);
  expect((await hr.post(`/api/employees/${id}/reactivate`, { reason })).status).toBe(200);
  const left = { type: 'resigned', notice_date: '2026-01-01', last_working_date: '2026-01-31', reason };
  expect((await hr.post(`/api/employees/${id}/separate`, left)).status).toBe(200);
  const back = await hr.post(`/api/employees/${id}/rehire`, {
    joining_date: '2026-03-01',
    email: 'back@works.example',
  });
  expect([back.status, back.body.data.email]).toEqual([200, 'back@works.example']);
  expect(await rolesOf((await accountOf(id)).user_id)).toEqual(['Employee']);
  const other = await make.worker({ department_id: hall.id });
  expect((await hr.delete(`/api/employees/${other.id}`)).status).toBe(204);
  expect((await hr.post(`/api/employees/${other.id}/restore`, { reason })).status).toBe(200);
  expect(await accountOf(other.id)).toEqual({ user_id: null, email: null });
});
