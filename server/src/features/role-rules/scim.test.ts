import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { databaseNow } from '../../jobs/task.ts';
import { applyAllRoleRules, applyRoleRules } from '../../sso/apply-role-rules.ts';
import { reconcileRuleRoles } from '../../sso/role-rules.ts';
import { startApp } from '../../testing/app.ts';
import type { MadeEmployee } from '../../testing/make.ts';
import { scimClient } from '../../testing/provisioning.ts';
import type { Rule } from '../../testing/role-rules.ts';

const service = await startApp();
const { as, make, owner, deps } = service;
const admin = await as((await make.admin()).user_id);
const [acme, beta] = [await make.entity({ name: 'Acme' }), await make.entity({ name: 'Beta' })];
const roleIds = new Map(
  (await owner.query('select id, name from roles')).rows.map(({ id, name }) => [String(name), Number(id)]),
);
const role = (name: string) => roleIds.get(name) as number;
const hrOfAcme: Rule = { value: 'hr', role_id: role('HR'), entity_ids: [acme.id] };
const path = '/api/scim-connections';
const urlOf = (id: number) => `${path}/${id}/role-rules`;
const plain = ['Employee', 'by hand', 'all'];
let serial = 0;

/** A connection with a token, created through the API. */
async function connect(fields: Record<string, unknown> = {}) {
  serial += 1;
  const { body } = await admin.post(path, { name: `Directory ${serial}`, ...fields });
  const { id, name } = body.data as { id: number; name: string };
  const { body: made } = await admin.post(`${path}/${id}/token`, {});
  return { id, name, ...scimClient(service, made.data.token as string) };
}
type Connected = Awaited<ReturnType<typeof connect>>;

async function save(entra: Pick<Connected, 'id'>, rules: Rule[]) {
  const { confirm } = (await admin.post(`${urlOf(entra.id)}/preview`, { rules })).body.data;
  return admin.put(urlOf(entra.id), { rules, ...(confirm !== null && { confirm }) });
}
const now = () => databaseNow(deps.db);
const runJob = async ({ id }: Pick<Connected, 'id'>) =>
  applyRoleRules({ deps, now: await now() }, { scim_connection_id: id });

/** A person who also exists at the identity provider. */
async function known(entra: Connected, fields: Parameters<typeof make.employee>[0] = {}) {
  const person = await make.employee({ entity_id: acme.id, ...fields });
  const { body } = await entra.addUser(person.email, { emails: [{ value: person.email, type: 'work' }] });
  return { person, id: body.id as string };
}
const rolesOf = async ({ person }: { person: Pick<MadeEmployee, 'user_id'> }) =>
  (
    await owner.query(
      `select r.name, a.scim_connection_id, a.provider_id, a.entity_ids::int[] from role_assignments a
       join roles r on r.id = a.role_id where a.user_id = $1 order by r.name`,
      [person.user_id],
    )
  ).rows.map(({ name, scim_connection_id, provider_id, entity_ids }) => [
    name,
    scim_connection_id ? 'scim' : provider_id ? 'provider' : 'by hand',
    entity_ids ?? 'all',
  ]);
const changesOf = async ({ person }: { person: Pick<MadeEmployee, 'id'> }) =>
  (
    await owner.query(
      "select actor_name, reason from audit_log where action = 'employee.roles_changed' and subject_id = $1 order by id",
      [person.id],
    )
  ).rows.map(({ actor_name, reason }) => [actor_name, reason]);
const hr = ['HR', 'scim', [acme.id]];

