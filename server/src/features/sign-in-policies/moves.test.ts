import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { startSso } from '../../testing/single-sign-on.ts';

/** All ways for people to come into a company that requires a provider. */

const { op, as, admin, make, owner, addProvider, come } = await startSso();
const acme = await make.entity();
const beta = await make.entity();
const there = await make.department({ entity_id: acme.id });
const domain = 'acme.example';
const id = await addProvider({ domains: [domain] });
let serial = 0;

async function known() {
  serial += 1;
  const [email, subject] = [`moving${serial}@${domain}`, `moving-${serial}`];
  op.people.set(subject, { email, email_verified: true });
  return { email, subject, person: await make.employee({ entity_id: beta.id, email }) };
}
const toAcme = { entity_id: acme.id, department_id: there.id };
const move = (person: { id: number }) => admin.put(`/api/employees/${person.id}`, toAcme);
const statusOf = async (browser: Awaited<ReturnType<typeof as>>) => (await browser.get('/api/me')).status;
const demand = (isOn: boolean) =>
  owner.query(
    `insert into sign_in_policies (entity_id, sso_required, sso_provider_ids) values ($1, $2, $3)
     on conflict (entity_id) do update set sso_required = excluded.sso_required`,
    [acme.id, isOn, [id]],
  );
beforeEach(() => demand(true));

describe('a person who moves to a company that demands a provider', () => {
  test('loses the sessions that came another way and the open links, at once', async () => {
    const { person, subject, email } = await known();
    const [byPassword, bySso] = [await as(person.user_id), (await come(subject, id)).browser];
    const by = (await make.admin()).user_id;
    await owner.query(
      `insert into account_links (user_id, purpose, email, created_by, expires_at)
       values ($1, 'password_reset', $2, $3, now() + interval '1 day')`,
      [person.user_id, email, by],
    );
    await owner.query(
      `insert into own_account_links (user_id, purpose, email, expires_at)
       values ($1, 'requested_reset', $2, now() + interval '1 day')`,
      [person.user_id, email],
    );
    expect([await statusOf(byPassword), await statusOf(bySso)]).toEqual([200, 200]);
    expect((await move(person)).status).toBe(200);
    expect([await statusOf(byPassword), await statusOf(bySso)]).toEqual([401, 200]);
    const { rows } = await owner.query(
      `select revoked_at is not null as is_over from account_links where user_id = $1
       union all select revoked_at is not null from own_account_links where user_id = $1`,
      [person.user_id],
    );
    expect(rows).toEqual([{ is_over: true }, { is_over: true }]);
    const ended = await owner.query(
      'select method, reason from session_register where user_id = $1 and revoked_at is not null',
      [person.user_id],
    );
    expect(ended.rows).toEqual([{ method: 'password', reason: 'sign-in rule' }]);
  });

  test('goes on without a rule, and as an emergency account', async () => {
    const [plain, glass] = [await known(), await known()];
    await owner.query('update users set break_glass = true where id = $1', [glass.person.user_id]);
    const [first, second] = [await as(plain.person.user_id), await as(glass.person.user_id)];
    await demand(false);
    expect((await move(plain.person)).status).toBe(200);
    await demand(true);
    expect((await move(glass.person)).status).toBe(200);
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);
    await owner.query('update users set break_glass = false where id = $1', [glass.person.user_id]);
  });

  test('by a planned move too', async () => {
    const { person } = await known();
    const browser = await as(person.user_id);
    // the write of the job for planned moves
    await owner.query('update employees set entity_id = $2, department_id = $3 where id = $1', [
      person.id,
      acme.id,
      there.id,
    ]);
    expect(await statusOf(browser)).toBe(401);
  });

  test('loses a session that begins at the same moment', async () => {
    const { person } = await known();
    const browser = await as(person.user_id);
    const { rows } = await owner.query('delete from session_register where user_id = $1 returning sid_hash', [
      person.user_id,
    ]);
    const begin = `insert into session_register (sid_hash, user_id, epoch, global_epoch, expires_at)
       select $2, u.id, u.session_epoch, i.global_epoch, now() + interval '1 hour'
       from users u cross join installation i where u.id = $1`;
    // an uncommitted sign-in
    const signingIn = await owner.connect();
    await signingIn.query('begin');
    await signingIn.query(begin, [person.user_id, rows[0].sid_hash]);
    const moving = move(person);
    await setTimeout(300);
    await signingIn.query('commit');
    expect((await moving).status).toBe(200);
    expect(await statusOf(browser)).toBe(401);

    // and a sign-in that began before the move is committed
    const second = (await known()).person;
    await signingIn.query('begin');
    await signingIn.query('update employees set entity_id = $2, department_id = $3 where id = $1', [
      second.id,
      acme.id,
      there.id,
    ]);
    const beginning = owner.query(begin, [second.user_id, 'a hash']).then(
      () => 'begun',
      (error: Error) => error.message,
    );
    await setTimeout(300);
    await signingIn.query('commit');
    signingIn.release();
    expect(await beginning).toContain('demands another way');
  });
});

test('a rule that is set while a person moves there ends their sessions too', async () => {
  await demand(false);
  const { person } = await known();
  const browser = await as(person.user_id);
  const setting = await owner.connect();
  await setting.query('begin');
  // as every change of a rule does
  await setting.query('select from sign_in_policies where entity_id is null for update');
  await setting.query('update sign_in_policies set sso_required = true where entity_id = $1', [acme.id]);
  const moving = move(person);
  await setTimeout(300);
  await setting.query('commit');
  setting.release();
  expect((await moving).status).toBe(200);
  expect(await statusOf(browser)).toBe(401);
});

test('a person who moves under a rule with shorter sessions has no longer ones', async () => {
  await demand(false);
  const hours = (of: number | null) =>
    owner.query('update sign_in_policies set session_max_hours = $2 where entity_id is not distinct from $1', [
      acme.id,
      of,
    ]);
  await hours(2);
  const [plain, glass] = [await known(), await known()];
  await owner.query('update users set break_glass = true where id = $1', [glass.person.user_id]);
  const old = await as(plain.person.user_id);
  await owner.query(`update session_register set created_at = now() - interval '3 hours' where user_id = $1`, [
    plain.person.user_id,
  ]);
  for (const { person } of [plain, glass]) await as(person.user_id);
  for (const { person } of [plain, glass]) expect((await move(person)).status).toBe(200);
  const { rows } = await owner.query(
    `select user_id, round(extract(epoch from max(expires_at - created_at)) / 3600)::int as hours
     from session_register where user_id = any($1) group by user_id order by user_id`,
    [[plain, glass].map(({ person }) => person.user_id)],
  );
  expect([rows.map((row) => row.hours), await statusOf(old)]).toEqual([[2, 12], 401]);
  await owner.query('update users set break_glass = false where id = $1', [glass.person.user_id]);
  await hours(null);
});
