import { describe, expect, test } from 'vitest';
import { databaseNow } from '../jobs/task.ts';
import { applyAllRoleRules } from '../sso/apply-role-rules.ts';
import { startApp } from '../testing/app.ts';
import type { MadeEmployee } from '../testing/make.ts';
import { provisioning } from '../testing/provisioning.ts';

/**
 * A user who decides which account a provider's user gets also decides who gets the roles of that user's groups: by
 * address, by employee number, or by a link.
 */

const service = await startApp();
const { as, make, owner, deps } = service;
const connect = provisioning(service);
const acme = await make.entity({ name: 'Acme' });
const admin = await as((await make.admin()).user_id);
const roles = new Map(
  (await owner.query('select id, name from roles')).rows.map(({ id, name }) => [String(name), Number(id)]),
);
const hrOfAcme = await make.employee({ entity_id: acme.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] });
const hr = await as(hrOfAcme.user_id);
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const work = (value: string) => ({ emails: [{ value, type: 'work' }] });
let serial = 0;

const feed = (await admin.post('/api/roles', { name: 'Feed', scope: 'all', permissions: ['events.view'] })).body.data
  .id as number;

/** A connection whose group `everywhere` gives HR of all companies, `here` HR of Acme, and `feed` a right beyond HR. */
async function directory(fields: Parameters<typeof connect>[0] = {}) {
  const entra = await connect(fields);
  await owner.query(
    `insert into scim_role_rules (connection_id, value, role_id, entity_ids)
     values ($1, 'everywhere', $2, null), ($1, 'here', $2, $3), ($1, 'feed', $4, $3)`,
    [entra.id, roles.get('HR'), [acme.id], feed],
  );
  return entra;
}
const accomplice = () => make.employee({ entity_id: acme.id, employee_number: `M-${(serial += 1)}` });
const chief = () => `chief${(serial += 1)}@acme.example`;
const rolesOf = async ({ user_id }: Pick<MadeEmployee, 'user_id'>) =>
  (
    await owner.query(
      `select r.name, a.entity_ids::int[] from role_assignments a join roles r on r.id = a.role_id
       where a.user_id = $1 and a.scim_connection_id is not null`,
      [user_id],
    )
  ).rows.map(({ name, entity_ids }) => [name, entity_ids ?? 'all']);
const accountOf = async (id: string) =>
  (await owner.query('select user_id::int from scim_users where id = $1', [id])).rows[0]?.user_id as number | null;
const everywhere = [['HR', 'all']];
const here = [['HR', [acme.id]]];
const feeds = [['Feed', [acme.id]]];

describe('an address that HR set', () => {
  const moved = async (by: typeof hr) => {
    const [person, address] = [await accomplice(), chief()];
    expect((await by.put(`/api/employees/${person.id}`, { email: address })).status).toBe(200);
    return { person, address };
  };

  test('brings roles that this HR may give, and no others', async () => {
    const { person, address } = await moved(hr);
    const entra = await directory();
    const { body: user } = await entra.addUser(address, work(address));
    expect(await accountOf(user.id)).toBe(person.user_id);
    await entra.addGroup('everywhere', [user.id]);
    await applyAllRoleRules({ deps, now: await databaseNow(deps.db) });
    expect(await rolesOf(person)).toEqual([]);
    const { rows } = await owner.query(
      "select actor_name, changes from audit_log where action = 'scim_user.roles_withheld' and subject_id = $1",
      [person.user_id],
    );
    expect(rows).toEqual([{ actor_name: 'System', changes: { roles: { from: null, to: ['HR'] } } }]);
    const { body: shown } = await admin.get(`/api/scim-connections/${entra.id}`);
    expect(shown.data).toMatchObject({ users_count: 1, withheld_count: 1 });
    const found = async (id: number, reader = admin) => {
      const { body } = await reader.get(`/api/audit-log?action=scim_user.roles_withheld&scim_connection_id=${id}`);
      return [body.data.map(({ subject_id }: { subject_id: number }) => subject_id), body.meta.total];
    };
    expect(await found(entra.id)).toEqual([[person.user_id], 1]);
    expect(await found((await directory()).id)).toEqual([[], 0]);
    expect(await found(entra.id, hr)).toEqual([[], 0]);
    await entra.addGroup('here', [user.id]);
    expect(await rolesOf(person)).toEqual([]);
    const other = await moved(hr);
    const { body: second } = await entra.addUser(other.address, work(other.address));
    await entra.addGroup('here', [second.id]);
    expect(await rolesOf(other.person)).toEqual(here);
  });

  test('brings all of them where an administrator set it, or the person began with it', async () => {
    const entra = await directory();
    for (const { person, address } of [
      await moved(admin),
      await accomplice().then((one) => ({ person: one, address: one.email })),
    ]) {
      const { body: user } = await entra.addUser(address, work(address));
      await entra.addGroup('everywhere', [user.id]);
      expect(await rolesOf(person)).toEqual(everywhere);
    }
  });
});

