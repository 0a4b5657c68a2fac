import { expect, test } from 'vitest';
import { startRoleRules } from '../../testing/role-rules.ts';
import { givenRoles } from '../../testing/given-roles.ts';

/** Rules give roles to future members of a group, so only users who can give these roles can save them. */

const { make, as, owner, acme, id, urlOf, role, readRules, hrOfAcme } = await startRoleRules();
const { roleWith, give } = givenRoles({ owner });

const keeping = await roleWith('Keeper', 'all', ['identity.manage']);
/** A user who manages sign-in, and is HR of these companies, if any. */
async function keeper(entity_ids: number[]) {
  const person = await make.employee({
    entity_id: acme.id,
    roles: entity_ids.length > 0 ? [{ role: 'HR', entity_ids }] : [],
  });
  await give(person.user_id, keeping);
  return as(person.user_id);
}
const everywhere = { ...hrOfAcme, entity_ids: null };
const traces = async () => (await owner.query('select count(*)::int as n from audit_log')).rows;

test.each([
  ['beyond the companies in which they have it', [acme.id], [everywhere]],
  ['that they have nowhere', [], [hrOfAcme]],
  ['of which one is beyond their rights', [acme.id], [hrOfAcme, { ...everywhere, value: 'all' }]],
  ['that only administrators give', [acme.id], [{ value: 'it', role_id: role('Admin') }]],
])('who manages ways to sign in neither saves nor previews a role %s', async (_what, entity_ids, rules) => {
  const client = await keeper(entity_ids);
  const [before, log] = [await readRules(), await traces()];
  const refused = [
    await client.put(urlOf(id), { rules, confirm: 'Keycloak' }),
    await client.post(`${urlOf(id)}/preview`, { rules }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([403, 403]);
  expect([await readRules(), await traces()]).toEqual([before, log]);
});

test('who manages ways to sign in saves rules for roles within the own rights', async () => {
  const client = await keeper([acme.id]);
  expect((await client.post(`${urlOf(id)}/preview`, { rules: [hrOfAcme] })).status).toBe(200);
  const saved = await client.put(urlOf(id), { rules: [hrOfAcme], confirm: 'Keycloak' });
  expect([saved.status, saved.body.data.rules]).toMatchObject([200, [{ value: 'hr', role: { name: 'HR' } }]]);
});
