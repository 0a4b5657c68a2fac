import { describe, expect, test } from 'vitest';
import { enrol } from '../../testing/factors.ts';
import { startSso } from '../../testing/single-sign-on.ts';

/** Further requirements of rules: a second factor from a day on, and the maximum length of a session. */

const { op, as, admin, make, owner, addProvider, come } = await startSso();
const acme = await make.entity();
const beta = await make.entity();
const path = `/api/sign-in-policies/${acme.id}`;
const plain = { sso_required: false, sso_provider_ids: [] };
const password = 'Str0ng!Passw0rd';
const day = (days: number) => Temporal.Now.plainDateISO('UTC').add({ days }).toString();
const person = (fields: NonNullable<Parameters<typeof make.employee>[0]> = {}) =>
  make.employee({ entity_id: acme.id, password, ...fields });
const signIn = async ({ user_id }: { user_id: number }) => {
  const { rows } = await owner.query('select email from users where id = $1', [user_id]);
  const browser = await as();
  expect((await browser.post('/login', { email: rows[0].email, password })).status).toBe(200);
  return browser;
};
const factorOf = async (browser: Awaited<ReturnType<typeof as>>) =>
  (await browser.get('/api/me')).body.data.second_factor;
const policyOf = async (id: number | null) =>
  (await admin.get('/api/sign-in-policies')).body.data.policies.find(
    ({ entity }: { entity: { id: number } | null }) => (entity?.id ?? null) === id,
  );
const isDecided = async () => (await admin.get('/api/second-factor-demands')).body.data.is_decided;
const roleOf = async (name: string) =>
  (await admin.get('/api/second-factor-demands')).body.data.roles.find((role: { name: string }) => role.name === name);

// the first of the file: nothing is required yet
test('administrators are asked until one of them has decided, and HR is not', async () => {
  const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
  expect((await hr.get('/api/second-factor-demands')).status).toBe(403);
  expect((await hr.post('/api/second-factor-demands/decide')).status).toBe(403);
  for (const after of [false, true]) {
    expect(await isDecided()).toBe(after);
    const { status, body } = await admin.post('/api/second-factor-demands/decide');
    expect([status, body.data]).toEqual([200, { is_decided: true }]);
  }
  expect(await isDecided()).toBe(true);
  expect((await owner.query("select from audit_log where action = 'sign_in_policy.decided'")).rowCount).toBe(1);
  // requiring one is a decision too, even after it is removed
  await owner.query('update installation set second_factor_decided_at = null');
  await admin.put(path, { ...plain, second_factor_from: day(3) });
  expect(await isDecided()).toBe(true);
  expect((await admin.delete(path)).status).toBe(204);
  expect(await isDecided()).toBe(true);
});

describe('a second factor that a company demands', () => {
  test('is a hint before the day, and a session that can only add one from the day on', async () => {
    const [early, late, other] = [await person(), await person(), await person({ entity_id: beta.id })];
    expect((await admin.put(path, { ...plain, second_factor_from: day(14) })).body.data).toMatchObject({
      entity: { id: acme.id },
      is_own: true,
      second_factor_from: day(14),
    });
    expect(await factorOf(await signIn(early))).toEqual({ state: 'due', from: day(14) });
    expect(await factorOf(await signIn(other))).toEqual({ state: 'ok', from: null });
    const enrolled = await as((await person()).user_id);
    await enrol(enrolled);
    expect(await factorOf(enrolled)).toEqual({ state: 'ok', from: day(14) });

    expect((await admin.put(path, { ...plain, second_factor_from: day(0) })).status).toBe(200);
    const browser = await signIn(late);
    expect(await factorOf(browser)).toEqual({ state: 'required', from: day(0) });
    const { status, body } = await browser.get('/api/actionable-items');
    expect([status, body.message]).toEqual([403, 'Second factor required.']);
    await enrol(browser);
    expect(await factorOf(browser)).toEqual({ state: 'ok', from: day(0) });
    expect((await browser.get('/api/actionable-items')).status).toBe(200);

    expect((await admin.put(path, { ...plain, second_factor_from: null })).body.data.second_factor_from).toBeNull();
    expect(await factorOf(await signIn(await person()))).toEqual({ state: 'ok', from: null });
  });

  test('begins today at the earliest; a day that is stored stays, and so does what is left out', async () => {
    const { status, body } = await admin.put(path, { ...plain, second_factor_from: day(-1) });
    expect([status, body.errors]).toEqual([422, { second_factor_from: ['The first day can’t be in the past.'] }]);
    expect((await admin.post(`${path}/preflight`, { ...plain, second_factor_from: day(-1) })).status).toBe(422);
    expect((await admin.put(path, { ...plain, second_factor_from: '2026-02-30' })).status).toBe(422);
    await owner.query('update sign_in_policies set second_factor_from = $2 where entity_id = $1', [acme.id, day(-9)]);
    expect((await admin.put(path, { ...plain, second_factor_from: day(-9), session_max_hours: 4 })).status).toBe(200);
    expect((await admin.put(path, plain)).body.data).toMatchObject({
      second_factor_from: day(-9),
      session_max_hours: 4,
    });
    const { rows } = await owner.query(
      "select changes from audit_log where action = 'sign_in_policy.updated' order by id desc limit 1",
    );
    expect(rows).toEqual([{ changes: { session_max_hours: { from: null, to: 4 } } }]);
    await admin.delete(path);
  });

  test('is counted before it is set, with what the reader should know', async () => {
    const own = await make.entity();
    const at = `/api/sign-in-policies/${own.id}/preflight`;
    const [, enrolled] = [await person({ entity_id: own.id }), await person({ entity_id: own.id })];
    await enrol(await as(enrolled.user_id));
    const left = await person({ entity_id: own.id });
    await owner.query('update users set is_enabled = false where id = $1', [left.user_id]);
    const shown = async (client = admin, fields: object = {}) =>
      (await client.post(at, { ...plain, second_factor_from: day(0), ...fields })).body.data;
    expect(await shown()).toMatchObject({ blockers: [], warnings: [], without_factor_count: 1, sessions_to_end: 0 });
    expect(await shown(admin, { second_factor_from: null })).toMatchObject({ without_factor_count: 0 });
    const root = await as((await person({ entity_id: own.id, roles: ['Admin'] })).user_id);
    expect(await shown(root)).toMatchObject({
      warnings: ['You have no second factor yourself. Set one up in your profile.'],
      without_factor_count: 2,
    });
    expect((await shown(admin, { session_max_hours: 500 })).warnings).toEqual([
      'Sessions end after 12 hours at the latest: that is the limit of this installation.',
    ]);
    expect((await policyOf(own.id)).is_own).toBe(false);
  });
});

