import { beforeAll, expect, test } from 'vitest';
import { readMigration } from '../../../db/migration-files.ts';
import { startApp } from '../../../testing/app.ts';
import type { Client } from '../../../testing/client.ts';
import { provisioning } from '../../../testing/provisioning.ts';

const service = await startApp();
const { as, make, owner } = service;
const [acme, beta] = [await make.entity(), await make.entity()];
const reason = 'Reported a stolen laptop on the phone.';
type Person = { id: number; user_id: number };

const hrOf = (id: number) => make.employee({ entity_id: id, roles: [{ role: 'HR', entity_ids: [id] }, 'Employee'] });
const urlOf = ({ id }: { id: number }) => `/api/employees/${id}/sign-in-block`;
const listOf = ({ id }: { id: number }) => `/api/employees/${id}/sign-in-blocks`;
const block = (client: Client, person: Person, body: object = { reason }) => client.put(urlOf(person), body);
const isEnabled = async ({ user_id }: Person) =>
  (await owner.query('select is_enabled from users where id = $1', [user_id])).rows[0]?.is_enabled as boolean;
const entriesOf = async ({ user_id }: Person) =>
  (
    await owner.query(
      `select action, actor_id::int, entity_id::int, reason, changes from audit_log
       where subject_type = 'sign_in_block' and subject_id = $1 order by id`,
      [user_id],
    )
  ).rows;
let hr: Client;
let hrPerson: Awaited<ReturnType<typeof hrOf>>;

beforeAll(async () => {
  hrPerson = await make.employee({
    entity_id: acme.id,
    first_name: 'Jo',
    last_name: 'Rim',
    roles: [{ role: 'HR', entity_ids: [acme.id] }, 'Employee'],
  });
  hr = await as(hrPerson.user_id);
});

test('HR switches a sign-in off with a reason: sessions and personal tokens end, employment stays', async () => {
  const person = await make.employee({ entity_id: acme.id, password: 'Str0ng!Passw0rd' });
  const client = await as(person.user_id);
  await owner.query(
    `insert into api_tokens (user_id, kind, name, hash, hint, permissions, epoch, global_epoch, expires_at)
     select u.id, 'personal', 'One', repeat('a', 64), 'abcd', '{employees.view}', u.token_epoch, i.global_epoch,
            now() + interval '9 days'
     from users u, installation i where u.id = $1`,
    [person.user_id],
  );
  const before = (await hr.get(`/api/employees/${person.id}`)).body.data;
  expect(before.allowed_actions).toContain('sign-in-block');
  const done = await block(hr, person);
  expect([done.status, done.body]).toEqual([
    200,
    {
      data: {
        id: expect.any(Number),
        source: null,
        by_hand: true,
        by: 'Jo Rim',
        reason,
        since: expect.any(String),
      },
      message: 'Sign-in turned off.',
    },
  ]);
  expect((await hr.get(listOf(person))).body.data).toEqual([done.body.data]);
  expect((await client.get('/api/me')).status).toBe(401);
  expect((await (await as()).post('/login', { email: person.email, password: 'Str0ng!Passw0rd' })).status).toBe(422);
  const after = (await hr.get(`/api/employees/${person.id}`)).body.data;
  expect([after.activity_status, after.employment_lifecycle]).toEqual([
    before.activity_status,
    before.employment_lifecycle,
  ]);

  expect((await hr.delete(urlOf(person))).status).toBe(204);
  expect((await hr.get(listOf(person))).body.data).toEqual([]);
  expect((await client.get('/api/me')).status).toBe(401);
  expect((await (await as()).post('/login', { email: person.email, password: 'Str0ng!Passw0rd' })).status).toBe(200);
  expect((await hr.get(`/api/employees/${person.id}/sign-in`)).body.data.tokens_count).toBe(0);
  expect((await hr.delete(urlOf(person))).status).toBe(404);
});

test('the reason is required, of 1 to 500 characters; a second block is refused', async () => {
  const person = await make.employee({ entity_id: acme.id });
  for (const bad of [{}, { reason: '' }, { reason: '   ' }, { reason: null }, { reason: 'x'.repeat(501) }])
    expect([bad, (await block(hr, person, bad)).status]).toEqual([bad, 422]);
  expect(await isEnabled(person)).toBe(true);
  expect((await block(hr, person, { reason: 'x' })).status).toBe(200);
  const again = await block(hr, person);
  expect([again.status, again.body.message]).toEqual([
    422,
    'The sign-in of this person is already turned off manually.',
  ]);
  expect((await hr.get(listOf(person))).body.data).toMatchObject([{ reason: 'x' }]);
});

