import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { provisioning } from '../../testing/provisioning.ts';
import { togetherIn } from '../../testing/together.ts';

/** HR links a waiting user while a group with a role gains or loses that user. */

const service = await startApp();
const { as, make, owner } = service;
const acme = await make.entity();
const admin = await as((await make.admin()).user_id);
const entra = await provisioning(service)({ entity_ids: [acme.id] });
const { rows: roles } = await owner.query<{ id: number }>("select id::int from roles where name = 'HR'");
const hr = roles[0]?.id as number;
await owner.query(`insert into scim_role_rules (connection_id, value, role_id, entity_ids) values ($1, 'hr', $2, $3)`, [
  entra.id,
  hr,
  [acme.id],
]);

async function waiting(groupName: string, isMember: boolean) {
  const person = await make.employee({ entity_id: acme.id, roles: ['Employee'] });
  const user = (await entra.addUser(`waits.${person.id}`)).body as { id: string };
  const group = (await entra.addGroup(groupName, isMember ? [user.id] : [])).body as { id: string };
  const members = [{ value: user.id }];
  return {
    link: () => admin.post(`/api/scim-connections/${entra.id}/waiting/${user.id}/link`, { employee_id: person.id }),
    add: () => entra.patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: members }),
    remove: () => entra.patch(`/Groups/${group.id}`, { op: 'remove', path: 'members', value: members }),
    rename: () => entra.patch(`/Groups/${group.id}`, { op: 'replace', path: 'displayName', value: 'other' }),
    end: () => entra.send('DELETE', `/Groups/${group.id}`),
    isHr: async () =>
      (await owner.query('select from role_assignments where user_id = $1 and role_id = $2', [person.user_id, hr])).rows
        .length > 0,
  };
}
const isDone = (answers: readonly { status: number }[]) => answers.every(({ status }) => status < 300);

// the link has read the groups and is about to give the role
const whileGiving = togetherIn(owner, "select from roles where name = 'HR' for update");

test.each(['remove', 'rename', 'end'] as const)(
  'no role stays of a group that is lost while the user is linked: %s',
  async (how) => {
    const user = await waiting('hr', true);
    expect(isDone(await whileGiving(user.link, user[how]))).toBe(true);
    expect(await user.isHr()).toBe(false);
  },
);

test('a group that is gained just before the link gives its role', async () => {
  const user = await waiting('hr', false);
  expect(isDone(await togetherIn(owner)(user.add, user.link))).toBe(true);
  expect(await user.isHr()).toBe(true);
});
