import { describe, expect, test } from 'vitest';
import { startRoleRules } from '../../testing/role-rules.ts';

/**
 * Users who set up sign-in but cannot give HR roles: every change that lets rules give roles to more people, or by
 * other groups, is refused like saving these rules.
 */

const { as, admin, make, owner, addProvider, acme, beta, role, save, urlOf, hrOfAcme } = await startRoleRules();

/** An account with these roles in addition to one for setting up sign-in. */
async function technician(...more: string[]) {
  const { rows } = await owner.query(
    `with r as (insert into roles (name, scope) values ($1, 'all') returning id)
     insert into role_permissions (role_id, permission) select id, 'identity.manage' from r returning role_id`,
    [`Technician ${more.join()}`],
  );
  const person = await make.employee({ roles: ['Employee', ...(more as 'HR'[])] });
  await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [
    person.user_id,
    rows[0].role_id,
  ]);
  return as(person.user_id);
}
const [it, itOfHr] = [await technician(), await technician('HR')];
const refused = {
  message: expect.stringMatching(
    /^The rules of .+ give roles that you can’t give\. .+ to do this, or remove the rules/,
  ),
  explained: true,
};

async function connect(fields: Record<string, unknown> = {}) {
  const { body } = await admin.post('/api/scim-connections', { name: `Directory ${Math.random()}`, ...fields });
  const url = `/api/scim-connections/${body.data.id}`;
  const rules = [{ value: 'hr', role_id: role('HR'), entity_ids: [acme.id] }];
  expect((await admin.put(`${url}/role-rules`, { rules })).status).toBe(200);
  return url;
}
async function provide(fields: Record<string, unknown> = {}) {
  const id = await addProvider({ groups_claim: 'groups', ...fields });
  expect((await save([hrOfAcme], id)).status).toBe(200);
  return { id, url: `/api/identity-providers/${id}` };
}

describe('a provider whose rules give roles', () => {
  test.each<[string, object]>([
    ['reach more companies', { entity_ids: null }],
    ['reach another company', { entity_ids: [acme.id, beta.id] }],
    ['read groups elsewhere', { groups_claim: 'roles' }],
    ['find people otherwise', { match_rule: 'tenant_address', address_claim: 'upn' }],
    ['sign in more domains', { domains: ['more.example'] }],
    ['ask for more', { scopes: ['openid', 'groups'] }],
    ['be another client', { client_id: 'other' }],
    ['name people otherwise', { subject_claim: 'oid' }],
  ])('is not made to %s', async (_what, body) => {
    const { url } = await provide({ entity_ids: [acme.id] });
    const before = (await admin.get(url)).body.data;
    const { status, body: answer } = await it.put(url, body);
    expect([status, answer]).toEqual([403, refused]);
    expect((await admin.get(url)).body.data).toEqual(before);
    expect((await itOfHr.put(url, body)).status).toBe(200);
  });

  test('is named, narrowed, disabled and read, but not enabled again', async () => {
    const { url } = await provide({ domains: ['one.example', 'two.example'] });
    for (const body of [
      { name: 'Renamed' },
      { entity_ids: [acme.id, beta.id] },
      { entity_ids: [acme.id] },
      { domains: ['one.example'] },
      { session_max_hours: 8 },
      { client_secret: 'a new secret of the same client' },
    ])
      expect([body, (await it.put(url, body)).status]).toEqual([body, 200]);
    expect((await it.put(url, { groups_claim: null })).status).toBe(200);
    expect((await it.put(url, { groups_claim: 'groups' })).status).toBe(403);
    expect((await it.post(`${url}/disable`, {})).status).toBe(200);
    const { status, body } = await it.post(`${url}/enable`, {});
    expect([status, body]).toEqual([403, refused]);
    expect((await itOfHr.post(`${url}/enable`, {})).status).toBe(200);
  });

  test('is one like any other once the rules are gone, which everybody here may remove', async () => {
    const { id, url } = await provide({ entity_ids: [acme.id] });
    expect((await it.put(urlOf(id), { rules: [] })).status).toBe(200);
    expect((await it.put(url, { entity_ids: null })).status).toBe(200);
  });
});

describe('a connection whose rules give roles', () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['more companies', { entity_ids: [acme.id] }, { entity_ids: null }],
    ['another company', { entity_ids: [acme.id] }, { entity_ids: [acme.id, beta.id] }],
    ['what was tried so far', { is_dry_run: true }, { is_dry_run: false }],
  ])('is not made to reach %s', async (_what, before, after) => {
    const url = await connect(before);
    const { status, body } = await it.put(url, after);
    expect([status, body]).toEqual([403, refused]);
    expect((await admin.get(url)).body.data).toMatchObject(before);
    expect((await itOfHr.put(url, after)).status).toBe(200);
  });

  test('finds no people by the subjects of another provider', async () => {
    const url = await connect();
    expect((await it.put(url, { provider_id: await addProvider() })).status).toBe(403);
  });

  test('gets no token, which says who is in which group, and is not enabled again', async () => {
    const url = await connect();
    const made = await it.post(`${url}/token`, {});
    expect([made.status, made.body]).toEqual([403, refused]);
    expect((await it.post(`${url}/disable`, {})).status).toBe(200);
    expect((await it.post(`${url}/enable`, {})).status).toBe(403);
    expect((await itOfHr.post(`${url}/enable`, {})).status).toBe(200);
    expect((await itOfHr.post(`${url}/token`, {})).status).toBe(201);
  });

  test('is named, narrowed and told to wait', async () => {
    const url = await connect();
    for (const body of [{ name: 'Renamed' }, { entity_ids: [acme.id] }, { is_dry_run: true }, { unmatched: 'refuse' }])
      expect([body, (await it.put(url, body)).status]).toEqual([body, 200]);
    expect((await it.delete(`${url}/token`)).status).toBe(204);
  });
});
