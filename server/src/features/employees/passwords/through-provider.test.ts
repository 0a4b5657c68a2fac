import { beforeEach, expect, test } from 'vitest';
import { mailServer } from '../../../testing/mail-server.ts';
import { startSso } from '../../../testing/single-sign-on.ts';

/** Invitations of people whose company requires a provider: the mail names it and has no password link. */

const { deliver, received, port } = await mailServer();
const { as, make, deps, owner, addProvider } = await startSso({ SMTP_URL: `smtp://127.0.0.1:${port}` });
const acme = await make.entity();
const hr = await as((await make.employee({ entity_id: acme.id, roles: ['HR'] })).user_id);
const provider_id = await addProvider({ name: 'Acme & Co', match_rule: 'linked_only' });
const said = 'People of this company sign in through Acme & Co.';

const demand = () =>
  owner.query('insert into sign_in_policies (entity_id, sso_required, sso_provider_ids) values ($1, true, $2)', [
    acme.id,
    [provider_id],
  ]);
beforeEach(async () => {
  await owner.query('delete from sign_in_policies');
  await demand();
});

async function newcomer(fields: Parameters<typeof make.employee>[0] = {}) {
  const person = await make.employee({ entity_id: acme.id, ...fields });
  await owner.query('update users set password_hash = null, last_login_at = null where id = $1', [person.user_id]);
  return person;
}
const invite = (id: number, body: object = {}) => hr.post(`/api/employees/${id}/invite`, body);
async function mailTo(address: string): Promise<string> {
  await deliver(deps);
  return received.findLast(({ to }) => to.includes(address))?.source.replaceAll('=\r\n', '') ?? '';
}
const tokenIn = (mail: string) => /#([\w-]{43})/.exec(mail)?.[1];

test('the mail names the provider and leads to the sign-in page', async () => {
  const person = await newcomer();
  const answer = await invite(person.id);
  expect([answer.status, answer.body.message, answer.body.delivery]).toEqual([200, 'Invitation sent.', 'mail']);
  const mail = await mailTo(person.email);
  expect(mail).toContain('Subject: Welcome to Tenure: sign in with Acme & Co');
  expect(mail).toContain('http://localhost:8000/login');
  expect(mail).toContain('Acme &amp; Co');
  expect(tokenIn(mail)).toBeUndefined();
  expect(mail).not.toMatch(/welcome|reset/);
  const { rows } = await owner.query(
    "select variant, params->>'address' as address from notifications where user_id = $1 and event = 'password_link'",
    [person.user_id],
  );
  expect(rows).toEqual([{ variant: 'provider_invitation', address: person.email }]);
  const { rows: links } = await owner.query('select token_hash from account_links where user_id = $1', [
    person.user_id,
  ]);
  expect(links).toEqual([{ token_hash: null }]);
  // the person is invited, and no open link is shown
  expect((await hr.get(`/api/employees/${person.id}`)).body.data.user.invitation).not.toBeNull();
  expect((await hr.get(`/api/employees/${person.id}/sign-in`)).body.data.links).toEqual([]);
  const { rows: notified } = await owner.query(
    "select action from audit_log where subject_type = 'account' and subject_id = $1",
    [person.user_id],
  );
  expect(notified).toEqual([{ action: 'account.invited' }]);
});

test('many are invited together, each the way they sign in', async () => {
  const beta = await make.entity();
  const group = await as((await make.employee({ entity_id: beta.id, roles: ['HR'] })).user_id);
  const [through, plain] = [await newcomer(), await newcomer({ entity_id: beta.id })];
  const body = { employee_ids: [through.id, plain.id] };
  const before = await group.post('/api/employees/invite', { ...body, dry_run: true });
  expect(before.body.data.through_provider).toEqual([{ employee_id: through.id, provider: 'Acme & Co' }]);
  expect(before.body.data.refused).toEqual([]);
  const sent = await group.post('/api/employees/invite', body);
  expect([sent.body.data.sent.length, sent.body.data.refused]).toEqual([2, []]);
  expect(sent.body.data.through_provider).toEqual([{ employee_id: through.id, provider: 'Acme & Co' }]);
  expect(tokenIn(await mailTo(through.email))).toBeUndefined();
  expect(tokenIn(await mailTo(plain.email))).toBeDefined();
});

test('nothing else is issued: no password on the screen, no reset, none for who cannot be reached or is in already', async () => {
  const person = await newcomer();
  expect((await invite(person.id, { delivery: 'screen' })).body.message).toBe(said);
  expect((await hr.post(`/api/employees/${person.id}/reset-password`)).body.message).toBe(said);
  const later = await newcomer({ joining_date: '2099-01-01', activity_status: 'joining' });
  expect((await invite(later.id)).body.message).toBe('This person can’t get emails at the moment.');
  const inside = await newcomer();
  await owner.query(
    "insert into user_identities (user_id, provider_id, subject, linked_by, last_used_at) values ($1, $2, 'sub-in', 'hr', now())",
    [inside.user_id, provider_id],
  );
  expect((await invite(inside.id)).body.message).toBe('This person already signs in through Acme & Co.');
});

test('what is demanded when the mail is written decides, not what was when it was ordered', async () => {
  const person = await newcomer();
  await invite(person.id);
  await owner.query('delete from sign_in_policies');
  expect(tokenIn(await mailTo(person.email))).toBeDefined();
  const other = await newcomer();
  await invite(other.id);
  await demand();
  expect(tokenIn(await mailTo(other.email))).toBeUndefined();
});

test('a second invitation replaces the first, which can be withdrawn', async () => {
  const person = await newcomer();
  await invite(person.id);
  expect((await invite(person.id)).status).toBe(200);
  expect((await hr.delete(`/api/employees/${person.id}/invite`)).status).toBe(204);
  expect(await mailTo(person.email)).toBe('');
});