describe('the longest session of a company', () => {
  const hoursOf = async ({ user_id }: { user_id: number }) => {
    const { rows } = await owner.query(
      `select extract(epoch from expires_at - created_at)::float8 / 3600 as hours from session_register
       where user_id = $1 and revoked_at is null order by id desc limit 1`,
      [user_id],
    );
    return Math.round(rows[0].hours * 100) / 100;
  };

  test('shortens open sessions and those that begin, but for emergency accounts', async () => {
    const [one, glass, other] = [await person(), await person(), await person({ entity_id: beta.id })];
    await owner.query('update users set break_glass = true where id = $1', [glass.user_id]);
    for (const each of [one, glass, other]) await signIn(each);
    const before = await hoursOf(one);
    expect((await admin.put(path, { ...plain, session_max_hours: 1.5 })).status).toBe(200);
    expect(await Promise.all([one, glass, other].map(hoursOf))).toEqual([1.5, before, before]);
    for (const each of [one, glass, other]) await signIn(each);
    expect(await Promise.all([one, glass, other].map(hoursOf))).toEqual([1.5, before, before]);
    await owner.query('update users set break_glass = false where id = $1', [glass.user_id]);
  });

  test('is never longer than that of the installation', async () => {
    const one = await person();
    await admin.put(path, { ...plain, session_max_hours: 700 });
    await signIn(one);
    expect(await hoursOf(one)).toBe(12);
    for (const hours of [0, -1, 721, 'long'])
      expect((await admin.put(path, { ...plain, session_max_hours: hours })).status).toBe(422);
    await admin.delete(path);
  });
});