describe('rules of a connection', () => {
  test('are saved with a preview and a typed confirmation, and applied by the job', async () => {
    const entra = await connect({ name: 'Entra ID' });
    const ann = await known(entra);
    await entra.addGroup('hr', [ann.id]);
    await entra.addGroup('nobody');
    const url = urlOf(entra.id);
    const { body } = await admin.get(url);
    expect(body.data).toMatchObject({
      groups_claim: null,
      rules: [],
      seen: [
        { value: 'hr', people: 1 },
        { value: 'nobody', people: 0 },
      ],
      known: 1,
      unknown: 0,
      entities: null,
    });
    expect(body.data.roles.map(({ name }: { name: string }) => name)).not.toContain('Admin');
    const preview = await admin.post(`${url}/preview`, { rules: [hrOfAcme] });
    expect(preview.body.data).toMatchObject({
      gains: [{ role: { name: 'HR' }, people: 1 }],
      losses: [],
      people: 1,
      confirm: 'Entra ID',
    });
    const { revision } = body.data;
    expect((await admin.put(url, { rules: [hrOfAcme], revision })).body.errors).toHaveProperty('confirm');
    const saved = await admin.put(url, { rules: [hrOfAcme], revision, confirm: 'Entra ID' });
    expect([saved.status, saved.body.data.rules]).toMatchObject([200, [{ value: 'hr', role: { name: 'HR' } }]]);
    expect((await admin.put(url, { rules: [], revision })).status).toBe(422);
    expect(await rolesOf(ann)).toEqual([plain]);
    const { rows } = await owner.query("select payload from graphile_worker._private_jobs where key like '%scim%'");
    expect(rows).toMatchObject([{ payload: { scim_connection_id: entra.id } }]);
    expect(await runJob(entra)).toBe(1);
    expect(await rolesOf(ann)).toEqual([plain, hr]);
    expect(await runJob(entra)).toBe(0);
    expect(await changesOf(ann)).toEqual([['System', 'Rules of the connection']]);
    const { rows: audited } = await owner.query(
      "select changes from audit_log where action = 'scim_connection.role_rules_changed' and subject_id = $1",
      [entra.id],
    );
    expect(audited).toMatchObject([{ changes: { rules: { from: [], to: [{ value: 'hr', role: 'HR' }] } } }]);
  });

  test('give no Admin, nothing beyond the companies of the connection, and are for administrators', async () => {
    const entra = await connect({ entity_ids: [acme.id] });
    const refused = async (rule: Rule) => (await admin.put(urlOf(entra.id), { rules: [rule] })).body.errors;
    expect(await refused({ value: 'it', role_id: role('Admin') })).toHaveProperty('rules.0.role_id');
    expect(await refused({ value: 'hr', role_id: role('HR') })).toEqual({
      'rules.0.entity_ids': [expect.stringContaining(`${entra.name} reaches people of some companies only.`)],
    });
    expect((await save(entra, [hrOfAcme])).status).toBe(200);
    const narrowed = await admin.put(`${path}/${entra.id}`, { entity_ids: [beta.id] });
    expect(narrowed.body.errors).toHaveProperty('entity_ids');
    const browser = await as((await make.employee({ roles: ['HR'] })).user_id);
    expect((await browser.get(urlOf(entra.id))).status).toBe(403);
    expect((await browser.put(urlOf(entra.id), { rules: [] })).status).toBe(403);
    expect((await browser.post(`${urlOf(entra.id)}/preview`, { rules: [] })).status).toBe(403);
    expect((await admin.get(urlOf(999_999))).status).toBe(404);
  });
});

