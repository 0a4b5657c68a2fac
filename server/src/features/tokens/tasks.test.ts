import { expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startApp } from '../../testing/app.ts';
import { enrol } from '../../testing/factors.ts';

/** Accounts and tokens that need attention. */

const { as, make, owner } = await startApp();
const acme = await make.entity();
const chief = await make.employee({ entity_id: acme.id, roles: ['Admin'] });
const other = await make.employee({ entity_id: acme.id, roles: ['Admin'] });
const lena = await make.employee({ entity_id: acme.id, roles: ['HR', 'Manager'] });
const [admin, second, hr] = await Promise.all([chief, other, lena].map(({ user_id }) => as(user_id)));

const tasks = async (client: Client | undefined, kind: string) => {
  const { status, body } = await (client as Client).get(`/api/actionable-items?kind=${kind}`);
  expect(status).toBe(200);
  return (body.data as { title: string; url: string; employee: unknown }[]).map(({ title, url }) => [title, url]);
};

test('a service account whose owners can not sign in any more is a task of those who manage service accounts', async () => {
  const kind = 'service_account_without_owner';
  const leaving = await make.employee({ entity_id: acme.id, roles: ['Admin'] });
  const sent = { name: 'Payroll', owner_ids: [leaving.user_id, other.user_id] };
  expect((await (admin as Client).post('/api/service-accounts', sent)).status).toBe(201);
  await owner.query("update employees set activity_status = 'inactive' where id = $1", [leaving.id]);
  expect(await tasks(admin, kind)).toEqual([]);
  await owner.query('update service_accounts set owner_ids = array[$1::bigint]', [leaving.user_id]);
  const expected = [['Assign an owner to Payroll', '/settings/access-tokens']];
  expect([await tasks(admin, kind), await tasks(second, kind), await tasks(hr, kind)]).toEqual([
    expected,
    expected,
    [],
  ]);
  const found = await (admin as Client).get(`/api/actionable-items?kind=${kind}&search=payroll`);
  expect([
    found.body.meta.total,
    (await (admin as Client).get('/api/actionable-items/counts')).body.data.by_kind,
  ]).toEqual([1, { [kind]: 1 }]);
  await owner.query('update service_accounts set owner_ids = array[$1::bigint]', [chief.user_id]);
  expect(await tasks(admin, kind)).toEqual([]);
});

test('a token that was not used for 90 days is a task of its person, or of the owners of its service account', async () => {
  const kind = 'token_unused';
  const { rows } = await owner.query('select user_id from service_accounts');
  const { user_id: account } = rows[0] as { user_id: string };
  await owner.query(
    `insert into api_tokens (user_id, kind, name, hash, hint, permissions, epoch, global_epoch, expires_at, last_used_at, created_at)
     select v.user_id, v.kind, v.name, repeat(v.letter, 64), 'abcd', '{employees.view}', u.token_epoch, i.global_epoch,
            now() + interval '1 year', v.used, now() - interval '91 days'
     from (values ($1::bigint, 'personal', 'Mine', 'a', null::timestamptz), ($1, 'personal', 'Used', 'b', now()),
                  ($2::bigint, 'service', 'Nightly', 'c', now() - interval '90 days'),
                  ($2, 'service', 'Ended', 'd', null)) as v (user_id, kind, name, letter, used)
     join users u on u.id = v.user_id cross join installation i`,
    [lena.user_id, account],
  );
  await owner.query("update api_tokens set revoked_at = now() where name = 'Ended'");
  const [own, service] = ['Mine', 'Nightly'].map((name) => `Revoke the token ${name} if it’s no longer needed`);
  expect(await tasks(hr, kind)).toEqual([[own, '/profile?part=security']]);
  expect(await tasks(admin, kind)).toEqual([[service, '/settings/access-tokens']]);
  expect(await tasks(second, kind)).toEqual([]);
});

test('a token that ends within 14 days is a task of its person, or of the owners of its service account', async () => {
  const kind = 'token_ending';
  const { rows } = await owner.query('select user_id from service_accounts');
  await owner.query(
    `insert into api_tokens (user_id, kind, name, hash, hint, permissions, epoch, global_epoch, expires_at, created_at)
     select v.user_id, v.kind, v.name, repeat(v.letter, 64), 'abcd', '{employees.view}', u.token_epoch, i.global_epoch,
            now() + v.days * interval '1 day', now() - interval '91 days'
     from (values ($1::bigint, 'personal', 'Report', 'e', 13), ($1, 'personal', 'Later', 'f', 15),
                  ($2::bigint, 'service', 'Payslips', '1', 2), ($1, 'personal', 'Over', '2', -1),
                  ($1, 'personal', 'Gone', '3', 5)) as v (user_id, kind, name, letter, days)
     join users u on u.id = v.user_id cross join installation i`,
    [lena.user_id, (rows[0] as { user_id: string }).user_id],
  );
  await owner.query("update api_tokens set revoked_at = now() where name = 'Gone'");
  const [own, service] = ['Report', 'Payslips'].map((name) => `Replace the token ${name} before it expires`);
  expect(await tasks(hr, kind)).toEqual([[own, '/profile?part=security']]);
  expect(await tasks(admin, kind)).toEqual([[service, '/settings/access-tokens']]);
  expect(await tasks(second, kind)).toEqual([]);
  const counts = await (hr as Client).get('/api/actionable-items/counts');
  // each token is one task, although none of these was ever used
  expect(counts.body.data.by_kind).toMatchObject({ [kind]: 1, token_unused: 2 });
  expect((await tasks(hr, 'token_unused')).map(([title]) => title)).not.toContain(
    'Revoke the token Report if it’s no longer needed',
  );
});

test('fewer than 3 recovery codes are a task of the person alone, until there are new ones', async () => {
  const kind = 'recovery_codes_low';
  const person = await make.employee({ entity_id: acme.id, password: 'Str0ng!Passw0rd' });
  const client = await as(person.user_id);
  await enrol(client);
  const use = (count: number) =>
    owner.query(
      `update recovery_codes set used_at = now() where id in (
         select id from recovery_codes where user_id = $1 and used_at is null order by id limit $2)`,
      [person.user_id, count],
    );
  await use(7);
  expect(await tasks(client, kind)).toEqual([]);
  await use(1);
  expect(await tasks(client, kind)).toEqual([['Create new recovery codes', '/profile?part=security']]);
  const counts = await client.get('/api/actionable-items/counts');
  expect(counts.body.data.by_kind).toEqual({ [kind]: 1 });
  expect([await tasks(admin, kind), await tasks(hr, kind)]).toEqual([[], []]);
  expect((await client.post('/api/profile/recovery-codes')).status).toBe(201);
  expect(await tasks(client, kind)).toEqual([]);
});

test('an emergency account that was not used for 180 days is a task of administrators', async () => {
  const kind = 'emergency_account_unused';
  await owner.query(
    "update users set break_glass = true, created_at = now() - interval '181 days', last_login_at = null where id = $1",
    [other.user_id],
  );
  const title = expect.stringMatching(/^Check the emergency account of ./) as string;
  expect([await tasks(admin, kind), await tasks(hr, kind)]).toEqual([
    [[title, '/settings/sign-in?part=emergency']],
    [],
  ]);
  await owner.query('update users set last_login_at = now() where id = $1', [other.user_id]);
  expect(await tasks(admin, kind)).toEqual([]);
});