describe('a second factor that a role demands', () => {
  const demand = (id: number, second_factor_from: unknown, fields: object = {}) =>
    admin.put(`/api/roles/${id}/second-factor`, { second_factor_from, ...fields });

  test('is for its holders, who are counted', async () => {
    const made = await admin.post('/api/roles', { name: 'Auditor', scope: 'own', permissions: [] });
    const { id, revision } = made.body.data;
    const [holder, enrolled] = [await person(), await person()];
    for (const one of [holder, enrolled]) {
      const assignments = [{ role_id: id, entity_ids: null }];
      expect((await admin.put(`/api/employees/${one.id}/roles`, { assignments })).status).toBe(200);
    }
    await enrol(await as(enrolled.user_id));
    const open = await signIn(holder);
    expect(await roleOf('Auditor')).toMatchObject({ id, holders_count: 2, without_factor_count: 1 });
    const { status, body } = await demand(id, day(0), { revision });
    expect([status, body.data]).toEqual([
      200,
      {
        id,
        name: 'Auditor',
        is_system: false,
        second_factor_from: day(0),
        holders_count: 2,
        without_factor_count: 1,
        revision: revision + 1,
      },
    ]);
    expect(await factorOf(open)).toEqual({ state: 'due', from: day(0) });
    expect(await factorOf(await signIn(holder))).toEqual({ state: 'required', from: day(0) });
    expect((await demand(id, null, { revision })).status).toBe(422);
    expect((await demand(id, null)).status).toBe(200);
    expect(await factorOf(open)).toEqual({ state: 'ok', from: null });
    const { rows } = await owner.query(
      "select changes from audit_log where action = 'role.updated' and subject_id = $1 order by id",
      [id],
    );
    expect(rows.map(({ changes }) => changes.second_factor_from)).toEqual([
      { from: null, to: day(0) },
      { from: day(0), to: null },
    ]);
  });

  test('can be one of Admin, needs a day, and is set by administrators only', async () => {
    const { id, revision } = await roleOf('Admin');
    expect((await demand(id, day(30))).body.data.second_factor_from).toBe(day(30));
    expect((await demand(id, day(30))).body.data.revision).toBe(revision + 1);
    expect(await factorOf(admin)).toEqual({ state: 'due', from: day(30) });
    expect((await demand(id, day(-1))).body.errors).toHaveProperty('second_factor_from');
    expect((await demand(id, undefined)).body.errors).toHaveProperty('second_factor_from');
    expect((await demand(987_654, day(1))).status).toBe(404);
    expect((await demand(id, null)).status).toBe(200);
    const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
    expect((await hr.put(`/api/roles/${id}/second-factor`, { second_factor_from: null })).status).toBe(403);
  });
});

test('accounts without a link are listed by page, those whom no rule finds first', async () => {
  const own = await make.entity();
  const domain = 'unlinked.example';
  const id = await addProvider({ domains: [domain], entity_ids: [own.id] });
  const at = `/api/sign-in-policies/${own.id}/unlinked?provider_ids=${id}`;
  for (const name of ['ann', 'bob', 'cid']) await person({ entity_id: own.id, email: `${name}@${domain}` });
  const stranger = await person({ entity_id: own.id, email: 'dan@elsewhere.example' });
  op.people.set('cid', { email: `cid@${domain}`, email_verified: true });
  expect((await come('cid', id)).status).toBe(200);
  const { body } = await admin.get(`${at}&per_page=2`);
  expect([body.meta.total, body.data.map((row: { email: string }) => row.email)]).toEqual([
    3,
    ['dan@elsewhere.example', `ann@${domain}`],
  ]);
  expect(body.data[0]).toMatchObject({ user_id: stranger.user_id, is_found: false });
  const emails = async (query: string) =>
    (await admin.get(`${at}${query}`)).body.data.map((row: { email: string }) => row.email);
  expect(await emails('&is_found=1&sort_by=email&sort_direction=desc')).toEqual([`bob@${domain}`, `ann@${domain}`]);
  expect(await emails('&search=elsewhere')).toEqual(['dan@elsewhere.example']);
  const required = { sso_required: true, sso_provider_ids: [id] };
  expect((await admin.post(`/api/sign-in-policies/${own.id}/preflight`, required)).body.data).toMatchObject({
    unlinked_count: 3,
    not_found_count: 1,
  });
  expect((await admin.get('/api/sign-in-policies/987654/unlinked')).status).toBe(404);
  const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
  expect((await hr.get(at)).status).toBe(403);
});

test('administrators who could be emergency accounts are listed with what they lack', async () => {
  const [ready, plainAdmin] = [await person({ roles: ['Admin'] }), await person({ roles: ['Admin'] })];
  await enrol(await as(ready.user_id));
  const { candidates } = (await admin.get('/api/break-glass-accounts')).body.data;
  const of = ({ user_id }: { user_id: number }) =>
    candidates.find((account: { user_id: number }) => account.user_id === user_id);
  expect(of(ready)).toMatchObject({ has_password: true, has_second_factor: true, last_used_at: null });
  expect(of(plainAdmin)).toMatchObject({ has_password: true, has_second_factor: false });
  expect(of(await person({ roles: ['HR'] }))).toBeUndefined();
  const { body } = await admin.put('/api/break-glass-accounts', { user_ids: [ready.user_id] });
  expect(body.data.accounts).toMatchObject([{ user_id: ready.user_id, last_used_at: null }]);
  expect(body.data.candidates.map(({ user_id }: { user_id: number }) => user_id)).not.toContain(ready.user_id);
  await owner.query(
    `insert into audit_log (actor_name, action, subject_type, subject_id) values ('x', 'break_glass.used', 'break_glass', $1)`,
    [ready.user_id],
  );
  const { accounts } = (await admin.get('/api/break-glass-accounts')).body.data;
  expect(accounts[0].last_used_at).not.toBeNull();
});
