import { describe, expect, test } from 'vitest';
import { createSession } from '../access/sessions.ts';
import type { SessionMarks } from '../access/actor.ts';
import { startApp } from '../testing/app.ts';

/** No session starts without the required factor and provider, whatever code inserts it. */

const password = 'Str0ng!Passw0rd';
const { deps, make, as, owner, logged } = await startApp();
const acme = await make.entity();
const beta = await make.entity();
const provider = 7;

type Fields = NonNullable<Parameters<typeof make.employee>[0]>;
const person = (fields: Fields = {}) => make.employee({ entity_id: acme.id, password, ...fields });
const from = { ip: '127.0.0.1', user_agent: 'test' };

/** As inserted by the previous release, which does not know the new columns. */
const asBefore = (userId: number) =>
  deps.pool.query(
    `insert into session_register (sid_hash, user_id, epoch, global_epoch, expires_at, ip, user_agent, device)
     select gen_random_uuid()::text, u.id, u.session_epoch, i.global_epoch, now() + interval '12 hours', '::1', 'old', null
     from users u cross join installation i where u.id = $1`,
    [userId],
  );
const asNow = (userId: number, marks: Partial<SessionMarks> = {}) =>
  createSession(deps.db, userId, from, deps.config, marks);

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason as { constraint?: string; message: string },
  );
  return error ? (error.constraint ?? error.message) : 'begun';
}

/** What happens to each kind of session. */
const outcomes = async (userId: number) => ({
  before: await refusal(asBefore(userId)),
  password: await refusal(asNow(userId)),
  two: await refusal(asNow(userId, { factors: 2 })),
  enrolling: await refusal(asNow(userId, { enrol_only: true })),
});

const factor = 'session_register_second_factor';
const policy = 'session_register_sign_in_policy';
const all = { before: 'begun', password: 'begun', two: 'begun', enrolling: 'begun' };
const demanding = { ...all, before: factor, password: factor };

const day = (days: number) => `((now() at time zone 'UTC')::date + ${days})`;
const demandFrom = (entityId: number | null, days: number | null) =>
  owner.query(
    `insert into sign_in_policies (entity_id, second_factor_from) values ($1, ${days === null ? 'null' : day(days)})
     on conflict (entity_id) do update set second_factor_from = excluded.second_factor_from`,
    [entityId],
  );
async function authenticator(userId: number, confirmed: boolean, kind = 'totp') {
  await owner.query(
    `insert into authenticators (user_id, kind, name, confirmed_at) values ($1, $3, 'Phone', case when $2 then now() end)`,
    [userId, confirmed, kind],
  );
}

test('after the upgrade nothing is demanded of anyone', async () => {
  for (const { user_id } of [await person(), await person({ roles: ['HR'] }), await make.admin()])
    expect(await outcomes(user_id)).toEqual(all);
});

describe('a second factor', () => {
  test('is demanded once one is confirmed, and then no session may only enrol', async () => {
    const { user_id } = await person();
    await authenticator(user_id, false);
    expect(await outcomes(user_id)).toEqual(all);
    await authenticator(user_id, true);
    expect(await outcomes(user_id)).toEqual({ ...demanding, enrolling: factor });
  });

  test('is demanded by a role from its day on', async () => {
    const { user_id } = await person({ roles: ['Employee', 'HR'] });
    const { user_id: other } = await person();
    const demand = (days: number) =>
      owner.query(`update roles set second_factor_from = ${day(days)} where name = 'HR'`);
    await demand(1);
    expect(await outcomes(user_id)).toEqual(all);
    await demand(0);
    expect([await outcomes(user_id), await outcomes(other)]).toEqual([demanding, all]);
    await owner.query('update roles set second_factor_from = null');
  });

  test('is demanded by a company from its day on, and by the default row elsewhere', async () => {
    const [{ user_id }, { user_id: other }] = [await person(), await person({ entity_id: beta.id })];
    const { user_id: admin } = await make.admin();
    await demandFrom(acme.id, 1);
    expect(await outcomes(user_id)).toEqual(all);
    await demandFrom(acme.id, 0);
    expect([await outcomes(user_id), await outcomes(other)]).toEqual([demanding, all]);
    await demandFrom(acme.id, null);
    await demandFrom(null, -1);
    // the row of the company applies as a whole
    expect([await outcomes(user_id), await outcomes(other), await outcomes(admin)]).toEqual([
      all,
      demanding,
      demanding,
    ]);
    await demandFrom(null, null);
  });
});

