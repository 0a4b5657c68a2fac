import { beforeAll, describe, expect, test } from 'vitest';
import { applyDueJobChanges } from '../features/job-history/apply.ts';
import { startApp } from '../testing/app.ts';
import type { Answer, Client } from '../testing/client.ts';
import { dayFromNow, kpiMaker } from '../testing/make-kpi.ts';
import { probationMaker } from '../testing/make-probation.ts';

/**
 * Nils is HR of the company North and wants more rights. He tries forty attacks with full knowledge of the API. The
 * company South, HR of all companies and the administrator are outside his scope, and so are hidden values about
 * himself. In the end his rights are unchanged.
 */

const app = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
const { as, make, deps, owner } = app;
const [kpi, probation] = [kpiMaker(app), probationMaker(app)];
const reason = 'A reason that is long enough.';
const password = 'Str0ng!Passw0rd';

const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
const office = await make.department({ entity_id: north.id, name: 'Office' });
const plant = await make.department({ entity_id: south.id, name: 'Plant' });
const inOffice = { department_id: office.id, entity_id: north.id };
const inPlant = { department_id: plant.id, entity_id: south.id };

const hana = await make.employee({ ...inOffice, first_name: 'Hana', last_name: 'Hr', roles: ['HR'], password });
const ada = await make.employee({ ...inOffice, first_name: 'Ada', last_name: 'Admin', roles: ['Admin'] });
const mona = await make.employee({ ...inOffice, first_name: 'Mona', last_name: 'Manager', roles: ['Manager'] });
const nils = await make.employee({
  ...inOffice,
  first_name: 'Nils',
  last_name: 'North',
  reporting_manager_id: mona.id,
  roles: [{ role: 'HR', entity_ids: [north.id] }],
});
const rita = await make.employee({ ...inOffice, first_name: 'Rita', last_name: 'Report' });
const sara = await make.employee({ ...inPlant, first_name: 'Sara', last_name: 'Southwald' });
const sven = await make.employee({ ...inPlant, first_name: 'Sven', last_name: 'Southwald', roles: ['Manager'] });
const evaluation = await kpi.evaluation({ employee: nils, reviewer: mona, status: 'manager_review' });

const [thief, admin, everything] = [await as(nils.user_id), await as(ada.user_id), await as(hana.user_id)];
const roleId = async (name: string) => {
  const { id } = await deps.db.selectFrom('roles').select('id').where('name', '=', name).executeTakeFirstOrThrow();
  return id;
};
const [hrRole, adminRole] = [await roleId('HR'), await roleId('Admin')];

/** The rights of Nils and the people he sees, as the API reports them. */
async function whatNilsIs(client: Client) {
  const me = (await client.get('/api/me')).body.data;
  const people = (await client.get('/api/employees?per_page=100')).body.data as { id: number }[];
  return { roles: me.roles, permissions: me.permissions, people: people.map(({ id }) => id).toSorted((a, b) => a - b) };
}

/** All data of the target people as one text. */
async function whatOthersAre(): Promise<string> {
  const { rows } = await owner.query(
    `select string_agg(line::text, E'\n' order by line::text) as all_of_it from (
       select to_jsonb(u) - 'updated_at' - 'last_login_at' as line from users u where u.id = any($1::bigint[])
       union all select to_jsonb(e) - 'updated_at' - 'revision' from employees e where e.user_id = any($1::bigint[])
       union all select to_jsonb(a) from role_assignments a where a.user_id = any($1::bigint[])) as l (line)`,
    [[hana, ada, sara, sven, nils].map(({ user_id }) => user_id)],
  );
  return rows[0].all_of_it as string;
}

let before: Awaited<ReturnType<typeof whatNilsIs>>;
let othersBefore: string;
beforeAll(async () => {
  before = await whatNilsIs(thief);
  othersBefore = await whatOthersAre();
});

const refused = ({ status }: Answer) => status;
const person = ({ id }: { id: number }) => `/api/employees/${id}`;

/** Uploads an import as Nils and writes the valid rows. */
async function importing(lines: string[], fields: Record<string, string> = {}) {
  const content = [
    'employee_number,first_name,last_name,email,entity,department,reporting_manager,role',
    ...lines,
  ].join('\n');
  const upload = await thief.upload(
    '/api/employees/import',
    { name: 'people.csv', content },
    { mode: 'partial', ...fields },
  );
  expect([upload.status, upload.body.errors]).toEqual([201, undefined]);
  const { id } = upload.body.data as { id: number };
  const rows = await thief.get(`/api/employees/imports/${id}/rows`);
  return { id, rows: rows.body.data as { status: string; errors: Record<string, string[]> }[] };
}

