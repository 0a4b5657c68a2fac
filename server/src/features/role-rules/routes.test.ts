import { adminOnlyPermissions } from '@tenure/contract';
import { describe, expect, test } from 'vitest';
import { databaseNow } from '../../jobs/task.ts';
import { applyAllRoleRules } from '../../sso/apply-role-rules.ts';
import { startRoleRules } from '../../testing/role-rules.ts';
import type { Known, Rule } from '../../testing/role-rules.ts';

const {
  op,
  as,
  admin,
  make,
  owner,
  deps,
  addProvider,
  come,
  logged,
  acme,
  beta,
  buying,
  id,
  role,
  urlOf,
  readRules,
  preview,
  save,
  runJob,
  known,
  regroup,
  rolesOf,
  plain,
  changesOf,
  hrOfAcme,
} = await startRoleRules();

describe('rules', () => {
  test('are saved as a whole, and shown with names and with the groups that were seen', async () => {
    const someone = await known(['hr', 'all']);
    await come(someone.subject, id);
    const { revision } = await readRules();
    const rules: Rule[] = [
      hrOfAcme,
      { value: 'leads', role_id: role('TeamLead'), entity_ids: null },
      { value: 'buyers', role_id: role('HR'), entity_ids: [], department_ids: [buying.id] },
    ];
    const { status, body } = await admin.put(urlOf(id), { rules, revision, confirm: 'Keycloak' });
    expect([status, body.message]).toEqual([200, 'Rules saved. They are being applied to everyone who is linked.']);
    expect(body.data).toMatchObject({
      groups_claim: 'groups',
      rules: [
        { value: 'buyers', role: { name: 'HR' }, entities: [], departments: [{ id: buying.id }] },
        { value: 'hr', role: { name: 'HR' }, entities: [{ id: acme.id, name: 'Acme' }] },
        { value: 'leads', role: { name: 'TeamLead' }, entities: null },
      ],
      seen: [
        { value: 'all', people: 1 },
        { value: 'hr', people: 1 },
      ],
      known: 1,
      unknown: 0,
      entities: null,
    });
    expect(body.data.revision).toBeGreaterThan(revision);
    const late = await admin.put(urlOf(id), { rules: [], revision });
    expect([late.status, late.body.revision]).toEqual([422, body.data.revision]);
    const again = await admin.put(urlOf(id), { rules: rules.toReversed(), revision: body.data.revision });
    expect([again.status, again.body.data.revision]).toEqual([200, body.data.revision]);
    const { rows } = await owner.query(
      "select changes from audit_log where action = 'identity_provider.role_rules_changed' and subject_id = $1",
      [id],
    );
    expect(rows).toMatchObject([{ changes: { rules: { from: [], to: [{ value: 'buyers' }, { value: 'hr' }, {}] } } }]);
  });

  test('give no role that only administrators may give', async () => {
    const { body } = await admin.put(urlOf(id), { rules: [hrOfAcme, { value: 'it', role_id: role('Admin') }] });
    expect(body.errors).toEqual({
      'rules.1.role_id': [
        'Rules can’t give the role Admin: only an administrator can give it, to one person at a time.',
      ],
    });
    expect((await readRules()).roles.map(({ name }: { name: string }) => name)).not.toContain('Admin');
  });

  test('of wrong fields are refused, each at its place', async () => {
    const rules = [
      { value: 'a', role_id: 999_999 },
      { value: 'b', role_id: role('HR'), entity_ids: [999_999] },
      { value: 'c', role_id: role('Employee'), entity_ids: [acme.id] },
      { value: 'd', role_id: role('Manager'), department_ids: [buying.id] },
      { value: 'e', role_id: role('HR') },
      { value: 'e', role_id: role('HR'), entity_ids: [acme.id] },
    ];
    for (const send of [
      await admin.post(`${urlOf(id)}/preview`, { rules }),
      await admin.put(urlOf(id), { rules, confirm: 'Keycloak' }),
    ]) {
      expect(send.status).toBe(422);
      expect(Object.keys(send.body.errors)).toEqual([
        'rules.0.role_id',
        'rules.1.entity_ids',
        'rules.2.entity_ids',
        'rules.3.department_ids',
        'rules.4.role_id',
        'rules.5.role_id',
      ]);
    }
    const empty = await admin.put(urlOf(id), { rules: [{ value: '', role_id: role('HR') }] });
    expect(empty.body.errors).toHaveProperty('rules.0.value');
  });

  test('of a provider of some companies stay within these', async () => {
    const ofAcme = await addProvider({ entity_ids: [acme.id], groups_claim: 'groups' });
    const refused = async (rule: Rule) => (await admin.put(urlOf(ofAcme), { rules: [rule] })).body.errors;
    const message = ' signs in people of some companies only. Limit the role to these companies.';
    for (const limit of [{}, { entity_ids: [acme.id, beta.id] }])
      expect(await refused({ value: 'x', role_id: role('HR'), ...limit })).toEqual({
        'rules.0.entity_ids': [expect.stringContaining(message)],
      });
    const elsewhere = await make.department({ entity_id: beta.id });
    const inBeta = { value: 'x', role_id: role('HR'), entity_ids: [], department_ids: [elsewhere.id] };
    expect(await refused(inBeta)).toHaveProperty('rules.0.entity_ids');
    const rules = [
      { value: 'x', role_id: role('HR'), entity_ids: [acme.id] },
      { value: 'x', role_id: role('Employee') },
    ];
    expect((await admin.put(urlOf(ofAcme), { rules })).status).toBe(200);
    const narrowed = await admin.put(`/api/identity-providers/${ofAcme}`, { entity_ids: [beta.id] });
    expect(narrowed.body.errors).toEqual({
      entity_ids: ['Rules of this provider give roles in other companies. Change the rules first.'],
    });
  });

  test('are for administrators', async () => {
    const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
    expect((await hr.get(urlOf(id))).status).toBe(403);
    expect((await hr.put(urlOf(id), { rules: [] })).status).toBe(403);
    expect((await hr.post(`${urlOf(id)}/preview`, { rules: [] })).status).toBe(403);
    expect((await admin.get(urlOf(999_999))).status).toBe(404);
  });
});