test('it is recorded, without the reason: the log has readers who do not see how the person signs in', async () => {
  const person = await make.employee({ entity_id: acme.id });
  await block(hr, person);
  await hr.delete(urlOf(person));
  const common = { actor_id: hrPerson.user_id, entity_id: acme.id, reason: null };
  expect(await entriesOf(person)).toEqual([
    { action: 'sign_in_block.created', ...common, changes: { block_reason: { from: null, to: '[hidden]' } } },
    { action: 'sign_in_block.deleted', ...common, changes: {} },
  ]);
});

test('never oneself, HR never an administrator, nor anyone with more rights or out of scope', async () => {
  const [self, wide, boss] = [
    await hrOf(acme.id),
    await make.employee({ entity_id: acme.id, roles: ['HR', 'Employee'] }),
    await make.employee({ entity_id: acme.id, roles: ['Admin', 'Employee'] }),
  ];
  const [person, far, admin] = [
    await make.employee({ entity_id: acme.id }),
    await hrOf(beta.id),
    await as((await make.admin()).user_id),
  ];
  const colleague = await as((await make.employee({ entity_id: acme.id })).user_id);
  const attempts: [Client, Person, number][] = [
    [await as(self.user_id), self, 403],
    [hr, wide, 403],
    [hr, boss, 403],
    [await as(wide.user_id), boss, 403],
    [await as(far.user_id), person, 404],
    [colleague, person, 403],
  ];
  for (const [client, target, status] of attempts) {
    expect((await block(client, target)).status).toBe(status);
    expect((await client.delete(urlOf(target))).status).toBe(status);
    expect(await isEnabled(target)).toBe(true);
  }
  // nor can they lift a block that an administrator set for them
  expect((await block(admin, boss)).status).toBe(200);
  expect((await block(admin, wide)).status).toBe(200);
  expect([(await hr.delete(urlOf(boss))).status, (await hr.delete(urlOf(wide))).status]).toEqual([403, 403]);
  expect([await isEnabled(boss), await isEnabled(wide)]).toEqual([false, false]);
});

test('HR does not switch off who decides about them', async () => {
  const boss = await make.employee({ entity_id: acme.id });
  const below = await make.employee({
    entity_id: acme.id,
    reporting_manager_id: boss.id,
    roles: [{ role: 'HR', entity_ids: [acme.id] }, 'Employee'],
  });
  expect((await block(await as(below.user_id), boss)).status).toBe(403);
  expect(await isEnabled(boss)).toBe(true);
});

test('the reason is for those who see how the person signs in', async () => {
  const wide = await make.employee({ entity_id: acme.id, roles: ['HR', 'Employee'] });
  await block(await as((await make.admin()).user_id), wide);
  const { body } = await hr.get(listOf(wide));
  expect(body.data).toMatchObject([{ by_hand: true, by: null, reason: null }]);
  const plain = await make.employee({ entity_id: acme.id });
  await block(hr, plain);
  for (const reader of [await make.employee({ entity_id: acme.id }), plain])
    expect((await (await as(reader.user_id)).get(listOf(plain))).body?.data).toBeUndefined();
});

test('an emergency account stays; an administrator is switched off by another one', async () => {
  const employed = await make.employee({ entity_id: acme.id, roles: ['Admin'] });
  const admin = await as((await make.admin()).user_id);
  await owner.query('update users set break_glass = true where id = $1', [employed.user_id]);
  const refused = await block(admin, employed);
  expect([refused.status, refused.body.message]).toEqual([
    422,
    'The sign-in of an emergency account cannot be turned off.',
  ]);
  await owner.query('update users set break_glass = false where id = $1', [employed.user_id]);
  expect((await block(admin, employed)).status).toBe(200);
});

test('a block by hand is lifted by the same rules when it is named by its id', async () => {
  const chief = await make.employee({ entity_id: acme.id });
  const employed = await make.employee({ entity_id: acme.id, roles: ['Admin'], reporting_manager_id: chief.id });
  const [admin, root] = [await as(employed.user_id), await as((await make.admin()).user_id)];
  const { body } = await block(root, chief);
  const byId = `${listOf(chief)}/${body.data.id}`;
  expect([(await admin.delete(urlOf(chief))).status, (await admin.delete(byId)).status]).toEqual([403, 403]);
  expect(await isEnabled(chief)).toBe(false);
  expect((await root.delete(byId)).status).toBe(204);
  expect(await isEnabled(chief)).toBe(true);
});

