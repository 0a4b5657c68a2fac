import { signInStates } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import { mailServer } from '../../../testing/mail-server.ts';
import { waitingLocks } from '../../../testing/waiting-locks.ts';

const { deliver, received, port } = await mailServer();
const { as, make, deps, owner } = await startApp({ SMTP_URL: `smtp://127.0.0.1:${port}` });
const acme = await make.entity();
const other = await make.entity();
const hrPerson = await make.employee({ entity_id: acme.id, roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const password = 'An0ther#Phrase';
const leaving = {
  type: 'resigned',
  notice_date: '2026-10-01',
  last_working_date: '2027-01-31',
  reason: 'Moves to another town',
};

type Fields = Parameters<typeof make.employee>[0];
/** A person whose account has no password. */
async function newcomer(fields: Fields = {}) {
  const person = await make.employee({ entity_id: acme.id, ...fields });
  await owner.query('update users set password_hash = null, last_login_at = null where id = $1', [person.user_id]);
  return person;
}

const invite = (id: number, body: object = {}, client = hr) => client.post(`/api/employees/${id}/invite`, body);
const inviteMany = (body: object, client = hr) => client.post('/api/employees/invite', body);
const stateOf = async (id: number) => (await hr.get(`/api/employees/${id}`)).body.data.user.invitation;
const idsWith = async (state: string) =>
  (await hr.get(`/api/employees?sign_in=${state}&per_page=100`)).body.data.map((row: { id: number }) => row.id);

/** The newest invitation sent to an address. */
async function tokenFor(address: string): Promise<string> {
  await deliver(deps);
  const mail = received.filter(({ to }) => to.includes(address)).at(-1)?.source ?? '';
  return /\/welcome#([\w-]{43})/.exec(mail)?.[1] ?? '';
}

/** A person's states in the directory. */
async function statesOf(id: number): Promise<string[]> {
  const found = signInStates.map(async (state) => ((await idsWith(state)).includes(id) ? [state] : []));
  return (await Promise.all(found)).flat();
}

const waiting = async () => (await waitingLocks(owner)).length;

const redeem = async (token: string) =>
  (await as()).post('/api/account-links/redeem', { token, password, password_confirmation: password });
const signIn = async (email: string) => (await (await as()).post('/login', { email, password })).status;

test('an invited person chooses a password with the link and signs in', async () => {
  const person = await newcomer();
  expect(await idsWith('not_invited')).toContain(person.id);
  const answer = await invite(person.id);
  expect([answer.status, answer.body.message, answer.body.delivery]).toEqual([200, 'Invitation sent.', 'mail']);
  const { sent_at, expires_at } = await stateOf(person.id);
  expect(Date.parse(expires_at) - Date.parse(sent_at)).toBe(7 * 86_400_000);
  expect(answer.body.expires_at).toBe(expires_at);
  expect(await idsWith('invited')).toContain(person.id);
  expect(await idsWith('not_invited')).not.toContain(person.id);

  const token = await tokenFor(person.email);
  const check = await (await as()).post('/api/account-links/check', { token });
  expect(check.body.data.purpose).toBe('invitation');
  expect((await redeem(token)).status).toBe(200);
  expect(await signIn(person.email)).toBe(200);
  expect((await redeem(token)).status).toBe(422);
  expect(await stateOf(person.id)).toBeNull();
  expect(await idsWith('active')).toContain(person.id);
  const { rows } = await owner.query(
    "select action from audit_log where subject_type = 'account' and subject_id = $1 order by id",
    [person.user_id],
  );
  expect(rows.map(({ action }) => action)).toEqual(['account.invited', 'account.invitation_used']);
});

test('a reminder replaces the link of the former invitation', async () => {
  const person = await newcomer();
  await invite(person.id);
  const first = await tokenFor(person.email);
  await owner.query("update account_links set expires_at = now() - interval '1 day' where user_id = $1", [
    person.user_id,
  ]);
  expect(await statesOf(person.id)).toEqual(['expired']);
  expect((await inviteMany({ employee_ids: [person.id] })).body.message).toBe('1 invitation sent.');
  const second = await tokenFor(person.email);
  expect(second).not.toBe(first);
  expect((await redeem(first)).status).toBe(422);
  expect((await redeem(second)).status).toBe(200);
});

test('a withdrawn invitation stops working', async () => {
  const person = await newcomer();
  await invite(person.id);
  const token = await tokenFor(person.email);
  expect((await hr.delete(`/api/employees/${person.id}/invite`)).status).toBe(204);
  expect((await hr.delete(`/api/employees/${person.id}/invite`)).status).toBe(204);
  expect(await stateOf(person.id)).toBeNull();
  expect((await redeem(token)).status).toBe(422);
  const { rows } = await owner.query("select 1 from audit_log where action = 'account.invitation_withdrawn'");
  expect(rows).toHaveLength(1);
});

test('an invitation that is withdrawn before its mail is sent is not sent', async () => {
  const person = await newcomer();
  await invite(person.id);
  await hr.delete(`/api/employees/${person.id}/invite`);
  expect(await tokenFor(person.email)).toBe('');
});

test('a one-time password ends the invitation, and a person with one can be invited', async () => {
  const person = await newcomer();
  await invite(person.id);
  const token = await tokenFor(person.email);
  const shown = await invite(person.id, { delivery: 'screen' });
  expect([shown.status, shown.body.one_time_password.length]).toEqual([200, 20]);
  expect((await redeem(token)).status).toBe(422);
  expect(await idsWith('password_issued')).toContain(person.id);
  expect((await invite(person.id)).status).toBe(200);
  expect((await redeem(await tokenFor(person.email))).status).toBe(200);
});

test('a person who used the one-time password but chose no other one is invited like a person without a password', async () => {
  const person = await newcomer();
  const { body } = await invite(person.id, { delivery: 'screen' });
  await invite(person.id);
  const guest = await as();
  expect((await guest.post('/login', { email: person.email, password: body.one_time_password })).status).toBe(200);
  // the link works until a password is chosen, so it is listed and can be withdrawn
  expect(await statesOf(person.id)).toEqual(['invited']);
  expect(await stateOf(person.id)).not.toBeNull();
  const first = await tokenFor(person.email);
  await hr.delete(`/api/employees/${person.id}/invite`);
  expect(await statesOf(person.id)).toEqual(['not_invited']);
  expect((await redeem(first)).status).toBe(422);
  expect((await invite(person.id)).status).toBe(200);
  expect((await redeem(await tokenFor(person.email))).status).toBe(200);
  expect(await statesOf(person.id)).toEqual(['active']);
});

test.each(['mail', 'screen'])('a person who chooses a password meanwhile is not invited by %s', async (delivery) => {
  const [one, another] = [await newcomer(), await newcomer()];
  const root = await as((await make.admin()).user_id);
  const connection = await owner.connect();
  await connection.query('begin');
  await connection.query("update users set password_hash = 'chosen' where id = any($1)", [
    [one.user_id, another.user_id],
  ]);
  const many = inviteMany({ employee_ids: [one.id], delivery });
  const single = invite(another.id, { delivery }, root);
  await expect.poll(waiting, { interval: 10 }).toBe(2);
  await connection.query('commit');
  connection.release();
  const reason = 'This person already has a password.';
  expect((await many).body.data).toMatchObject({ sent: [], issued: [], refused: [{ employee_id: one.id, reason }] });
  expect([(await single).status, (await single).body.message]).toEqual([422, reason]);
  const { rows } = await owner.query('select password_hash from users where id = any($1)', [
    [one.user_id, another.user_id],
  ]);
  expect(rows.map(({ password_hash }) => password_hash)).toEqual(['chosen', 'chosen']);
});

test('a link to a new password and an invitation are two mails, and the use of one voids the other', async () => {
  const person = await newcomer();
  await hr.post(`/api/employees/${person.id}/reset-password`);
  await invite(person.id);
  await deliver(deps);
  const mails = received.filter(({ to }) => to.includes(person.email));
  const links = mails.map(({ source }) => /\/(welcome|reset)#([\w-]{43})/.exec(source)?.slice(1));
  const tokens = Object.fromEntries(links as [string, string][]) as { reset: string; welcome: string };
  expect([mails.length, Object.keys(tokens).toSorted()]).toEqual([2, ['reset', 'welcome']]);
  expect((await redeem(tokens.reset)).status).toBe(200);
  expect((await redeem(tokens.welcome)).status).toBe(422);
  expect(await statesOf(person.id)).toEqual(['active']);
});

test.each([
  ['a new address', (id: number) => hr.put(`/api/employees/${id}`, { email: `moved.${id}@acme.example` })],
  ['a separation', (id: number) => hr.post(`/api/employees/${id}/separate`, leaving)],
])('%s ends an invitation', async (_what, happens) => {
  const person = await newcomer({ employment_lifecycle: 'confirmed' });
  await invite(person.id);
  const token = await tokenFor(person.email);
  expect((await happens(person.id)).status).toBe(200);
  expect(await statesOf(person.id)).toEqual(['not_invited']);
  expect(await stateOf(person.id)).toBeNull();
  expect((await redeem(token)).status).toBe(422);
});

test('a rehired person is invited anew', async () => {
  const person = await make.employee({ entity_id: acme.id, password, employment_lifecycle: 'confirmed' });
  expect(await statesOf(person.id)).toEqual(['active']);
  await hr.post(`/api/employees/${person.id}/separate`, { ...leaving, last_working_date: '2026-10-31' });
  const { department_id } = (await hr.get(`/api/employees/${person.id}`)).body.data;
  const back = { joining_date: '2026-11-02', department_id, reason: 'Returns' };
  const answer = await hr.post(`/api/employees/${person.id}/rehire`, back);
  expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  expect(await statesOf(person.id)).toEqual(['not_invited']);
  expect((await invite(person.id)).status).toBe(200);
  expect((await redeem(await tokenFor(person.email))).status).toBe(200);
});

test('people with a password, leavers, later joiners and strangers are refused with the reason', async () => {
  const active = await make.employee({ entity_id: acme.id, password });
  const gone = await newcomer({ activity_status: 'inactive' });
  const joining = await newcomer({ joining_date: '2099-01-01', activity_status: 'joining' });
  const stranger = await newcomer({ entity_id: other.id });
  const person = await newcomer();
  const companyHr = await make.employee({ entity_id: acme.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] });
  const client = await as(companyHr.user_id);
  const body = { employee_ids: [active, gone, joining, stranger, companyHr, person].map(({ id }) => id) };
  const refused = [
    [active, 'This person already has a password.'],
    [gone, 'This person can’t sign in.'],
    [joining, 'This person can’t get emails at the moment. Create a one-time password instead.'],
    [stranger, 'Not found.'],
    [companyHr, 'You can’t do this for your own account.'],
  ].map(([one, reason]) => ({ employee_id: (one as typeof active).id, reason }));
  const tried = await inviteMany({ ...body, dry_run: true }, client);
  expect(tried.body.data).toMatchObject({ mail_is_on: true, sent: [], issued: [], refused });
  expect(await stateOf(person.id)).toBeNull();
  const sent = await inviteMany(body, client);
  expect(sent.body.data).toMatchObject({ refused, sent: [{ employee_id: person.id, email: person.email }] });
  const paper = await inviteMany({ ...body, delivery: 'screen' }, client);
  expect(paper.body.data.issued.map((one: { employee_id: number }) => one.employee_id)).toEqual([
    joining.id,
    person.id,
  ]);
  expect((await invite(active.id)).status).toBe(422);
  expect((await invite(stranger.id, {}, client)).status).toBe(404);
  expect((await invite(companyHr.id, {}, client)).status).toBe(403);
});

test('an account with more rights than the sender, or one that decides about the sender, is not invited', async () => {
  const wider = await newcomer({ roles: ['HR'] });
  const manager = await newcomer();
  const sender = await make.employee({
    entity_id: acme.id,
    roles: [{ role: 'HR', entity_ids: [acme.id] }],
    reporting_manager_id: manager.id,
  });
  const client = await as(sender.user_id);
  const reason = 'You don’t have permission to do this.';
  for (const { id } of [wider, manager]) {
    expect((await invite(id, {}, client)).status).toBe(403);
    expect((await inviteMany({ employee_ids: [id] }, client)).body.data.refused).toEqual([{ employee_id: id, reason }]);
  }
  await invite(wider.id);
  expect((await client.delete(`/api/employees/${wider.id}/invite`)).status).toBe(403);
});

test('the state of an invitation is hidden where employment is', async () => {
  const person = await newcomer();
  await invite(person.id);
  const viewer = await make.employee({ entity_id: acme.id, roles: [] });
  await owner.query(`
    with role as (insert into roles (name, scope) values ('Directory', 'own') returning id),
         permitted as (insert into role_permissions (role_id, permission)
                       select id, unnest(array['employees.view', 'employees.view_all']) from role)
    insert into role_assignments (user_id, role_id) select ${viewer.user_id}, id from role`);
  const client = await as(viewer.user_id);
  const row = (await client.get(`/api/employees/${person.id}`)).body.data;
  expect([row.id, row.user]).toEqual([person.id, undefined]);
  expect((await client.get('/api/employees?sign_in=invited')).body.data).toEqual([]);
});

test('the right to send is checked again when the link is used, and a repeat shows no password', async () => {
  const sender = await make.employee({ entity_id: acme.id, roles: ['HR'] });
  const [promoted, stays] = [await newcomer(), await newcomer()];
  const client = await as(sender.user_id);
  await inviteMany({ employee_ids: [promoted.id, stays.id] }, client);
  const tokens = [await tokenFor(promoted.email), await tokenFor(stays.email)] as const;
  await owner.query(
    "insert into role_assignments (user_id, role_id) select $1, id from roles where name = 'Admin' on conflict do nothing",
    [promoted.user_id],
  );
  expect((await redeem(tokens[0])).status).toBe(422);
  expect((await redeem(tokens[1])).status).toBe(200);
  expect((await invite(promoted.id)).status).toBe(403);
  expect((await client.delete(`/api/employees/${promoted.id}/invite`)).status).toBe(403);
  const person = await newcomer();
  const key = { 'idempotency-key': 'invite-1' };
  const shown = () => hr.post(`/api/employees/${person.id}/invite`, { delivery: 'screen' }, key);
  expect((await shown()).body.one_time_password).toHaveLength(20);
  const again = await shown();
  expect([again.status, again.body.one_time_password]).toEqual([422, undefined]);
  const body = { employee_ids: [person.id], delivery: 'screen' };
  const shownMany = () => hr.post('/api/employees/invite', body, { 'idempotency-key': 'invite-2' });
  expect((await shownMany()).body.data.issued).toHaveLength(1);
  expect([(await shownMany()).status, (await shownMany()).body.data]).toEqual([422, undefined]);
});

test('a joiner with early access gets the mail; without it the link stops working', async () => {
  const person = await newcomer({ joining_date: '2099-01-01', activity_status: 'joining' });
  await owner.query('update employees set early_access = true where id = $1', [person.id]);
  expect((await invite(person.id)).status).toBe(200);
  const token = await tokenFor(person.email);
  await owner.query('update employees set early_access = false where id = $1', [person.id]);
  expect((await redeem(token)).status).toBe(422);
});

test('exports and saved views filter by the state as the list does', async () => {
  const person = await newcomer();
  await invite(person.id);
  const found = await hr.get('/api/employees/export?sign_in=invited&format=csv');
  expect(found.status).toBe(200);
  expect(found.bytes.toString()).toContain(person.employee_number);
  const others = await hr.get('/api/employees/export?sign_in=active&format=csv');
  expect(others.bytes.toString()).not.toContain(person.employee_number);
  const view = { name: 'Invited', resource: 'employees', query: { sign_in: 'invited' } };
  const saved = await hr.post('/api/saved-views', view);
  expect([saved.status, saved.body.data.query]).toEqual([201, { sign_in: 'invited' }]);
  // the headcounts do not contain the state
  const { data, meta } = (await hr.get('/api/employees?sign_in=invited&activity_status=active&per_page=100')).body;
  expect(meta.total).toBe(data.length);
  expect(data.every(({ user }: { user: { invitation: unknown } }) => user.invitation !== null)).toBe(true);
});

test('501 at once are too many', async () => {
  const answer = await inviteMany({ employee_ids: Array.from({ length: 501 }, (_, n) => n + 1) });
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['employee_ids']]);
});