describe('a sign-in', () => {
  test('gives the roles of the groups with their limits, and takes them away again', async () => {
    await save([
      hrOfAcme,
      { value: 'beta', role_id: role('HR'), entity_ids: [beta.id] },
      { value: 'leads', role_id: role('TeamLead') },
    ]);
    const ann = await known(['hr', 'leads', 'unknown']);
    const { browser } = await come(ann.subject, id);
    expect(await rolesOf(ann)).toEqual([plain, ['HR', 'provider', [acme.id]], ['TeamLead', 'provider', 'all']]);
    // immediately, in the session that just began
    expect((await browser.get('/api/me')).body.data.roles).toContain('HR');
    regroup(ann, ['hr', 'beta']);
    await come(ann.subject, id);
    expect(await rolesOf(ann)).toEqual([plain, ['HR', 'provider', [acme.id, beta.id]]]);
    regroup(ann, []);
    await come(ann.subject, id, browser);
    expect(await rolesOf(ann)).toEqual([plain]);
    expect((await browser.get('/api/me')).body.data.roles).toEqual(['Employee']);
    const trail = await changesOf(ann);
    expect(trail.map(({ actor_name, reason }) => [actor_name, reason])).toEqual(
      [1, 2, 3].map(() => ['System', 'Groups of Keycloak']),
    );
    expect(trail[2].changes.roles).toEqual({
      from: [
        { role: 'Employee', entity_ids: null },
        { role: 'HR', entity_ids: [acme.id, beta.id] },
      ],
      to: [{ role: 'Employee', entity_ids: null }],
    });
    const { rows } = await owner.query("select 1 from notifications where event = 'role_changed' and user_id = $1", [
      ann.person.user_id,
    ]);
    expect(rows).toHaveLength(3);
  });

  test('N8: without the claim, or with a part of it, changes nothing and is counted and logged', async () => {
    await save([hrOfAcme]);
    const bob = await known(['hr']);
    await come(bob.subject, id);
    const missing = () =>
      logged.map((line) => JSON.parse(line) as { event: string }).filter(({ event }) => event === 'sso_groups_missing');
    const count = async () => (await admin.get(`/api/identity-providers/${id}`)).body.data.groups_missing_count;
    expect(await count()).toBe(0);
    const without = { groups: undefined };
    for (const bent of [
      without,
      { ...without, _claim_names: { groups: 'src1' }, _claim_sources: {} },
      { groups: [], hasgroups: true },
      { groups: ['hr', 7] },
      { groups: { hr: true } },
      { groups: ['a\u0000b'] },
      { groups: Array.from({ length: 2_001 }, (_, index) => `g${index}`) },
    ]) {
      const before = missing().length;
      op.bend = ({ claims }) => ({ claims: { ...claims, ...bent } });
      // userinfo has none either
      const { groups: kept, ...rest } = op.people.get(bob.subject) as { groups: unknown };
      op.people.set(bob.subject, rest);
      expect((await come(bob.subject, id)).status).toBe(200);
      op.bend = null;
      op.people.set(bob.subject, { ...rest, groups: kept });
      expect(await rolesOf(bob)).toEqual([plain, ['HR', 'provider', [acme.id]]]);
      expect(await count()).toBe(1);
      expect(missing().slice(before)).toMatchObject([{ provider_id: id, user_id: bob.person.user_id }]);
    }
    await come(bob.subject, id);
    expect(await count()).toBe(0);
  });

  test('asks userinfo for groups that the ID token lacks, and reads a single group', async () => {
    await save([hrOfAcme]);
    const eve = await known('hr');
    op.bend = ({ claims }) => ({ claims: { ...claims, groups: undefined } });
    await come(eve.subject, id);
    op.bend = null;
    expect(await rolesOf(eve)).toEqual([plain, ['HR', 'provider', [acme.id]]]);
  });

  test('reads groups inside another claim, and a claim with dots in its name before them', async () => {
    await save([hrOfAcme]);
    const claim = (name: string) => admin.put(`/api/identity-providers/${id}`, { groups_claim: name });
    await claim('realm_access.roles');
    const hr = ['HR', 'provider', [acme.id]];
    const person = await known();
    const said: [claims: object, roles: unknown[]][] = [
      [{ realm_access: { roles: ['hr'] } }, [plain, hr]],
      [{ 'realm_access.roles': [], realm_access: { roles: ['hr'] } }, [plain]],
      [{ 'realm_access.roles': ['hr'] }, [plain, hr]],
      // a response without groups changes nothing
      [{ realm_access: null }, [plain, hr]],
      [{ realm_access: ['hr'] }, [plain, hr]],
      [{ realm_access: { roles: ['other'] } }, [plain]],
    ];
    for (const [claims, roles] of said) {
      op.bend = (token) => ({ claims: { ...token.claims, ...claims } });
      expect((await come(person.subject, id)).status).toBe(200);
      expect([claims, await rolesOf(person)]).toEqual([claims, roles]);
    }
    op.bend = null;
    await claim('groups');
  });

  test('leaves a role alone that was given by hand', async () => {
    await save([hrOfAcme]);
    const max = await known(['hr'], { roles: ['Employee', { role: 'HR', entity_ids: [beta.id] }] });
    await come(max.subject, id);
    regroup(max, []);
    await come(max.subject, id);
    expect(await rolesOf(max)).toEqual([plain, ['HR', 'manual', [beta.id]]]);
    expect(await changesOf(max)).toEqual([]);
  });

  test('of a provider without a claim for groups gives nothing', async () => {
    const other = await addProvider({ name: 'No groups', domains: ['other.example'] });
    await admin.put(urlOf(other), { rules: [{ ...hrOfAcme }] });
    const subject = 'no-groups';
    const person = await make.employee({ email: 'x@other.example' });
    op.people.set(subject, { email: 'x@other.example', email_verified: true, groups: ['hr'] });
    await come(subject, other);
    expect(await rolesOf({ person } as Known)).toEqual([plain]);
  });

  test('never gives a role that came to permit what only administrators may do', async () => {
    const { rows } = await owner.query("insert into roles (name, scope) values ('Odd', 'all') returning id");
    const odd = Number(rows[0].id);
    await save([{ value: 'odd', role_id: odd }]);
    const tim = await known(['odd']);
    await come(tim.subject, id);
    expect(await rolesOf(tim)).toEqual([plain, ['Odd', 'provider', 'all']]);
    // no request can create this, but a release that reserves a permission could
    await owner.query('insert into role_permissions (role_id, permission) values ($1, $2)', [
      odd,
      adminOnlyPermissions[0],
    ]);
    await runJob();
    expect(await rolesOf(tim)).toEqual([plain]);
    await come(tim.subject, id);
    expect(await rolesOf(tim)).toEqual([plain]);
    await owner.query('delete from roles where id = $1', [odd]);
  });

  test('that gives more than who set the address may do does not end the link by it', async () => {
    await save([{ value: 'hr', role_id: role('HR') }]);
    const hr = await make.employee({ entity_id: acme.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] });
    const kim = await known(['hr']);
    await owner.query('update users set address_set_by = $2 where id = $1', [kim.person.user_id, hr.user_id]);
    for (let times = 0; times < 3; times += 1) expect((await come(kim.subject, id)).status).toBe(200);
    expect(await rolesOf(kim)).toEqual([plain, ['HR', 'provider', 'all']]);
    // manual roles count as before
    await owner.query(
      "update role_assignments set source = 'manual', provider_id = null where user_id = $1 and role_id = $2",
      [kim.person.user_id, role('HR')],
    );
    expect((await come(kim.subject, id)).status).toBe(422);
  });

  test('that gives rights over people whom the setter of the address does not manage ends the link', async () => {
    const hr = await make.employee({ entity_id: acme.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] });
    const max = await known(['leads']);
    await owner.query('update users set address_set_by = $2 where id = $1', [max.person.user_id, hr.user_id]);
    expect((await come(max.subject, id)).status).toBe(200);
    await make.employee({ entity_id: beta.id, reporting_manager_id: max.person.id });
    // the group gives the role, but its scope depends on the place of Max, not of the group
    await save([{ value: 'leads', role_id: role('Manager') }]);
    expect((await come(max.subject, id)).status).toBe(422);
    await save([]);
  });

  test('begins no session through a link that ended because rules of another provider give more', async () => {
    const [first, second] = [
      await addProvider({ name: 'First', groups_claim: 'groups' }),
      await addProvider({ name: 'Second', groups_claim: 'groups' }),
    ];
    const hr = await make.employee({ entity_id: acme.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] });
    const una = await known([]);
    await owner.query(
      `insert into user_identities (user_id, provider_id, subject, linked_by, linked_by_id, groups)
       values ($1, $2, 'una', 'person', null, '{hr}'), ($1, $3, $4, 'hr', $5, null)`,
      [una.person.user_id, first, second, una.subject, hr.user_id],
    );
    await save([{ value: 'hr', role_id: role('HR') }], first);
    expect((await come(una.subject, second)).status).toBe(422);
    expect(await rolesOf(una)).toEqual([plain, ['HR', 'provider', 'all']]);
    const { rows } = await owner.query(
      'select provider_id::int from user_identities where user_id = $1 union all select 0 from session_register where user_id = $1',
      [una.person.user_id],
    );
    expect(rows).toEqual([{ provider_id: first }]);
  });

  test('voids a password that was issued by a person who may do less now', async () => {
    await save([{ value: 'hr', role_id: role('HR') }]);
    const hr = await make.employee({ entity_id: acme.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] });
    const lea = await known(['hr'], { password: 'Str0ng!Passw0rd' });
    await owner.query('update users set password_issued_by = $2 where id = $1', [lea.person.user_id, hr.user_id]);
    await come(lea.subject, id);
    const { rows } = await owner.query('select password_hash from users where id = $1', [lea.person.user_id]);
    expect(rows).toEqual([{ password_hash: null }]);
  });

  test('asks for the second factor that a role demands which it gives', async () => {
    await save([hrOfAcme]);
    await owner.query("update roles set second_factor_from = current_date where name = 'HR'");
    const ida = await known(['hr']);
    const { browser } = await come(ida.subject, id);
    expect((await browser.get('/api/employees')).body.message).toBe('Second factor required.');
    await owner.query("update roles set second_factor_from = null where name = 'HR'");
  });
});