describe('a provider', () => {
  const enforce = (entityId: number, isOn: boolean) =>
    owner.query(
      `insert into sign_in_policies (entity_id, sso_required, sso_provider_ids) values ($1, $2, array[$3::bigint])
       on conflict (entity_id) do update set sso_required = $2, sso_provider_ids = array[$3::bigint]`,
      [entityId, isOn, provider],
    );
  const bySso = (id: number): Partial<SessionMarks> => ({ method: 'sso', provider_id: id });

  test('is demanded of the people of the company, except break-glass accounts', async () => {
    const [{ user_id }, { user_id: other }] = [await person(), await person({ entity_id: beta.id })];
    const { user_id: glass } = await person({ roles: ['Admin'] });
    await owner.query('update users set break_glass = true where id = $1', [glass]);
    await enforce(acme.id, true);
    expect(await outcomes(user_id)).toEqual({ before: policy, password: policy, two: policy, enrolling: policy });
    expect(await refusal(asNow(user_id, { method: 'passkey', factors: 2 }))).toBe(policy);
    expect(await refusal(asNow(user_id, bySso(provider + 1)))).toBe(policy);
    expect(await refusal(asNow(user_id, bySso(provider)))).toBe('begun');
    expect([await outcomes(other), await outcomes(glass)]).toEqual([all, all]);
    await enforce(acme.id, false);
    expect(await outcomes(user_id)).toEqual(all);
  });

  test('does not stand in for a second factor unless it brought one', async () => {
    const { user_id } = await person();
    await authenticator(user_id, true);
    expect(await refusal(asNow(user_id, bySso(provider)))).toBe(factor);
    expect(await refusal(asNow(user_id, { ...bySso(provider), factors: 2 }))).toBe('begun');
  });

  test('is named by a policy that demands one, and by a session that came from one', async () => {
    await expect(
      owner.query('insert into sign_in_policies (entity_id, sso_required) values ($1, true)', [
        (await make.entity()).id,
      ]),
    ).rejects.toThrow('sign_in_policies_providers_check');
    await expect(
      owner.query("insert into sign_in_policies (sso_required, sso_provider_ids) values (true, '{7,null}')"),
    ).rejects.toThrow('sign_in_policies_null_check');
    const { user_id } = await person();
    expect(await refusal(asNow(user_id, { method: 'sso' }))).toBe('session_register_provider_check');
  });

  test('there is one default row', async () => {
    await expect(owner.query('insert into sign_in_policies (entity_id) values (null)')).rejects.toThrow(
      '_entity_id_key',
    );
  });
});

test('a session does not become more than it proved by a change', async () => {
  const { user_id } = await person();
  await demandFrom(acme.id, 0);
  const { session_id } = await asNow(user_id, { enrol_only: true });
  const change = (set: string) =>
    refusal(owner.query(`update session_register set ${set} where id = $1`, [session_id]));
  expect(await change('enrol_only = false')).toBe(factor);
  expect(await change('last_seen_at = now()')).toBe('begun');
  await authenticator(user_id, true);
  expect(await change('enrol_only = false')).toBe(factor);
  expect(await change('enrol_only = false, factors = 2')).toBe('begun');
  await demandFrom(acme.id, null);
});

/** A requirement that only the database knows. */
async function demandUnseen(userId: number) {
  await owner.query(`
    create or replace function demand_unseen() returns trigger language plpgsql as $$
    begin
      raise exception 'demanded' using errcode = 'check_violation', constraint = '${factor}';
    end $$`);
  await owner.query(
    `create trigger unseen_${userId} before insert on session_register for each row
     when (new.user_id = ${userId}) execute function demand_unseen()`,
  );
}

describe('a sign-in that the database refuses', () => {
  test('looks like a wrong password, counts like one, and begins nothing', async () => {
    const { user_id, email } = await person();
    await demandUnseen(user_id);
    const sessions = async () =>
      (await owner.query('select from session_register where user_id = $1', [user_id])).rowCount;
    const browser = await as();
    const right = await browser.post('/login', { email, password });
    const wrong = await browser.post('/login', { email, password: `${password}x` });
    expect([right.status, right.body]).toEqual([422, wrong.body]);
    expect([right.setCookies.length, await sessions()]).toEqual([wrong.setCookies.length, 0]);
    for (let count = 0; count < 3; count += 1)
      expect((await browser.post('/login', { email, password })).status).toBe(422);
    expect((await browser.post('/login', { email, password })).status).toBe(429);
    const failed = logged.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(failed.filter(({ event, user_id: who }) => event === 'login_failed' && who === user_id)).toHaveLength(5);
  });

  test('leaves a one-time password unused', async () => {
    const { user_id, email } = await person();
    await owner.query(
      `update users set one_time_password = true, must_change_password = true,
         password_expires_at = now() + interval '1 hour' where id = $1`,
      [user_id],
    );
    await demandUnseen(user_id);
    expect((await (await as()).post('/login', { email, password })).status).toBe(422);
    await owner.query(`drop trigger unseen_${user_id} on session_register`);
    expect((await (await as()).post('/login', { email, password })).status).toBe(200);
  });
});

test('a provider begins no session of a person whose company it does not cover', async () => {
  const insert = (name: string, entityIds: number[] | null) =>
    owner.query<{ id: string }>(
      `insert into identity_providers (name, issuer, client_id, metadata, entity_ids)
       values ($1, 'https://op.test', 'tenure', '{}', $2) returning id`,
      [name, entityIds],
    );
  const providers = [
    await insert('Of all', null),
    await insert('Of both', [acme.id, beta.id]),
    await insert('Of Beta', [beta.id]),
  ];
  const { user_id } = await person();
  const { user_id: none } = await make.admin();
  const fares = async (userId: number) =>
    Promise.all(
      providers.map(({ rows }) =>
        refusal(asNow(userId, { method: 'sso', provider_id: Number(rows[0]?.id), factors: 2 })),
      ),
    );
  expect(await fares(user_id)).toEqual(['begun', 'begun', policy]);
  // an account without a person is in no company
  expect(await fares(none)).toEqual(['begun', 'begun', 'begun']);
});

test('a new password keeps what the session proved', async () => {
  const { user_id } = await person();
  await authenticator(user_id, true);
  const { content, max_age } = await asNow(user_id, { factors: 2 });
  const client = await as();
  for (const line of deps.sessionCookies.freshCookies(content, max_age)) {
    const [name = '', value = ''] = (line.split('; ')[0] ?? '').split('=');
    client.cookies.set(name, value);
  }
  const next = 'An0ther!Phrase';
  const body = { current_password: password, password: next, password_confirmation: next };
  expect((await client.put('/api/profile/password', body)).status).toBe(200);
  const { rows } = await owner.query<{ factors: number }>(
    'select factors from session_register where user_id = $1 and revoked_at is null',
    [user_id],
  );
  expect(rows).toEqual([{ factors: 2 }]);
});