describe('by taking over an account', () => {
  test('1 a one-time password for HR of everything', async () => {
    expect(refused(await thief.post(`${person(hana)}/reset-password`, { delivery: 'screen' }))).toBe(403);
  });
  test('2 the same among many', async () => {
    const { body } = await thief.post('/api/employees/reset-passwords', { employee_ids: [hana.id, ada.id, sara.id] });
    expect([body.data.issued, body.data.refused.length]).toEqual([[], 3]);
  });
  test('3 for the administrator', async () => {
    expect(refused(await thief.post(`${person(ada)}/reset-password`))).toBe(403);
  });
  test('4 for the own manager', async () => {
    expect(refused(await thief.post(`${person(mona)}/reset-password`))).toBe(403);
  });
  test('5 an address of his own for HR of everything', async () => {
    expect(refused(await thief.put(person(hana), { email: 'nils.too@example.com' }))).toBe(403);
  });
  test('6 the same by an import', async () => {
    const line = `${hana.employee_number},Hana,Hr,nils.too@example.com,North,Office,,`;
    const { rows } = await importing([line], { on_conflict: 'update' });
    expect([rows[0]?.status, JSON.stringify(rows[0]?.errors)]).toEqual([
      'failed',
      expect.stringContaining('You don’t have permission to import this row.'),
    ]);
  });
  test('7 an address of his own for the own manager', async () => {
    expect(refused(await thief.put(person(mona), { email: 'mona.too@example.com' }))).toBe(403);
  });
  test('8 ending the sessions of HR of everything', async () => {
    expect(refused(await thief.delete(`${person(hana)}/sessions`))).toBe(403);
    expect((await everything.get('/api/me')).status).toBe(200);
  });
  test('9 a new person who is HR of everything, with a password', async () => {
    const body = {
      first_name: 'Nina',
      last_name: 'New',
      email: 'nina@example.com',
      ...inOffice,
      issue_password: true,
      assignments: [{ role_id: hrRole }],
    };
    expect(refused(await thief.post('/api/employees', body))).toBe(403);
  });
  test('10 the same by an import: Admin is refused, and HR is of his own company', async () => {
    const { rows } = await importing([
      'N-1,Nina,New,nina@example.com,North,Office,,HR',
      'N-2,Nora,New,nora@example.com,North,Office,,Admin',
    ]);
    expect(rows.map(({ status }) => status)).toEqual(['created', 'failed']);
    const { rows: given } = await owner.query(
      "select a.entity_ids from role_assignments a join users u on u.id = a.user_id where u.email = 'nina@example.com'",
    );
    expect(given.map(({ entity_ids }) => entity_ids.map(Number))).toEqual([[north.id]]);
  });
  test('11 a former HR of everything who is rehired', async () => {
    const left = await make.employee({
      ...inOffice,
      roles: ['HR'],
      activity_status: 'inactive',
      employment_lifecycle: 'resigned',
      last_working_date: dayFromNow(-30),
    });
    const answer = await thief.post(`${person(left)}/rehire`, { joining_date: dayFromNow(-1) });
    const { rows } = await owner.query(
      'select r.name from role_assignments a join roles r on r.id = a.role_id join users u on u.id = a.user_id where u.id = $1 and u.password_hash is not null',
      [left.user_id],
    );
    expect([[200, 403].includes(answer.status), rows]).toEqual([true, []]);
    if (answer.status === 200)
      expect(answer.body.data.roles.map(({ name }: { name: string }) => name)).toEqual(['Employee']);
  });
  test('12 the name of HR of everything as his own', async () => {
    expect(refused(await thief.put('/api/profile', { display_name: 'Hana Hr' }))).toBe(422);
  });
  test('13 an account whose address looks like that of HR of everything', async () => {
    const [name = '', host = ''] = hana.email.split('@');
    for (const email of [`${name}\u200b@${host}`, `${name}@${host}`.replace('e', 'ｅ')])
      expect(
        refused(await thief.post('/api/employees', { first_name: 'Hana', last_name: 'Too', email, ...inOffice })),
      ).toBe(422);
  });
  test('14 guessing a link that sets a password', async () => {
    const guest = await as();
    const body = { token: 'A'.repeat(43), password, password_confirmation: password };
    const { status } = await guest.post('/api/password-links/redeem', body);
    expect([404, 422]).toContain(status);
  });
});