describe('saved rules', () => {
  test('are previewed, applied to everyone by a job, and need a typed confirmation where many are affected', async () => {
    await save([]);
    await runJob();
    const [one, two] = [await known(['quick']), await known(['quick', 'slow'])];
    for (const { subject } of [one, two]) await come(subject, id);
    const rules = [{ value: 'quick', role_id: role('TeamLead') }];
    const impact = await preview(rules);
    expect(impact).toEqual({
      gains: [{ role: { id: role('TeamLead'), name: 'TeamLead' }, people: 2 }],
      losses: [],
      people: 2,
      confirm: 'Keycloak',
    });
    for (const confirm of [undefined, 'keycloak']) {
      const { status, body } = await admin.put(urlOf(id), { rules, ...(confirm && { confirm }) });
      expect([status, body.errors]).toEqual([
        422,
        { confirm: ['This changes the roles of many people. Type Keycloak to confirm it.'] },
      ]);
    }
    expect(await rolesOf(one)).toEqual([plain]);
    expect((await save(rules)).status).toBe(200);
    expect(await runJob()).toBe(2);
    expect(await rolesOf(two)).toEqual([plain, ['TeamLead', 'provider', 'all']]);
    // a few of many holders do not need it
    for (let times = 0; times < 9; times += 1) await make.employee({ roles: ['TeamLead'] });
    const fewer = [{ value: 'slow', role_id: role('TeamLead') }];
    expect(await preview(fewer)).toMatchObject({ gains: [], losses: [{ people: 1 }], people: 1, confirm: null });
    expect(await runJob()).toBe(0);
  });
});

