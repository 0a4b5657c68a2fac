import { describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import type { Client } from '../testing/client.ts';

// A user who can take over an account, or give its person access again, must already have all of its rights.

const { as, make, deps } = await startApp();
const { db } = deps;
const [acme, beta] = [await make.entity({ name: 'Acme' }), await make.entity({ name: 'Beta' })];
const crew = await make.department({ entity_id: acme.id, name: 'Crew' });
const far = await make.department({ entity_id: beta.id, name: 'Far' });
type Fields = NonNullable<Parameters<typeof make.employee>[0]>;
const inAcme = (fields: Fields = {}) => make.employee({ department_id: crew.id, ...fields });
const ofAcme = (role: string) => ({ role, entity_ids: [acme.id] });
const password = 'Str0ng!Passw0rd';

async function roleOf(name: string, scope: 'managed' | 'all', permissions: readonly string[]) {
  const { id } = await db.insertInto('roles').values({ name, scope }).returning('id').executeTakeFirstOrThrow();
  const rows = permissions.map((permission) => ({ role_id: id, permission }));
  await db.insertInto('role_permissions').values(rows).execute();
  return ofAcme(name);
}

const hr = await as((await inAcme({ roles: ['Employee', ofAcme('HR')] })).user_id);
const hrOfAll = await as((await make.employee({ roles: ['Employee', 'HR'] })).user_id);
const admin = await as((await make.admin()).user_id);
const widerHr = (fields: Fields = {}) => inAcme({ roles: ['Employee', 'HR'], password, ...fields });
/** Manages a person of a company that HR of Acme does not cover. */
const widerManager = async () => {
  const manager = await inAcme({ roles: ['Employee', 'Manager'], password });
  await make.employee({ department_id: far.id, reporting_manager_id: manager.id });
  return manager;
};
const narrow = {
  employee: () => inAcme(),
  manager: async () => {
    const manager = await inAcme({ roles: ['Employee', 'Manager'] });
    await inAcme({ reporting_manager_id: manager.id });
    return manager;
  },
  'HR of the company': () => inAcme({ roles: ['Employee', ofAcme('HR')] }),
};
type Person = Awaited<ReturnType<typeof inAcme>>;

const stored = async ({ id }: Person) =>
  JSON.stringify(
    await db
      .selectFrom('employees as e')
      .innerJoin('users as u', 'u.id', 'e.user_id')
      .selectAll()
      .where('e.id', '=', id)
      .execute(),
  );
const actionsOf = async (client: Client, { id }: Person): Promise<string[]> =>
  (await client.get(`/api/employees/${id}`)).body.data.allowed_actions;
const rowActionsOf = async (client: Client, { id, employee_number }: Person): Promise<string[]> => {
  const page = await client.get(`/api/employees?per_page=100&search=${employee_number}`);
  return page.body.data.find((row: { id: number }) => row.id === id).allowed_actions;
};

const inactive = { activity_status: 'inactive' } as const;
const left = { employment_lifecycle: 'resigned', last_working_date: '2020-01-31', ...inactive } as const;
const leaving = { employment_lifecycle: 'resigned', last_working_date: '2999-01-31' } as const;
const reason = 'Asked for by the head of the team';
const again = (person: Person) => ({
  joining_date: '2026-01-01',
  entity_id: person.entity_id,
  department_id: person.department_id,
  employment_lifecycle: 'confirmed',
});

type Attack = {
  title: string;
  fields?: Fields;
  action?: string;
  attempt: (client: Client, person: Person) => Promise<{ status: number }>;
  done: number;
};
const post = (client: Client, person: Person, verb: string, body: unknown = {}) =>
  client.post(`/api/employees/${person.id}/${verb}`, body);

const waysIn: Attack[] = [
  {
    title: 'a one-time password',
    action: 'reset-password',
    attempt: (client, person) => post(client, person, 'reset-password'),
    done: 200,
  },
  {
    title: 'another sign-in address',
    attempt: (client, person) => client.put(`/api/employees/${person.id}`, { email: `mine${person.id}@example.com` }),
    done: 200,
  },
  {
    title: 'the end of all sessions',
    action: 'reset-password',
    attempt: (client, person) => client.delete(`/api/employees/${person.id}/sessions`),
    done: 204,
  },
  {
    title: 'an account that is active again',
    fields: inactive,
    action: 'reactivate',
    attempt: (client, person) => post(client, person, 'reactivate', { reason }),
    done: 200,
  },
  {
    title: 'a separation that is withdrawn',
    fields: leaving,
    action: 'withdraw-separation',
    attempt: (client, person) => post(client, person, 'withdraw-separation', { reason }),
    done: 200,
  },
];
const waysOut: Attack[] = [
  {
    title: 'deactivating',
    action: 'deactivate',
    attempt: (client, person) => post(client, person, 'deactivate', { reason }),
    done: 200,
  },
  {
    title: 'separating',
    action: 'separate',
    attempt: (client, person) =>
      post(client, person, 'separate', { type: 'terminated', last_working_date: '2999-01-31', reason }),
    done: 200,
  },
  {
    title: 'deleting',
    attempt: (client, person) => client.delete(`/api/employees/${person.id}`),
    done: 204,
  },
];

describe.each([...waysIn, ...waysOut])('$title', ({ fields, action, attempt, done }) => {
  test('is refused to HR of one company for HR of everything, without revealing the account', async () => {
    const person = await widerHr(fields);
    const before = await stored(person);
    expect((await attempt(hr, person)).status).toBe(403);
    expect(await stored(person)).toBe(before);
    expect(await actionsOf(hr, person)).not.toContain(action);
    expect(await rowActionsOf(hr, person)).not.toContain(action);
    if (action) {
      expect(await actionsOf(hrOfAll, person)).toContain(action);
      expect(await rowActionsOf(hrOfAll, person)).toContain(action);
    }
    expect((await attempt(hrOfAll, person)).status).toBe(done);
  });

  test('is refused to all but administrators for an administrator', async () => {
    const person = await inAcme({ ...fields, roles: ['Employee', 'Admin'] });
    expect((await attempt(hrOfAll, person)).status).toBe(403);
    expect((await attempt(admin, person)).status).toBe(done);
  });

  test.each(Object.entries(narrow))('is allowed to HR of one company for: %s', async (_who, makeOne) => {
    const person = await makeOne();
    if (fields)
      await db
        .updateTable('employees')
        .set(fields as object)
        .where('id', '=', person.id)
        .execute();
    if (action)
      expect(await rowActionsOf(hr, person)).toEqual(
        await actionsOf(hr, person).then((all) => all.filter((one) => one !== 'delete' && one !== 'reassign')),
      );
    await db
      .updateTable('employees')
      .set({ reporting_manager_id: null })
      .where('reporting_manager_id', '=', person.id)
      .execute();
    if (action) expect(await actionsOf(hr, person)).toContain(action);
    expect((await attempt(hr, person)).status).toBe(done);
  });
});

test.each(waysIn.filter(({ fields }) => !fields))(
  '$title is refused for a manager of people elsewhere until they have another manager',
  async ({ attempt, done }) => {
    const person = await widerManager();
    expect((await attempt(hr, person)).status).toBe(403);
    await db
      .updateTable('employees')
      .set({ reporting_manager_id: null })
      .where('reporting_manager_id', '=', person.id)
      .execute();
    expect((await attempt(hr, person)).status).toBe(done);
  },
);

test.each([
  ['rehired', left, 'rehire', again],
  ['restored', { deleted_at: new Date().toISOString() }, 'restore', () => ({ reason })],
] as const)(
  'somebody %s begins anew, so that only the own person must be covered',
  async (_title, state, verb, body) => {
    const role = await roleOf(`Hiring by ${verb}`, 'all', [
      'employees.view',
      'employees.create',
      'employees.deactivate',
    ]);
    const blind = await as((await inAcme({ roles: ['Employee', role] })).user_id);
    const person = await widerHr(state);
    expect((await post(blind, person, verb, body(person))).status).toBe(403);
    expect((await post(hr, person, verb, body(person))).status).toBe(200);
    expect((await hr.get(`/api/employees/${person.id}`)).body.data.roles).toMatchObject([{ name: 'Employee' }]);
    expect((await post(hr, await inAcme({ ...state, roles: ['Employee', 'Admin'] }), verb, body(person))).status).toBe(
      403,
    );
  },
);

test('a user who may reset passwords of managed people cannot take over a report who is HR', async () => {
  const role = await roleOf('Team desk', 'managed', ['employees.view', 'employees.reset_password', 'employees.update']);
  const lead = await inAcme({ roles: ['Employee', role] });
  const report = await widerHr({ reporting_manager_id: lead.id });
  const client = await as(lead.user_id);
  expect((await post(client, report, 'reset-password')).status).toBe(403);
  expect((await client.put(`/api/employees/${report.id}`, { email: 'mine@example.com' })).status).toBe(403);
  expect((await client.put(`/api/employees/${report.id}`, { email: report.email, job_title: 'Clerk' })).status).toBe(
    200,
  );
  const bulk = await client.post('/api/employees/reset-passwords', { employee_ids: [report.id] });
  expect(bulk.body.data).toEqual({
    delivery: 'screen',
    mail_is_on: false,
    link_hours: 24,
    issued: [],
    sent: [],
    people: [expect.objectContaining({ id: report.id })],
    refused: [{ employee_id: report.id, reason: 'You don’t have permission to do this.' }],
  });
});

test('a user who ends employments needs the reach of an account, not its rights there', async () => {
  const role = await roleOf('Offboarding', 'all', ['employees.view', 'employees.deactivate']);
  const client = await as((await inAcme({ roles: ['Employee', role] })).user_id);
  const [sameReach, wider] = [await narrow['HR of the company'](), await widerHr()];
  expect(await actionsOf(client, sameReach)).toEqual(['deactivate', 'separate', 'delete']);
  expect((await post(client, sameReach, 'deactivate', { reason })).status).toBe(200);
  expect((await post(client, sameReach, 'reactivate', { reason })).status).toBe(403);
  expect((await post(client, wider, 'deactivate', { reason })).status).toBe(403);
});

test('bulk actions refuse people with more rights', async () => {
  const [wide, plain] = [await widerHr(), await inAcme()];
  const ids = [wide.id, plain.id];
  const passwords = await hr.post('/api/employees/reset-passwords', { employee_ids: ids });
  expect(passwords.body.data.issued.map((one: { employee_id: number }) => one.employee_id)).toEqual([plain.id]);
  expect(passwords.body.data.refused).toEqual([
    { employee_id: wide.id, reason: 'You don’t have permission to do this.' },
  ]);
  for (const kind of ['deactivate', 'reactivate']) {
    const answer = await hr.post('/api/employees/bulk', { kind, ids, reason });
    expect(answer.body.data.rows.map((row: { outcome: string }) => row.outcome)).toEqual(['refused', 'changed']);
    expect(answer.body.data.rows[0].errors).toEqual({ id: ['You don’t have permission to do this.'] });
    if (kind === 'deactivate') await db.updateTable('employees').set(inactive).where('id', '=', wide.id).execute();
  }
});

test('an import gives no other address to people with more rights', async () => {
  const [wide, plain] = [await widerHr({ employee_number: 'W-1' }), await inAcme({ employee_number: 'P-1' })];
  const content = [
    'employee_number,first_name,last_name,email,entity,department,job_title',
    'W-1,Wide,One,mine-w@example.com,Acme,Crew,',
    'P-1,Plain,One,new-p@example.com,Acme,Crew,',
  ].join('\n');
  const file = { name: 'addresses.csv', content };
  const staged = await hr.upload('/api/employees/import', file, {
    dry_run: '1',
    on_conflict: 'update',
    mode: 'partial',
  });
  const { id } = staged.body.data;
  const { body } = await hr.get(`/api/employees/imports/${id}/rows`);
  expect(body.data.map((row: { status: string }) => row.status)).toEqual(['failed', 'valid']);
  expect(body.data[0].errors).toEqual({ employee_number: ['You don’t have permission to import this row.'] });
  const before = await stored(wide);
  // people who gained rights before the write are skipped
  const hrRole = await db.selectFrom('roles').select('id').where('name', '=', 'HR').executeTakeFirstOrThrow();
  const given = { user_id: plain.user_id, role_id: hrRole.id, entity_ids: null };
  await db.insertInto('role_assignments').values(given).execute();
  await hr.post(`/api/employees/imports/${id}/commit`);
  const written = await hr.get(`/api/employees/imports/${id}/rows`);
  expect(written.body.data.map((row: { status: string }) => row.status)).toEqual(['failed', 'failed']);
  expect(await stored(wide)).toBe(before);
  expect(await stored(plain)).toContain(plain.email);
});

test('a user with fewer rights than a new person cannot give them a password', async () => {
  const role = await roleOf('Reception', 'all', ['employees.view', 'employees.create', 'employees.reset_password']);
  const client = await as((await inAcme({ roles: ['Employee', role] })).user_id);
  const body = {
    first_name: 'New',
    last_name: 'One',
    entity_id: acme.id,
    department_id: crew.id,
    email: 'n1@example.com',
  };
  expect((await client.post('/api/employees', { ...body, issue_password: true })).status).toBe(403);
  expect((await client.post('/api/employees', body)).status).toBe(201);
  const withPassword = { ...body, email: 'n2@example.com', issue_password: true };
  expect((await hr.post('/api/employees', withPassword)).body.one_time_password).toHaveLength(20);
});
