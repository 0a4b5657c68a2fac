import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { togetherIn } from '../../testing/together.ts';

/** A role is renamed while a person who has it gets or loses another one. */

const { as, make, owner } = await startApp();
const together = togetherIn(owner);
const admin = await as((await make.admin()).user_id);

async function holder() {
  const made = await admin.post('/api/roles', {
    name: `Clerk ${Math.random()}`,
    scope: 'own',
    permissions: ['employees.view'],
  });
  expect(made.status).toBe(201);
  const { id } = made.body.data as { id: number };
  const person = await make.employee();
  const { rows } = await owner.query<{ id: number }>("select id::int from roles where is_system and name = 'Admin'");
  const both = [id, rows[0]?.id as number];
  return {
    role: id,
    both,
    give: (ids: number[]) => () =>
      admin.put(`/api/employees/${person.id}/roles`, { assignments: ids.map((role_id) => ({ role_id })) }),
    rename: () => admin.put(`/api/roles/${id}`, { name: `Renamed ${id}` }),
    kept: async () =>
      (await owner.query('select roles, is_admin from users where id = $1', [person.user_id])).rows[0] as {
        roles: { name: string }[];
        is_admin: boolean;
      },
  };
}

test.each(['gets', 'loses'])('a person who %s Admin meanwhile counts as what they are', async (what) => {
  const { role, both, give, rename, kept } = await holder();
  const [before, after] = what === 'gets' ? [[role], both] : [both, [role]];
  expect((await give(before)()).status).toBe(200);
  const answers = await together(give(after), rename);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const { roles, is_admin } = await kept();
  expect([roles.map(({ name }) => name), is_admin]).toEqual([
    [...(what === 'gets' ? ['Admin'] : []), `Renamed ${role}`],
    what === 'gets',
  ]);
});