describe('groups of a connection', () => {
  test('give and take roles with each change of members, names and groups', async () => {
    const entra = await connect();
    await save(entra, [hrOfAcme]);
    const [ann, bob] = [await known(entra), await known(entra)];
    const browser = await as(ann.person.user_id);
    const { body: group } = await entra.addGroup('hr', [ann.id]);
    expect([await rolesOf(ann), await rolesOf(bob)]).toEqual([[plain, hr], [plain]]);
    // a session from before the role ends, as with a manual role
    expect((await browser.get('/api/me')).status).toBe(401);
    const members = (op: string, id: string) => ({ op, path: 'members', value: [{ value: id }] });
    await entra.patch(`/Groups/${group.id}`, members('add', bob.id), members('remove', ann.id));
    expect([await rolesOf(ann), await rolesOf(bob)]).toEqual([[plain], [plain, hr]]);
    await entra.patch(`/Groups/${group.id}`, { op: 'replace', path: 'displayName', value: 'people' });
    expect(await rolesOf(bob)).toEqual([plain]);
    await entra.patch(`/Groups/${group.id}`, { op: 'replace', path: 'displayName', value: 'hr' });
    expect(await rolesOf(bob)).toEqual([plain, hr]);
    await entra.send('DELETE', `/Groups/${group.id}`);
    expect(await rolesOf(bob)).toEqual([plain]);
    expect(await changesOf(bob)).toEqual([1, 2, 3, 4].map(() => ['System', `Groups of ${entra.name}`]));
  });

  test('are read once for each member, however many groups a connection has', async () => {
    const entra = await connect();
    await save(entra, [{ ...hrOfAcme, value: 'hr' }]);
    const members = [];
    for (let n = 0; n < 8; n += 1) members.push(await known(entra));
    // as in a first cycle, for which the database has no statistics yet
    await owner.query(
      `with other as (
         insert into scim_users (connection_id, user_name) select $1, 'other ' || n from generate_series(1, 2000) as n
         returning id),
       made as (
         insert into scim_groups (connection_id, display_name) select $1, 'group ' || n from generate_series(1, 50) as n
         returning id),
       member as (select id from other union all select unnest($2::uuid[]))
       insert into scim_members (group_id, value, scim_user_id)
       select made.id, member.id::text, member.id from made
       cross join lateral (select id from member order by md5(made.id::text || member.id) limit 300) as member`,
      [entra.id, members.map(({ id }) => id)],
    );
    const ids = members.map(({ person }) => person.user_id);
    const counted = await deps.db.transaction().execute(async (trx) => {
      const reads = async () =>
        (
          await sql<{ reads: number }>`
            select sum(idx_scan + seq_scan)::int as reads from pg_stat_xact_user_tables
            where relname = 'scim_members'`.execute(trx)
        ).rows[0]?.reads ?? 0;
      const earlier = await reads();
      await reconcileRuleRoles({ db: trx }, ids, 'Nothing');
      return (await reads()) - earlier;
    });
    expect(counted).toBeGreaterThan(0);
    expect(counted).toBeLessThanOrEqual(ids.length);
  });

  test('raise the revision of people in place: forms are out of date, and the last change is that of the record', async () => {
    const entra = await connect();
    await save(entra, [{ ...hrOfAcme, value: 'in place' }]);
    const ann = await known(entra);
    const url = `/api/employees/${ann.person.id}`;
    type Stored = { revision: number; updated_at: string };
    const stored = async () => (await admin.get(url)).body.data as Stored;
    const before = await stored();
    await entra.addGroup('in place', [ann.id]);
    const after = await stored();
    expect([await rolesOf(ann), after.updated_at]).toEqual([[plain, hr], before.updated_at]);
    expect(after.revision).toBeGreaterThan(before.revision);
    const assignments = [{ role_id: role('Employee') }];
    const stale = await admin.put(`${url}/roles`, { assignments, revision: before.revision });
    expect([stale.status, Object.keys(stale.body.errors as object)]).toEqual([422, ['status']]);
    expect((await admin.put(url, { phone: '+44 20 7946 0001' })).status).toBe(200);
    expect((await stored()).updated_at > after.updated_at).toBe(true);
    const counted = await deps.db.transaction().execute(async (trx) => {
      const updates = async () =>
        (
          await sql<{ updated: number; in_place: number }>`
            select n_tup_upd as updated, n_tup_hot_upd as in_place
            from pg_stat_xact_user_tables where relname = 'employees'`.execute(trx)
        ).rows[0] as { updated: number; in_place: number };
      // the connection may not have reported earlier ones yet
      const earlier = await updates();
      await sql`update role_assignments set entity_ids = null where user_id = ${ann.person.user_id}
                and scim_connection_id is not null`.execute(trx);
      const { updated, in_place } = await updates();
      return { updated: updated - earlier.updated, in_place: in_place - earlier.in_place };
    });
    expect(counted).toEqual({ updated: 1, in_place: 1 });
  });

  test('change nothing in a dry run, of another connection, or out of its companies', async () => {
    const [entra, other] = [await connect({ entity_ids: [acme.id] }), await connect()];
    await save(entra, [hrOfAcme]);
    const ann = await known(entra);
    await other.addGroup('hr', [ann.id]);
    expect(await rolesOf(ann)).toEqual([plain]);
    const { revision } = (await admin.get(`${path}/${entra.id}`)).body.data;
    await admin.put(`${path}/${entra.id}`, { revision, is_dry_run: true });
    expect((await entra.addGroup('hr', [ann.id])).status).toBe(201);
    expect(await rolesOf(ann)).toEqual([plain]);
    await admin.put(`${path}/${entra.id}`, { is_dry_run: false });
    await entra.addGroup('hr', [ann.id]);
    expect(await rolesOf(ann)).toEqual([plain, hr]);
    const inBeta = await make.department({ entity_id: beta.id });
    await owner.query('update employees set entity_id = $2, department_id = $3 where id = $1', [
      ann.person.id,
      beta.id,
      inBeta.id,
    ]);
    await applyAllRoleRules({ deps, now: await now() });
    expect(await rolesOf(ann)).toEqual([plain]);
  });

  test('leave manual roles alone, and are themselves not removed manually', async () => {
    const entra = await connect();
    await save(entra, [hrOfAcme]);
    const [max, zoe] = [
      await known(entra, { roles: ['Employee', { role: 'HR', entity_ids: [beta.id] }] }),
      await known(entra),
    ];
    const { body: group } = await entra.addGroup('hr', [max.id, zoe.id]);
    expect(await rolesOf(max)).toEqual([plain, ['HR', 'by hand', [beta.id]]]);
    const url = `/api/employees/${zoe.person.id}/roles`;
    const { assignments } = (await admin.get(url)).body.data;
    const provider = { kind: 'scim_connection', id: entra.id, name: entra.name };
    expect(assignments).toMatchObject([{ provider: null }, { role: 'HR', removable: false, provider }]);
    const put = (sent: unknown[]) => admin.put(url, { assignments: sent });
    expect((await put([{ role_id: role('Employee') }])).body.errors).toHaveProperty('assignments');
    await put([{ role_id: role('Employee') }, { role_id: role('HR'), entity_ids: [acme.id, beta.id] }]);
    await entra.send('DELETE', `/Groups/${group.id}`);
    expect(await rolesOf(zoe)).toEqual([plain, ['HR', 'by hand', [acme.id, beta.id]]]);
    expect(await rolesOf(max)).toEqual([plain, ['HR', 'by hand', [beta.id]]]);
  });
});

