import { expect, test } from 'vitest';
import { startSso } from '../../testing/single-sign-on.ts';
import { togetherIn } from '../../testing/together.ts';

/** A person moves to a company while the person's provider stops covering it. */

const { admin, make, owner, addProvider } = await startSso();
const together = togetherIn(owner);

test.each(['the move', 'the change'])('ends the session that came from the provider: %s first', async (first) => {
  const [acme, beta] = [await make.entity(), await make.entity()];
  const department = await make.department({ entity_id: beta.id });
  const id = await addProvider({ domains: [], entity_ids: [acme.id, beta.id] });
  const person = await make.employee({ entity_id: acme.id });
  const { rows } = await owner.query<{ id: string }>(
    `insert into session_register (sid_hash, user_id, epoch, global_epoch, expires_at, method, factors, provider_id)
     select md5(random()::text), u.id, u.session_epoch, i.global_epoch, now() + interval '1 hour', 'sso', 1, $2
     from users u, installation i where u.id = $1 returning id`,
    [person.user_id, id],
  );
  const move = () =>
    admin.put(`/api/employees/${person.id}`, {
      entity_id: beta.id,
      department_id: department.id,
      reporting_manager_id: null,
    });
  const change = () => admin.put(`/api/identity-providers/${id}`, { entity_ids: [acme.id] });
  const answers = first === 'the move' ? await together(move, change) : await together(change, move);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const { rows: after } = await owner.query('select reason from session_register where id = $1', [rows[0]?.id]);
  expect(after).toEqual([{ reason: 'beyond the provider' }]);
});
