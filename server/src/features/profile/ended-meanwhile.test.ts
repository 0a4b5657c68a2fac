import { expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { enrol } from '../../testing/factors.ts';
import { startSso } from '../../testing/single-sign-on.ts';
import { togetherIn } from '../../testing/together.ts';

/** A session that ends cannot create another way to sign in meanwhile, which would work when the account is back. */

const { op, as, make, owner, addProvider } = await startSso();
const together = togetherIn(owner);
const acme = await make.entity();
const roles = [{ role: 'HR', entity_ids: [acme.id] }];
const hr = await as((await make.employee({ entity_id: acme.id, roles })).user_id);
const provider = await addProvider({ domains: [] });
let serial = 0;
const current_password = 'Str0ng!Passw0rd';
const password = 'An0ther!Passw0rd';

const ends: Record<string, (id: number) => Promise<{ status: number }>> = {
  'the sign-in is switched off': (id) =>
    hr.put(`/api/employees/${id}/sign-in-block`, { reason: 'Reported a stolen laptop.' }),
  'the person is deactivated': (id) => hr.post(`/api/employees/${id}/deactivate`, { reason: 'Away for a year.' }),
  'the password is reset': (id) => hr.post(`/api/employees/${id}/reset-password`, {}),
};
/** Requests that create a way to sign in, ready to be sent. */
const ways: Record<string, (client: Client) => Promise<() => Promise<{ status: number }>>> = {
  session: async (client) => () =>
    client.put('/api/profile/password', { current_password, password, password_confirmation: password }),
  token: async (client) => () => client.post('/api/profile/tokens', { name: 'Mine', permissions: ['employees.view'] }),
  'calendar address': async (client) => () => client.post('/api/profile/calendar-feeds', { kinds: ['kpi_tasks'] }),
  'recovery code': async (client) => {
    await enrol(client);
    return () => client.post('/api/profile/recovery-codes', {});
  },
  link: async (client) => {
    serial += 1;
    op.person = `sub-${serial}`;
    op.people.set(op.person, { email: `${op.person}@elsewhere.example`, email_verified: true });
    const { body } = await client.post(`/api/profile/identities/${provider}/start`);
    const query = await op.visit(body.data.url);
    return () => client.post(`/api/sso/${provider}/complete`, { query });
  },
};
const waysOf = async (userId: number) =>
  (
    await owner.query(
      `select (select count(*) from session_register where user_id = $1 and revoked_at is null) as sessions,
              (select count(*) from api_tokens where user_id = $1) as tokens,
              (select count(*) from calendar_feeds where user_id = $1) as feeds,
              (select count(*) from user_identities where user_id = $1) as links,
              (select max(id) from recovery_codes where user_id = $1) as codes`,
      [userId],
    )
  ).rows[0] as object;

const cases = Object.entries(ways).flatMap(([way, ready]) =>
  Object.entries(ends).map(([end, ending]) => ({ way, end, ready, ending })),
);

test.each(cases)('no $way is made while $end', async ({ way, ready, ending }) => {
  const person = await make.employee({ entity_id: acme.id, roles, password: current_password });
  const client = await as(person.user_id);
  const making = await ready(client);
  const before = await waysOf(person.user_id);
  const [ended, made] = await together(() => ending(person.id), making);
  expect([ended.status, made.status]).toEqual([200, way === 'link' ? 422 : 401]);
  expect(await waysOf(person.user_id)).toEqual({ ...before, sessions: '0' });
});