describe('roles of a connection end', () => {
  const give = async () => {
    const entra = await connect();
    await save(entra, [hrOfAcme]);
    const ann = await known(entra);
    await entra.addGroup('hr', [ann.id]);
    expect(await rolesOf(ann)).toEqual([plain, hr]);
    return { entra, ann };
  };

  test('with its user, with a record', async () => {
    const { entra, ann } = await give();
    await entra.send('DELETE', `/Users/${ann.id}`);
    expect(await rolesOf(ann)).toEqual([plain]);
    expect(await changesOf(ann)).toEqual([1, 2].map(() => ['System', `Groups of ${entra.name}`]));
  });

  test('while it is disabled, and come back with it', async () => {
    const { entra, ann } = await give();
    await admin.post(`${path}/${entra.id}/disable`, {});
    expect(await rolesOf(ann)).toEqual([plain]);
    await runJob(entra);
    expect(await rolesOf(ann)).toEqual([plain]);
    await admin.post(`${path}/${entra.id}/enable`, {});
    await runJob(entra);
    expect(await rolesOf(ann)).toEqual([plain, hr]);
  });

  test('with the connection, and with the account as one of emergencies', async () => {
    const [first, second] = [await give(), await give()];
    await admin.delete(`${path}/${first.entra.id}`);
    expect(await rolesOf(first.ann)).toEqual([plain]);
    expect((await changesOf(first.ann)).at(-1)).toEqual(['System', `Roles of ${first.entra.name}`]);
    await owner.query('update users set break_glass = true where id = $1', [second.ann.person.user_id]);
    expect(await rolesOf(second.ann)).toEqual([plain]);
  });
});