describe('an employee number', () => {
  const numbered = async (fields: Parameters<typeof directory>[0] = {}) => {
    const [person, entra] = [await accomplice(), await directory(fields)];
    const { rows } = await owner.query('select employee_number from employees where id = $1', [person.id]);
    const address = chief();
    const { body } = await entra.addUser(address, {
      ...work(address),
      [enterprise]: { employeeNumber: rows[0].employee_number },
      externalId: `subject-${address}`,
    });
    expect(await accountOf(body.id)).toBe(person.user_id);
    return { person, entra, id: body.id as string, subject: `subject-${address}` };
  };

  test('finds the account and switches it off, and brings no roles', async () => {
    const { person, entra, id } = await numbered();
    await entra.addGroup('here', [id]);
    await entra.addGroup('everywhere', [id]);
    expect(await rolesOf(person)).toEqual([]);
    await entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
    const { rows } = await owner.query('select is_enabled from users where id = $1', [person.user_id]);
    expect(rows).toEqual([{ is_enabled: false }]);
  });

  test('brings them once the person came from the provider as that user', async () => {
    const { rows } = await owner.query(
      `insert into identity_providers (name, issuer, client_id, metadata)
       values ('Keycloak', 'https://op.test', 'tenure', '{}') returning id::int`,
    );
    const { person, entra, id, subject } = await numbered({ provider_id: rows[0].id });
    const link = (name: string, by: number | null) =>
      owner.query(
        `insert into user_identities (user_id, provider_id, subject, linked_by, linked_by_id) values ($1, $2, $3, $4, $5)`,
        [person.user_id, rows[0].id, name, by === null ? 'person' : 'hr', by],
      );
    const unlink = () => owner.query('delete from user_identities where user_id = $1', [person.user_id]);
    await link('another', null);
    const { body: group } = await entra.addGroup('everywhere', [id]);
    const again = async () => {
      const members = (op: string) => ({ op, path: 'members', value: [{ value: id }] });
      await entra.patch(`/Groups/${group.id}`, members('remove'), { op: 'replace', value: { displayName: 'none' } });
      await entra.patch(`/Groups/${group.id}`, members('add'), { op: 'replace', value: { displayName: 'everywhere' } });
      return rolesOf(person);
    };
    expect(await again()).toEqual([]);
    await unlink();
    await link(subject, hrOfAcme.user_id);
    expect(await again()).toEqual([]);
    await unlink();
    await link(subject, null);
    expect(await again()).toEqual(everywhere);
  });
});

describe('a link by HR', () => {
  const linked = async (by: typeof hr) => {
    const [person, entra, address] = [await accomplice(), await directory({ entity_ids: [acme.id] }), chief()];
    const { body } = await entra.addUser(address, work(address));
    const url = `/api/scim-connections/${entra.id}/waiting/${body.id}/link`;
    expect((await by.post(url, { employee_id: person.id })).status).toBe(200);
    return { person, entra, id: body.id as string };
  };

  test('brings later roles that this HR may give, and no others', async () => {
    const [one, two] = [await linked(hr), await linked(hr)];
    await one.entra.addGroup('feed', [one.id]);
    await two.entra.addGroup('here', [two.id]);
    expect([await rolesOf(one.person), await rolesOf(two.person)]).toEqual([[], here]);
    // an administrator gives the role manually
    const assignments = [{ role_id: feed, entity_ids: [acme.id] }];
    expect((await admin.put(`/api/employees/${one.person.id}/roles`, { assignments })).status).toBe(200);
  });

  test('brings all of them where an administrator made it', async () => {
    const { person, entra, id } = await linked(admin);
    await entra.addGroup('feed', [id]);
    expect(await rolesOf(person)).toEqual(feeds);
  });
});

describe('a link of an earlier release', () => {
  /** As stored by the previous release, which knows none of the columns. */
  const forget = (id: string) =>
    owner.query(
      'update scim_users set linked_by = default, linked_by_id = default, withheld_roles = default where id = $1',
      [id],
    );

  test('to an account with another address names no one, and brings nothing that is not held', async () => {
    const [person, entra, address] = [await accomplice(), await directory({ entity_ids: [acme.id] }), chief()];
    const { body } = await entra.addUser(address, work(address));
    const url = `/api/scim-connections/${entra.id}/waiting/${body.id}/link`;
    expect((await admin.post(url, { employee_id: person.id })).status).toBe(200);
    await entra.addGroup('here', [body.id]);
    await forget(body.id);
    await entra.addGroup('feed', [body.id]);
    await applyAllRoleRules({ deps, now: await databaseNow(deps.db) });
    expect(await rolesOf(person)).toEqual(here);
  });

  test('to the account of its address is checked by who set the address', async () => {
    const entra = await directory();
    const held = [];
    for (const by of [hr, admin, undefined]) {
      const person = await accomplice();
      const address = by ? chief() : person.email;
      if (by) expect((await by.put(`/api/employees/${person.id}`, { email: address })).status).toBe(200);
      const { body } = await entra.addUser(address.toUpperCase(), work(address));
      expect(await accountOf(body.id)).toBe(person.user_id);
      await forget(body.id);
      await entra.addGroup('everywhere', [body.id]);
      held.push(await rolesOf(person));
    }
    expect(held).toEqual([[], everywhere, everywhere]);
  });
});
