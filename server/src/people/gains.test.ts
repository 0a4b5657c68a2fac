import type { Permission } from '@tenure/contract';
import { seededGrants } from '@tenure/contract';
import { beforeAll, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import type { Answer, Client } from '../testing/client.ts';
import type { MadeEmployee } from '../testing/make.ts';

/**
 * A user who decides who manages a person gives away the manager's rights. In each attack the user may write the field
 * but lacks the manager's rights.
 */

const { as, make, deps, owner } = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
const [acme, beta] = [await make.entity({ name: 'Acme' }), await make.entity({ name: 'Beta' })];

/** A custom role. */
let serial = 0;
async function role(scope: 'own' | 'managed' | 'all', permissions: readonly Permission[]) {
  serial += 1;
  const { id, name } = await deps.db
    .insertInto('roles')
    .values({ name: `Desk ${serial}`, scope })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow();
  await deps.db
    .insertInto('role_permissions')
    .values([...new Set(permissions)].map((permission) => ({ role_id: id, permission })))
    .execute();
  return name;
}

/** All rights to arrange people and departments, but none of a manager. */
const arranging: Permission[] = [
  'departments.view',
  'departments.create',
  'departments.update',
  'departments.assign_managers',
  'departments.assign_team_leads',
  'employees.view',
  'employees.view_all',
  'employees.view_sensitive',
  'employees.create',
  'employees.update',
  'employees.deactivate',
  'employees.import',
];
const because = { reason: 'As was agreed with everybody' };

type Scene = {
  /** A user who arranges all people and manages the department `mine`. */
  clerk: MadeEmployee;
  client: Client;
  mine: { id: number };
  /** Another department with a person, below a department without a head. */
  top: { id: number };
  theirs: { id: number };
  victim: MadeEmployee;
  /** A manager elsewhere. */
  friend: MadeEmployee;
  /** The manager of the victim. */
  boss: MadeEmployee;
  /** Leads the department above, without a role for it. */
  lead: MadeEmployee;
  /** A former member of the foreign department. */
  gone: MadeEmployee;
};

let arranger: string;
beforeAll(async () => {
  arranger = await role('all', arranging);
});

async function scene(roles: Parameters<typeof make.employee>[0] = {}): Promise<Scene> {
  const top = await make.department({ entity_id: acme.id });
  const theirs = await make.department({ entity_id: acme.id, parent_id: top.id });
  const mine = await make.department({ entity_id: acme.id });
  const clerk = await make.employee({
    department_id: mine.id,
    roles: ['Manager', { role: arranger, entity_ids: [acme.id, beta.id] }],
    ...roles,
  });
  await deps.db.updateTable('departments').set({ manager_id: clerk.id }).where('id', '=', mine.id).execute();
  const friend = await make.employee({ department_id: mine.id, roles: ['Manager'] });
  const boss = await make.employee({ department_id: top.id, roles: ['Manager'] });
  const victim = await make.employee({ department_id: theirs.id, reporting_manager_id: boss.id });
  const lead = await make.employee({ department_id: top.id });
  await deps.db.updateTable('departments').set({ team_lead_id: lead.id }).where('id', '=', top.id).execute();
  const gone = await make.employee({
    department_id: theirs.id,
    employment_lifecycle: 'resigned',
    activity_status: 'inactive',
    last_working_date: '2025-01-31',
  });
  return { lead, gone, clerk, client: await as(clerk.user_id), mine, top, theirs, victim, friend, boss };
}

const everything = async () => {
  const { rows } = await owner.query(
    `select (select json_agg(d order by d.id) from departments d) as departments,
            (select json_agg(e order by e.id) from employees e) as people,
            (select count(*) from job_history) as history,
            (select count(*) from audit_log where subject_type <> 'import') as trail`,
  );
  return rows[0] as unknown;
};

const later = '2099-01-01';
const bulk = async (client: Client, body: object) => {
  const { status, body: answer } = await client.post('/api/employees/bulk', body);
  const rows = answer.data?.rows as { outcome: string; errors: Record<string, string[]> }[] | undefined;
  return status === 200 && rows?.every(({ errors }) => errors['id']?.[0] === 'You don’t have permission to do this.')
    ? { status: rows.every(({ outcome }) => outcome === 'refused') ? 403 : 200 }
    : { status };
};

async function importRow(client: Client, cells: Record<string, string>, on_conflict: string) {
  serial += 1;
  const content = `${Object.keys(cells).join()}\n${Object.values(cells).join()}`;
  const file = { name: `g${serial}.csv`, content };
  const { body } = await client.upload('/api/employees/import', file, { dry_run: '1', on_conflict });
  const rows = await client.get(`/api/employees/imports/${body.data.id}/rows`);
  const [row] = rows.body.data as { status: string; errors: Record<string, string[]> }[];
  return {
    status: row?.errors['employee_number']?.[0] === 'You don’t have permission to import this row.' ? 403 : 200,
  };
}

type Attack = (scene: Scene) => Promise<Pick<Answer, 'status'>>;

const attacks: [string, Attack][] = [
  [
    'a form',
    ({ client, victim, clerk }) => client.put(`/api/employees/${victim.id}`, { reporting_manager_id: clerk.id }),
  ],
  [
    'a form that names a friend',
    ({ client, victim, friend }) => client.put(`/api/employees/${victim.id}`, { reporting_manager_id: friend.id }),
  ],
  [
    'another department',
    ({ client, victim, mine }) => client.put(`/api/employees/${victim.id}`, { department_id: mine.id }),
  ],
  [
    'many at once',
    ({ client, victim, clerk }) =>
      bulk(client, { kind: 'manager', ids: [victim.id], reporting_manager_id: clerk.id, ...because }),
  ],
  [
    'a move of many at once',
    ({ client, victim, mine }) => bulk(client, { kind: 'move', ids: [victim.id], department_id: mine.id, ...because }),
  ],
  [
    'many at once from a day on',
    ({ client, victim, clerk }) =>
      bulk(client, {
        kind: 'manager',
        ids: [victim.id],
        reporting_manager_id: clerk.id,
        effective_from: later,
        ...because,
      }),
  ],
  [
    'a change of the job',
    ({ client, victim, clerk }) =>
      client.post(`/api/employees/${victim.id}/job-history`, {
        reporting_manager_id: clerk.id,
        effective_from: '2026-01-01',
      }),
  ],
  [
    'a change of the job on a later day',
    ({ client, victim, mine }) =>
      client.post(`/api/employees/${victim.id}/job-history`, { department_id: mine.id, effective_from: later }),
  ],
  [
    'an import',
    ({ client, victim, clerk }) =>
      importRow(
        client,
        { employee_number: victim.employee_number, reporting_manager: clerk.employee_number },
        'update',
      ),
  ],
  [
    'a new person under a friend, in an import',
    ({ client, theirs, friend }) =>
      importRow(
        client,
        {
          first_name: 'New',
          last_name: 'Person',
          email: `new${friend.id}@example.com`,
          entity: String(acme.id),
          department: String(theirs.id),
          reporting_manager: friend.employee_number,
        },
        'fail',
      ),
  ],
  [
    'a new person under oneself in the department of others',
    ({ client, theirs, clerk }) =>
      client.post('/api/employees', {
        first_name: 'New',
        last_name: 'Person',
        email: `own${clerk.id}@example.com`,
        entity_id: acme.id,
        department_id: theirs.id,
        reporting_manager_id: clerk.id,
      }),
  ],
  [
    'somebody hired again',
    ({ client, gone, clerk }) =>
      client.post(`/api/employees/${gone.id}/rehire`, { joining_date: '2026-01-01', reporting_manager_id: clerk.id }),
  ],
  [
    'a hand-over of people',
    ({ client, boss, clerk }) =>
      client.post(`/api/employees/${boss.id}/deactivate`, { ...because, reassign_to: clerk.id }),
  ],
  [
    'a hand-over of departments',
    ({ client, lead, friend }) =>
      client.post(`/api/employees/${lead.id}/separate`, {
        ...because,
        type: 'resigned',
        last_working_date: later,
        reassign_to: friend.id,
      }),
  ],
  [
    'the manager of a department',
    ({ client, theirs, clerk }) => client.put(`/api/departments/${theirs.id}/manager`, { employee_id: clerk.id }),
  ],
  [
    'the manager of a department above',
    ({ client, top, friend }) => client.put(`/api/departments/${top.id}/manager`, { employee_id: friend.id }),
  ],
  [
    'the team lead of a department',
    ({ client, theirs, clerk }) => client.put(`/api/departments/${theirs.id}/team-lead`, { employee_id: clerk.id }),
  ],
  [
    'the form of a department',
    ({ client, theirs, friend }) => client.put(`/api/departments/${theirs.id}`, { manager_id: friend.id }),
  ],
  [
    'a department put below the own one',
    ({ client, top, mine }) => client.put(`/api/departments/${top.id}`, { parent_id: mine.id }),
  ],
  [
    'a new department with oneself at its head',
    ({ client, top, clerk }) =>
      client.post('/api/departments', {
        name: `New ${clerk.id}`,
        entity_id: acme.id,
        parent_id: top.id,
        manager_id: clerk.id,
      }),
  ],
];

test.each(attacks)('no user comes to manage people by %s', async (_name, attack) => {
  const there = await scene();
  const before = await everything();
  expect((await attack(there)).status).toBe(403);
  expect(await everything()).toEqual(before);
});

/** The same requests by users with the manager's rights. */
const covering: [string, () => Promise<Parameters<typeof make.employee>[0]>][] = [
  ['HR of everything', async () => ({ roles: ['Manager', 'HR'] })],
  ['HR of the company', async () => ({ roles: ['Manager', { role: 'HR', entity_ids: [acme.id] }] })],
  [
    'a desk that holds what managers hold',
    async () => ({
      roles: [
        'Manager',
        { role: await role('all', [...arranging, ...seededGrants('Manager')]), entity_ids: [acme.id] },
      ],
    }),
  ],
];

test.each(covering)('%s appoints any person there', async (_name, roles) => {
  const fields = await roles();
  for (const [name, attack] of attacks) {
    const { status } = await attack(await scene(fields));
    expect([name, status < 300]).toEqual([name, true]);
  }
});

test("a manager of a department moves people within it and shares the manager's rights, not more", async () => {
  const desk = await role('managed', arranging);
  const { clerk, client, mine, friend, theirs } = await scene({
    roles: ['Manager', { role: desk, entity_ids: [acme.id] }],
  });
  const below = await make.department({ entity_id: acme.id, parent_id: mine.id });
  const one = await make.employee({ department_id: mine.id });
  const put = (id: number, body: object) => client.put(`/api/employees/${id}`, body);
  expect((await put(one.id, { reporting_manager_id: clerk.id, department_id: below.id })).status).toBe(200);
  expect((await put(one.id, { reporting_manager_id: friend.id })).status).toBe(200);
  expect((await client.put(`/api/departments/${below.id}/manager`, { employee_id: friend.id })).status).toBe(200);
  const lead = await make.employee({
    department_id: mine.id,
    roles: [{ role: await role('managed', ['audit.view']), entity_ids: [acme.id] }],
  });
  expect((await put(one.id, { reporting_manager_id: lead.id })).status).toBe(403);
  expect((await client.put(`/api/departments/${below.id}/team-lead`, { employee_id: lead.id })).status).toBe(403);
  expect((await client.put(`/api/departments/${theirs.id}/manager`, { employee_id: clerk.id })).status).toBe(404);
  expect((await put(one.id, { job_title: 'Buyer', reporting_manager_id: null })).status).toBe(200);
});

test('no user comes to manage their own superior by moving that person', async () => {
  const { mine } = await scene();
  const head = await make.employee({ department_id: mine.id });
  const heir = await make.employee({ department_id: mine.id });
  const desk = { role: await role('managed', [...arranging, ...seededGrants('Manager')]), entity_ids: [acme.id] };
  const lead = await make.employee({ department_id: mine.id, roles: [desk] });
  const set = { manager_id: head.id, team_lead_id: lead.id };
  await deps.db.updateTable('departments').set(set).where('id', '=', mine.id).execute();
  const [client, hr] = [await as(lead.user_id), await as((await make.employee({ roles: ['HR'] })).user_id)];
  const path = `/api/departments/${mine.id}/manager`;
  expect((await client.put(path, { employee_id: heir.id })).status).toBe(403);
  expect((await client.delete(path)).status).toBe(403);
  // the same with a manager in between
  const between = await make.employee({ department_id: mine.id, reporting_manager_id: head.id });
  await deps.db.updateTable('departments').set({ manager_id: null }).where('id', '=', mine.id).execute();
  await deps.db.updateTable('employees').set({ reporting_manager_id: between.id }).where('id', '=', lead.id).execute();
  const friend = await make.employee({ department_id: mine.id, roles: [desk] });
  await deps.db.updateTable('departments').set({ manager_id: friend.id }).where('id', '=', mine.id).execute();
  const body = { reporting_manager_id: null };
  const friends = await as(friend.user_id);
  expect((await friends.put(`/api/employees/${lead.id}`, body)).status).toBe(200);
  expect((await hr.delete(path)).status).toBe(204);
});

test('a manager of one company gains none of its people by a department that moves there', async () => {
  const desk = { role: arranger, entity_ids: [acme.id, beta.id] };
  const lead = await make.employee({ entity_id: beta.id, roles: [{ role: 'Manager', entity_ids: [beta.id] }, desk] });
  const moving = await make.department({ entity_id: acme.id });
  const { id } = await make.employee({ department_id: moving.id, reporting_manager_id: lead.id });
  const client = await as(lead.user_id);
  const body = { entity_id: beta.id, move_employees: true };
  expect((await client.put(`/api/departments/${moving.id}`, body)).status).toBe(403);
  const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
  expect((await hr.put(`/api/departments/${moving.id}`, body)).status).toBe(200);
  expect((await hr.get(`/api/employees/${id}`)).body.data.entity_id).toBe(beta.id);
});

test('no user moves people into a company whose cards they see', async () => {
  const mover = await role('all', ['departments.view', 'departments.update', 'employees.update']);
  const reader = await role('managed', ['employees.view', 'employees.view_all']);
  const roles = [
    { role: mover, entity_ids: [acme.id, beta.id] },
    { role: reader, entity_ids: [beta.id] },
  ];
  const client = await as((await make.employee({ entity_id: beta.id, roles })).user_id);
  const moving = await make.department({ entity_id: acme.id });
  const { id } = await make.employee({ department_id: moving.id });
  expect((await client.get(`/api/employees/${id}`)).status).toBe(404);
  const body = { entity_id: beta.id, move_employees: true };
  expect((await client.put(`/api/departments/${moving.id}`, body)).status).toBe(403);
});

test('no user makes a person the manager of their own superior by removing the department below them', async () => {
  const { client, top, theirs, boss, friend } = await scene();
  const set = (id: number, manager_id: number) =>
    deps.db.updateTable('departments').set({ manager_id }).where('id', '=', id).execute();
  await set(top.id, boss.id);
  await set(theirs.id, friend.id);
  await deps.db.updateTable('employees').set({ reporting_manager_id: friend.id }).where('id', '=', boss.id).execute();
  const friends = await as(friend.user_id);
  const look = async () => (await friends.get(`/api/employees/${boss.id}`)).status;
  expect(await look()).toBe(404);
  const body = { entity_id: beta.id, parent_id: null, move_employees: true };
  expect((await client.put(`/api/departments/${theirs.id}`, body)).status).toBe(403);
  const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
  expect((await hr.put(`/api/departments/${theirs.id}`, body)).status).toBe(200);
  expect(await look()).toBe(200);
});

test('no user makes a person the manager of their own superior by removing their department', async () => {
  const { client, top, theirs, boss, friend, victim } = await scene();
  const set = (id: number, manager_id: number) =>
    deps.db.updateTable('departments').set({ manager_id }).where('id', '=', id).execute();
  await set(top.id, boss.id);
  await set(theirs.id, friend.id);
  await deps.db.updateTable('employees').set({ reporting_manager_id: friend.id }).where('id', '=', boss.id).execute();
  const friends = await as(friend.user_id);
  expect((await friends.get(`/api/employees/${boss.id}`)).status).toBe(404);
  const path = `/api/departments/${theirs.id}/manager`;
  expect((await client.put(path, { employee_id: victim.id })).status).toBe(403);
  const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
  expect((await hr.put(path, { employee_id: victim.id })).status).toBe(200);
  expect((await friends.get(`/api/employees/${boss.id}`)).status).toBe(200);
});

test('a change without gains needs the permission to arrange only', async () => {
  const { client, victim, theirs, top, clerk } = await scene();
  const plain = await make.employee({ department_id: top.id });
  expect((await client.put(`/api/employees/${victim.id}`, { reporting_manager_id: plain.id })).status).toBe(200);
  expect((await client.put(`/api/employees/${victim.id}`, { department_id: top.id })).status).toBe(200);
  expect((await client.put(`/api/departments/${theirs.id}/team-lead`, { employee_id: plain.id })).status).toBe(200);
  const fresh = { first_name: 'New', last_name: 'Person', entity_id: acme.id, department_id: clerk.department_id };
  const body = { ...fresh, email: `fresh${clerk.id}@example.com`, reporting_manager_id: clerk.id };
  expect((await client.post('/api/employees', body)).status).toBe(201);
});

test('the refusal precedes any check of state, and reveals nothing of hidden people', async () => {
  const { client, victim, theirs, clerk } = await scene();
  const stale = { reporting_manager_id: clerk.id, revision: 99 };
  expect((await client.put(`/api/employees/${victim.id}`, stale)).status).toBe(403);
  const head = { employee_id: clerk.id, revision: 99 };
  expect((await client.put(`/api/departments/${theirs.id}/manager`, head)).status).toBe(403);
  const blind = await role('all', ['departments.view', 'employees.view', 'employees.update']);
  const desk = await as((await make.employee({ roles: [{ role: blind, entity_ids: [acme.id] }] })).user_id);
  const unseen = await make.employee({ entity_id: beta.id, roles: ['Manager'] });
  const answer = await desk.put(`/api/employees/${victim.id}`, { reporting_manager_id: unseen.id });
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['reporting_manager_id']]);
});