test('each block is lifted by itself: of HR and of a connection', async () => {
  const entra = await provisioning(service)({ entity_ids: [acme.id] });
  const person = await make.employee({ entity_id: acme.id });
  const { body: user } = await entra.addUser('two', { emails: [{ value: person.email, type: 'work' }] });
  const set = (active: boolean) => entra.patch(`/Users/${user.id}`, { op: 'replace', value: { active } });
  await block(hr, person);
  await set(false);
  expect((await hr.get(listOf(person))).body.data).toHaveLength(2);
  expect((await set(true)).body.active).toBe(false);
  expect(await isEnabled(person)).toBe(false);
  await set(false);
  expect((await hr.delete(urlOf(person))).status).toBe(204);
  expect(await isEnabled(person)).toBe(false);
  await set(true);
  expect(await isEnabled(person)).toBe(true);
});

test('people who left have no sign-in to switch off, and an earlier block is lifted all the same', async () => {
  const [left, blocked] = await Promise.all([hrOf(acme.id), make.employee({ entity_id: acme.id })]);
  expect((await block(hr, blocked)).status).toBe(200);
  await owner.query(`update employees set activity_status = 'inactive' where id = any($1)`, [[left.id, blocked.id]]);
  expect((await hr.get(`/api/employees/${left.id}`)).body.data.allowed_actions).not.toContain('sign-in-block');
  const refused = await block(hr, left);
  expect([refused.status, refused.body.message]).toEqual([422, 'This person can’t sign in.']);
  expect((await hr.get(listOf(left))).body.data).toEqual([]);
  expect((await hr.delete(urlOf(blocked))).status).toBe(204);
});

test('a person without an account has no sign-in to switch off', async () => {
  const { id } = await make.worker({ entity_id: acme.id });
  const refused = await hr.put(urlOf({ id }), { reason });
  expect([refused.status, refused.body.message]).toEqual([
    422,
    'This person has no email address and so no sign-in. Enter an address first.',
  ]);
  expect((await hr.get(listOf({ id }))).body.data).toEqual([]);
});

test('its source is one of its own once no release needs the former one, and it works before that too', async () => {
  const [before, after, connected] = [
    await make.employee({ entity_id: acme.id }),
    await make.employee({ entity_id: acme.id }),
    await make.employee({ entity_id: acme.id }),
  ];
  const sourceOf = async ({ user_id }: Person) =>
    (await owner.query('select source, reason from sign_in_blocks where user_id = $1', [user_id])).rows;
  // the rules and the column default before the contract migration
  await owner.query(`alter table sign_in_blocks drop constraint sign_in_blocks_known_source,
    drop constraint sign_in_blocks_by_hand;
    update sign_in_blocks set source = 'scim' where source = 'hand';
    alter table sign_in_blocks alter column source set default 'scim',
      add constraint sign_in_blocks_source_check check (source in ('scim', 'other')),
      add constraint sign_in_blocks_reason_check check (
        reason is null or source = 'scim' and connection_id is null and length(reason) between 1 and 500)`);
  expect((await block(hr, before)).body.data).toMatchObject({ by_hand: true, source: null, reason });
  await owner.query(
    `insert into sign_in_blocks (user_id, source, connection_id, source_name) values ($1, 'scim', 4, 'Entra')`,
    [connected.user_id],
  );
  expect(await sourceOf(before)).toEqual([{ source: 'scim', reason }]);

  await owner.query(await readMigration('20261130_0302_blocks_by_hand.contract.sql'));
  expect(await sourceOf(before)).toEqual([{ source: 'hand', reason }]);
  expect(await sourceOf(connected)).toEqual([{ source: 'scim', reason: null }]);
  expect((await block(hr, after)).body.data).toMatchObject({ by_hand: true, source: null, reason });
  expect(await sourceOf(after)).toEqual([{ source: 'hand', reason }]);
  expect((await block(hr, before)).status).toBe(422);
  for (const person of [before, after]) {
    expect((await hr.get(listOf(person))).body.data).toMatchObject([{ by_hand: true, reason }]);
    expect((await hr.delete(urlOf(person))).status).toBe(204);
    expect(await isEnabled(person)).toBe(true);
  }
});

test('only a block by hand has a reason', async () => {
  const { user_id } = await make.employee({ entity_id: acme.id });
  for (const [source, why] of [
    ['scim', 'x'],
    ['other', 'x'],
    ['hand', null],
    ['hand', ''],
    ['mail', null],
  ])
    await expect(
      owner.query('insert into sign_in_blocks (user_id, source, reason) values ($1, $2, $3)', [user_id, source, why]),
      `${source} ${why}`,
    ).rejects.toThrow(/violates check constraint "sign_in_blocks_(by_hand|known_source)"/);
});
