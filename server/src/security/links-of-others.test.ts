import { expect, test } from 'vitest';
import { startRoleRules } from '../testing/role-rules.ts';

/** HR links a provider's person to an account that someone else can use, and that then gets the person's groups. */

const { op, as, make, owner, come, id, save, role, acme, rolesOf, plain } = await startRoleRules();
await save([{ value: 'hr', role_id: role('HR') }]);

/** An account with a password, a passkey and a session, and a chief at the provider who is linked to it. */
async function linkedBy(linker: { user_id: number }, subject: string) {
  const person = await make.employee({ entity_id: acme.id });
  const browser = await as(person.user_id);
  await owner.query("update users set password_hash = 'x' where id = $1", [person.user_id]);
  await owner.query(
    `insert into authenticators (user_id, kind, name, credential_id, public_key, counter, rp_id, backed_up, confirmed_at)
     values ($1, 'passkey', 'Own', $2, 'x', 0, 'localhost', false, now())`,
    [person.user_id, Buffer.from(subject)],
  );
  await owner.query(
    `insert into user_identities (user_id, provider_id, subject, linked_by, linked_by_id) values ($1, $2, $3, 'hr', $4)`,
    [person.user_id, id, subject, linker.user_id],
  );
  op.people.set(subject, { email: `${subject}@elsewhere.example`, email_verified: true, groups: ['hr'] });
  const ways = async () => {
    const { rows } = await owner.query(
      `select password_hash is not null as password, (select count(*)::int from authenticators where user_id = u.id) as passkeys
       from users u where id = $1`,
      [person.user_id],
    );
    return { ...rows[0], session: (await browser.get('/api/me')).status };
  };
  return { person, ways };
}
const everything = [plain, ['HR', 'provider', 'all']];

test('groups that give more than this HR may do end every other way into the account', async () => {
  const hr = await make.employee({ entity_id: acme.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] });
  const { person, ways } = await linkedBy(hr, 'chief');
  expect(await ways()).toEqual({ password: true, passkeys: 1, session: 200 });
  expect((await come('chief', id)).status).toBe(200);
  expect(await rolesOf({ person } as Parameters<typeof rolesOf>[0])).toEqual(everything);
  expect(await ways()).toEqual({ password: false, passkeys: 0, session: 401 });
  // from now on the person uses the account and can add anything to it
  await owner.query("update users set password_hash = 'x' where id = $1", [person.user_id]);
  expect((await come('chief', id)).status).toBe(200);
  expect(await ways()).toEqual({ password: true, passkeys: 0, session: 401 });
});

test('what HR may give leaves the account as it is', async () => {
  const hr = await make.employee({ entity_id: acme.id, roles: ['HR'] });
  const { person, ways } = await linkedBy(hr, 'colleague');
  expect((await come('colleague', id)).status).toBe(200);
  expect(await rolesOf({ person } as Parameters<typeof rolesOf>[0])).toEqual(everything);
  expect(await ways()).toMatchObject({ password: true, passkeys: 1 });
});
