import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import { enrol } from '../../../testing/factors.ts';
import { provisioning } from '../../../testing/provisioning.ts';

const service = await startApp();
const { as, make, deps, owner } = service;
const [acme, beta] = [await make.entity(), await make.entity()];
const hrOf = async (id: number) =>
  as((await make.employee({ entity_id: id, roles: [{ role: 'HR', entity_ids: [id] }] })).user_id);
const pathOf = ({ id }: { id: number }) => `/api/employees/${id}/sign-in`;

test('HR sees how a person gets in, and no secret of it', async () => {
  const hr = await hrOf(acme.id);
  const person = await make.employee({ entity_id: acme.id });
  const nothing = await hr.get(pathOf(person));
  expect([nothing.status, nothing.body.data]).toEqual([
    200,
    {
      identities: [],
      connections: [],
      has_app: false,
      passkeys_count: 0,
      recovery_codes_left: 0,
      password_sign_in: true,
      links: [],
      tokens_count: 0,
    },
  ]);

  const { secret } = await enrol(await as(person.user_id));
  const connection = await provisioning(service)({ entity_ids: [acme.id] });
  await connection.addUser('ada', { emails: [{ value: person.email, type: 'work' }] });
  const { rows } = await sql<{ id: number }>`
    insert into identity_providers (name, is_enabled, issuer, client_id, metadata)
    values ('Acme ID', true, 'https://login.example', 'tenure', '{}') returning id`.execute(deps.db);
  const provider_id = rows[0]?.id as number;
  await deps.db
    .insertInto('user_identities')
    .values({ user_id: person.user_id, provider_id, subject: 'subject-of-ada', linked_by: 'hr' })
    .execute();
  await owner.query(
    `insert into account_links (user_id, purpose, email, expires_at, used_at) values
       ($1, 'invitation', 'x@y.example', now() + '1 day', null), ($1, 'password_reset', 'x@y.example', now(), null)`,
    [person.user_id],
  );
  const token = (hash: string, days: number) =>
    owner.query(
      `insert into api_tokens (user_id, kind, name, hash, hint, permissions, epoch, global_epoch, expires_at)
       select u.id, 'personal', 'One', repeat($2, 64), 'abcd', '{employees.view}', u.token_epoch, i.global_epoch,
              now() + make_interval(days => $3)
       from users u, installation i where u.id = $1`,
      [person.user_id, hash, days],
    );
  await token('a', 5);
  await token('b', -5);
  const { body } = await hr.get(pathOf(person));
  expect(body.data).toEqual({
    identities: [{ provider: { id: provider_id, name: 'Acme ID' }, linked_by: 'hr', last_used_at: null }],
    connections: [{ id: connection.id, name: 'Directory 1' }],
    has_app: true,
    passkeys_count: 0,
    recovery_codes_left: 10,
    password_sign_in: true,
    links: [{ purpose: 'invitation', expires_at: expect.any(String) }],
    tokens_count: 1,
  });
  for (const hidden of [secret, 'subject-of-ada', 'x@y.example', 'abcd'])
    expect(JSON.stringify(body)).not.toContain(hidden);
});

test('it is for those who may give the account a password', async () => {
  const [hr, far] = [await hrOf(acme.id), await hrOf(beta.id)];
  const [person, boss, wider] = [
    await make.employee({ entity_id: acme.id }),
    await make.employee({ entity_id: acme.id, roles: ['Admin'] }),
    await make.employee({ entity_id: acme.id, roles: ['HR'] }),
  ];
  const self = await make.employee({ entity_id: acme.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] });
  const statuses = [
    await hr.get(pathOf(boss)),
    await hr.get(pathOf(wider)),
    await far.get(pathOf(person)),
    await (await as(self.user_id)).get(pathOf(self)),
    await (await as(person.user_id)).get(pathOf(person)),
  ].map(({ status }) => status);
  expect(statuses).toEqual([403, 403, 404, 403, 403]);
});