describe('by giving himself rights', () => {
  test('15 roles of everything for himself', async () => {
    expect(refused(await thief.put(`${person(nils)}/roles`, { assignments: [{ role_id: hrRole }] }))).toBe(403);
  });
  test('16 roles of everything for a friend', async () => {
    expect(refused(await thief.put(`${person(rita)}/roles`, { assignments: [{ role_id: hrRole }] }))).toBe(403);
  });
  test('17 HR of the other company for a friend', async () => {
    const assignments = [{ role_id: hrRole, entity_ids: [south.id] }];
    expect([403, 422]).toContain(refused(await thief.put(`${person(rita)}/roles`, { assignments })));
  });
  test('18 the role of administrators for a friend', async () => {
    expect(refused(await thief.put(`${person(rita)}/roles`, { assignments: [{ role_id: adminRole }] }))).toBe(403);
  });
  test('19 a role of his own', async () => {
    expect(refused(await thief.post('/api/roles', { name: 'Owner', scope: 'all', permissions: [] }))).toBe(403);
  });
  test('20 more permissions for the role he has', async () => {
    expect(refused(await thief.put(`/api/roles/${hrRole}/permissions`, { permissions: ['rbac.manage'] }))).toBe(403);
  });
  test('21 the roles of HR of everything taken away', async () => {
    expect(refused(await thief.put(`${person(hana)}/roles`, { assignments: [] }))).toBe(403);
  });
});

describe('by moving people and departments', () => {
  test('22 himself to another company', async () => {
    expect(refused(await thief.put(person(nils), { department_id: plant.id, entity_id: south.id }))).toBe(403);
  });
  test('23 a person of the other company to him', async () => {
    expect(refused(await thief.put(person(sara), { reporting_manager_id: nils.id }))).toBe(404);
  });
  test('24 himself at the head of a department of the other company', async () => {
    expect(refused(await thief.put(`/api/departments/${plant.id}/manager`, { employee_id: nils.id }))).toBe(404);
  });
  test('25 his department below one of the other company', async () => {
    expect(refused(await thief.put(`/api/departments/${office.id}`, { parent_id: plant.id }))).toBe(422);
  });
  test('26 his department with all members to the other company', async () => {
    const body = { entity_id: south.id, move_employees: true };
    expect([403, 422]).toContain(refused(await thief.put(`/api/departments/${office.id}`, body)));
  });
  test('27 the administrator to another manager by a reassignment', async () => {
    const boss = await make.employee({ ...inOffice, roles: ['Manager'] });
    await deps.db.updateTable('employees').set({ reporting_manager_id: boss.id }).where('id', '=', ada.id).execute();
    const answer = await thief.post(`${person(boss)}/deactivate`, { reason, reassign_to: rita.id });
    expect([403, 422]).toContain(answer.status);
    expect((await everything.get(person(ada))).body.data.reporting_manager.id).toBe(boss.id);
    await deps.db.updateTable('employees').set({ reporting_manager_id: null }).where('id', '=', ada.id).execute();
  });
  test('28 a scheduled change that outlives his permission', async () => {
    const body = { effective_from: dayFromNow(5), reporting_manager_id: nils.id, reason };
    const scheduled = await thief.post(`${person(rita)}/job-history`, body);
    expect(scheduled.status).toBe(201);
    expect((await admin.put(person(rita), { entity_id: south.id, department_id: plant.id })).status).toBe(200);
    await applyDueJobChanges({ deps, now: Temporal.Now.instant().add({ hours: 24 * 6 }) });
    expect((await everything.get(person(rita))).body.data.reporting_manager).toBeNull();
    expect(refused(await thief.get(person(rita)))).toBe(404);
    expect((await admin.put(person(rita), { entity_id: north.id, department_id: office.id })).status).toBe(200);
  });
});

describe('by ending the access of others', () => {
  test('29 deactivating HR of everything', async () => {
    expect(refused(await thief.post(`${person(hana)}/deactivate`, { reason }))).toBe(403);
  });
  test('30 a first day in the future for HR of everything, by the form and by an import', async () => {
    expect(refused(await thief.put(person(hana), { joining_date: dayFromNow(400) }))).toBe(403);
    const content = `employee_number,joining_date\n${hana.employee_number},${dayFromNow(400)}`;
    const file = { name: 'first-days.csv', content };
    const { body } = await thief.upload('/api/employees/import', file, { mode: 'partial', on_conflict: 'update' });
    const rows = await thief.get(`/api/employees/imports/${body.data.id}/rows`);
    expect(rows.body.data[0].status).toBe('failed');
    expect((await everything.get('/api/me')).status).toBe(200);
  });
  test('31 separating HR of everything', async () => {
    const body = { type: 'terminated', last_working_date: dayFromNow(0), reason };
    expect(refused(await thief.post(`${person(hana)}/separate`, body))).toBe(403);
  });
  test('32 deleting HR of everything', async () => {
    expect(refused(await thief.delete(person(hana)))).toBe(403);
  });
  test('33 the same among many', async () => {
    const { body } = await thief.post('/api/employees/bulk', {
      kind: 'deactivate',
      dry_run: true,
      ids: [hana.id, ada.id, sara.id],
      reason,
    });
    expect(body.data.counts).toMatchObject({ changed: 0, refused: 3 });
  });
  test('34 the end of an employment through a probation review of a person who has moved', async () => {
    const mover = await probation.person({ ...inOffice });
    const review = await probation.review({ employee: mover, status: 'submitted', recommendation: 'terminate' });
    expect((await thief.get(`/api/probation-reviews/${review.id}`)).status).toBe(200);
    expect((await admin.put(person(mover), { entity_id: south.id, department_id: plant.id })).status).toBe(200);
    expect(refused(await thief.get(`/api/probation-reviews/${review.id}`))).toBe(404);
    const decision = { outcome: 'terminated', last_working_date: dayFromNow(0), reason };
    expect(refused(await thief.post(`/api/probation-reviews/${review.id}/approve`, decision))).toBe(404);
  });
});