describe('a user who waits', () => {
  const hrOf = async (...entity_ids: number[]) =>
    as((await make.employee({ roles: [{ role: 'HR', entity_ids }] })).user_id);
  const wait = async (entra: Connected, value: string) => {
    const { body } = await entra.addUser(value, {
      displayName: 'Grace Hopper',
      name: { givenName: 'Grace', familyName: 'Hopper' },
      title: 'Admiral',
      emails: [{ value: `${value}@new.example`, type: 'work' }],
    });
    return body.id as string;
  };
  const form = async (email: string | null, fields: Record<string, unknown> = {}) => {
    const { id } = await make.department({ entity_id: acme.id });
    return {
      first_name: 'Grace',
      last_name: 'Hopper',
      email,
      entity_id: acme.id,
      department_id: id,
      employment_type: 'full_time',
      joining_date: '2026-01-05',
      ...fields,
    };
  };

  test('becomes a person of HR, with the roles of the groups', async () => {
    const entra = await connect({ entity_ids: [acme.id] });
    const user = await wait(entra, 'grace');
    await entra.addGroup('leads', [user]);
    await save(entra, [{ value: 'leads', role_id: role('TeamLead'), entity_ids: [acme.id] }]);
    const near = await hrOf(acme.id);
    const row = `${path}/${entra.id}/waiting/${user}`;
    const { body } = await near.get(`${path}/${entra.id}/waiting`);
    expect(body.data).toMatchObject([{ first_name: 'Grace', last_name: 'Hopper', job_title: 'Admiral' }]);
    expect((await (await hrOf(beta.id)).post(`${row}/create`, await form('grace@new.example'))).status).toBe(404);
    expect((await near.post(`${row}/create`, await form(null))).body.errors).toHaveProperty('email');
    const made = await near.post(`${row}/create`, await form('grace@new.example'));
    expect([made.status, made.body.errors]).toEqual([201, undefined]);
    const { rows } = await owner.query('select id, user_id from employees where id = $1', [made.body.data.employee_id]);
    const person = { id: Number(rows[0].id), user_id: Number(rows[0].user_id) };
    expect(await rolesOf({ person })).toEqual([plain, ['TeamLead', 'scim', [acme.id]]]);
    expect((await entra.get(`/Users/${user}`)).body).toMatchObject({ emails: [{ value: 'grace@new.example' }] });
    expect((await near.get(`${path}/${entra.id}/waiting`)).body.data).toEqual([]);
  });

  test('is linked to no one by HR where the groups give more than HR may', async () => {
    const { body } = await admin.post('/api/roles', { name: 'Feed', scope: 'all', permissions: ['events.view'] });
    const entra = await connect();
    const user = await wait(entra, 'boss');
    await entra.addGroup('feed', [user]);
    await save(entra, [{ value: 'feed', role_id: body.data.id }]);
    const browser = await as((await make.employee({ roles: ['HR'] })).user_id);
    const row = `${path}/${entra.id}/waiting/${user}`;
    const ada = await make.employee({ entity_id: acme.id });
    const refused = [422, [expect.stringContaining('by groups')]];
    const link = await browser.post(`${row}/link`, { employee_id: ada.id });
    expect([link.status, link.body.errors?.employee_id]).toEqual(refused);
    const people = async () => (await owner.query('select count(*)::int as n from employees')).rows[0].n as number;
    const before = await people();
    const made = await browser.post(`${row}/create`, await form('boss@new.example'));
    expect([made.status, made.body.errors?.entity_id]).toEqual(refused);
    expect(await people()).toBe(before);
    expect(await rolesOf({ person: ada })).toEqual([plain]);
    expect((await admin.post(`${row}/link`, { employee_id: ada.id })).status).toBe(200);
    expect(await rolesOf({ person: ada })).toEqual([plain, ['Feed', 'scim', 'all']]);
  });
});

test('an emergency account leaves its connection with a record, and the roles that came from there', async () => {
  const entra = await connect();
  await save(entra, [hrOfAcme]);
  const ann = await known(entra);
  await entra.addGroup('hr', [ann.id]);
  await owner.query("insert into role_assignments (user_id, role_id) select $1, id from roles where name = 'Admin'", [
    ann.person.user_id,
  ]);
  await owner.query("update users set password_hash = 'x' where id = $1", [ann.person.user_id]);
  await owner.query("insert into authenticators (user_id, kind, name, confirmed_at) values ($1, 'totp', 'x', now())", [
    ann.person.user_id,
  ]);
  expect(await rolesOf(ann)).toContainEqual(['HR', 'scim', [acme.id]]);
  const last = (await owner.query('select coalesce(max(id), 0)::int as id from audit_log')).rows[0].id as number;
  expect((await admin.put('/api/break-glass-accounts', { user_ids: [ann.person.user_id] })).status).toBe(200);
  expect((await rolesOf(ann)).map(([name]) => name)).toEqual(['Admin', 'Employee']);
  const { rows } = await owner.query(
    "select action, subject_id::int, changes from audit_log where id > $1 and subject_type in ('employee', 'scim_user') order by id",
    [last],
  );
  expect(rows).toEqual([
    {
      action: 'employee.roles_changed',
      subject_id: ann.person.id,
      changes: {
        roles: {
          from: expect.arrayContaining([{ role: 'HR', entity_ids: [acme.id] }]),
          to: expect.not.arrayContaining([{ role: 'HR', entity_ids: [acme.id] }]),
        },
      },
    },
    { action: 'scim_user.deleted', subject_id: ann.person.user_id, changes: {} },
  ]);
});