test('without a mail server the default is a one-time password, and an explicit mail is refused', async () => {
  const quiet = await startApp();
  const person = await quiet.make.employee();
  await quiet.owner.query('update users set password_hash = null where id = $1', [person.user_id]);
  const client = await quiet.as((await quiet.make.employee({ roles: ['HR'] })).user_id);
  const mail = await client.post(`/api/employees/${person.id}/invite`, { delivery: 'mail' });
  expect([mail.status, Object.keys(mail.body.errors)]).toEqual([422, ['delivery']]);
  expect((await client.post(`/api/employees/${person.id}/invite`)).body.delivery).toBe('screen');
});

test('INVITATION_DAYS sets how long invitations are valid, and the mail says so', async () => {
  const brief = await startApp({ SMTP_URL: `smtp://127.0.0.1:${port}`, INVITATION_DAYS: '2' });
  const person = await brief.make.employee();
  await brief.owner.query('update users set password_hash = null where id = $1', [person.user_id]);
  const client = await brief.as((await brief.make.employee({ roles: ['HR'] })).user_id);
  const tried = await client.post('/api/employees/invite', { employee_ids: [person.id], dry_run: true });
  expect(tried.body.data.link_hours).toBe(48);
  const { body } = await client.post(`/api/employees/${person.id}/invite`);
  expect(Math.round((Date.parse(body.expires_at) - Date.now()) / 3_600_000)).toBe(48);
  await deliver(brief.deps);
  const mail = received.findLast(({ to, subject }) => to.includes(person.email) && subject.startsWith('Welcome'));
  expect(mail?.source).toContain('expires 2 days after it was sent');
});