describe('by deciding about himself', () => {
  test('35 writing his own result', async () => {
    expect(refused(await thief.post(`/api/kpi-evaluations/${evaluation.id}/hr-review`, { comment: reason }))).toBe(403);
  });
  test('36 another reviewer for himself', async () => {
    expect(refused(await thief.put(`/api/kpi-evaluations/${evaluation.id}/reviewer`, { reviewer_id: rita.id }))).toBe(
      403,
    );
  });
  test('37 another title and grade for himself', async () => {
    expect(refused(await thief.put(person(nils), { job_title: 'Director', grade: '15' }))).toBe(403);
  });
});

describe('by reading copies', () => {
  const about = /southwald/i;
  test('38 people of the other company, in every list, search and export', async () => {
    for (const url of [
      person(sara),
      `/api/employees?entity_id=${south.id}`,
      '/api/employees?search=southwald',
      '/api/search?q=southwald',
      `/api/employees/export?entity_id=${south.id}`,
      '/api/org-chart',
      `/api/org-chart?root_id=${sara.id}`,
      `/api/employees/duplicates?last_name=Southwald&first_name=Sara`,
      '/api/kpi-evaluations?search=southwald',
      '/api/probation-reviews?search=southwald',
      '/api/departments?search=plant',
      `/api/audit-log?entity_id=${south.id}`,
    ]) {
      const { bytes } = await thief.get(url);
      expect([url, about.test(bytes.toString('utf8').replaceAll(/search=[^"&]*|q=southwald/g, ''))]).toEqual([
        url,
        false,
      ]);
    }
  });
  test('39 a taken name or number that reveals its owner', async () => {
    const body = {
      first_name: 'A',
      last_name: 'B',
      ...inOffice,
      email: sara.email,
      employee_number: sara.employee_number,
    };
    const answer = await thief.post('/api/employees', body);
    expect([answer.status, about.test(JSON.stringify(answer.body))]).toEqual([422, false]);
  });
  test('40 the name of a KPI cycle of the other company', async () => {
    await kpi.cycle({ name: 'Round of secrets', entity_id: south.id });
    const list = await thief.get('/api/kpi-cycles?search=secrets');
    expect(list.body.data).toEqual([]);
    const own = await kpi.cycle({ name: 'Round of his own', entity_id: north.id });
    const renamed = await thief.put(`/api/kpi-cycles/${own.id}`, { name: 'Round of secrets' });
    expect(renamed.status).toBe(200);
  });
  test('41 a stored answer for a repeated request, after the permission is gone', async () => {
    const key = { 'idempotency-key': 'forty' };
    const url = `${person(rita)}/confirm`;
    await deps.db
      .updateTable('employees')
      .set({ employment_lifecycle: 'probationary' })
      .where('id', '=', rita.id)
      .execute();
    const body = { confirmation_date: dayFromNow(0), reason };
    const first = await thief.post(url, body, key);
    expect(first.status).toBe(200);
    expect((await admin.put(person(rita), { entity_id: south.id, department_id: plant.id })).status).toBe(200);
    expect([403, 404]).toContain(refused(await thief.post(url, body, key)));
    expect((await admin.put(person(rita), { entity_id: north.id, department_id: office.id })).status).toBe(200);
  });
});

test('in the end his rights and theirs are unchanged', async () => {
  const after = await whatNilsIs(thief);
  expect([after.roles, after.permissions]).toEqual([before.roles, before.permissions]);
  expect(after.people).not.toContain(sara.id);
  expect(before.people.filter((id) => !after.people.includes(id))).toEqual([]);
  expect(await whatOthersAre()).toBe(othersBefore);
  const { rows } = await owner.query(
    'select distinct user_id from session_register where revoked_at is null order by 1',
  );
  expect(rows.map(({ user_id }) => Number(user_id))).toEqual(
    [nils, ada, hana].map(({ user_id }) => user_id).toSorted((a, b) => a - b),
  );
});