test('groups of before a return give nothing until the next sign-in', async () => {
  await save([]);
  const nora = await known(['hr']);
  await come(nora.subject, id);
  await owner.query(
    "update employees set employment_lifecycle = 'resigned', activity_status = 'inactive', last_working_date = current_date - 30 where id = $1",
    [nora.person.id],
  );
  const joining_date = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const returned = await admin.post(`/api/employees/${nora.person.id}/rehire`, { joining_date });
  expect(returned.status).toBe(200);
  await save([hrOfAcme]);
  await runJob();
  expect(await rolesOf(nora)).toEqual([plain]);
});

describe('roles of a provider end', () => {
  const give = async () => {
    await save([hrOfAcme]);
    const person = await known(['hr']);
    await come(person.subject, id);
    expect(await rolesOf(person)).toHaveLength(2);
    return person;
  };

  test('with the link, whatever ends it', async () => {
    const [byOwn, byDatabase] = [await give(), await give()];
    const own = await come(byOwn.subject, id);
    await owner.query("update users set password_hash = 'x' where id = $1", [byOwn.person.user_id]);
    const [identity] = (await own.browser.get('/api/profile/identities')).body.data.identities;
    expect((await own.browser.delete(`/api/profile/identities/${identity.id}`)).status).toBe(204);
    expect(await rolesOf(byOwn)).toEqual([plain]);
    expect((await changesOf(byOwn)).at(-1)).toMatchObject({ reason: 'Roles of Keycloak' });
    const before = (await owner.query('select access_version from users where id = $1', [byDatabase.person.user_id]))
      .rows[0].access_version;
    await owner.query('delete from user_identities where user_id = $1', [byDatabase.person.user_id]);
    expect(await rolesOf(byDatabase)).toEqual([plain]);
    const after = (await owner.query('select access_version from users where id = $1', [byDatabase.person.user_id]))
      .rows[0].access_version;
    expect(Number(after)).toBeGreaterThan(Number(before));
  });

  test('when the provider is disabled; the groups are forgotten until the next sign-in', async () => {
    const person = await give();
    await admin.post(`/api/identity-providers/${id}/disable`, {});
    expect(await rolesOf(person)).toEqual([plain]);
    await admin.post(`/api/identity-providers/${id}/enable`, {});
    await runJob();
    expect(await rolesOf(person)).toEqual([plain]);
    await come(person.subject, id);
    expect(await rolesOf(person)).toHaveLength(2);
  });

  test('when the groups are read from another claim', async () => {
    const person = await give();
    await admin.put(`/api/identity-providers/${id}`, { groups_claim: 'roles' });
    expect(await rolesOf(person)).toEqual([plain]);
    await admin.put(`/api/identity-providers/${id}`, { groups_claim: 'groups' });
  });

  test('with the provider', async () => {
    const third = await addProvider({ name: 'Third', domains: ['third.example'], groups_claim: 'groups' });
    await admin.put(urlOf(third), { rules: [hrOfAcme] });
    const person = await make.employee({ email: 'y@third.example', entity_id: acme.id });
    op.people.set('third', { email: 'y@third.example', email_verified: true, groups: ['hr'] });
    await come('third', third);
    expect(await rolesOf({ person } as Known)).toHaveLength(2);
    expect((await admin.delete(`/api/identity-providers/${third}`)).status).toBe(204);
    expect(await rolesOf({ person } as Known)).toEqual([plain]);
    expect(await changesOf({ person } as Known)).toMatchObject([{}, { reason: 'Roles of Third' }]);
  });

  test('for a person who moves out of its companies, within a day', async () => {
    const fourth = await addProvider({ domains: ['fourth.example'], entity_ids: [acme.id], groups_claim: 'groups' });
    await admin.put(urlOf(fourth), { rules: [hrOfAcme] });
    const person = await make.employee({ email: 'z@fourth.example', entity_id: acme.id });
    op.people.set('fourth', { email: 'z@fourth.example', email_verified: true, groups: ['hr'] });
    await come('fourth', fourth);
    const inBeta = await make.department({ entity_id: beta.id });
    const moved = [person.id, beta.id, inBeta.id];
    await owner.query('update employees set entity_id = $2, department_id = $3 where id = $1', moved);
    await applyAllRoleRules({ deps, now: await databaseNow(deps.db) });
    expect(await rolesOf({ person } as Known)).toEqual([plain]);
  });
});
