import { feedKinds } from '@tenure/contract';
import { afterAll, expect, test } from 'vitest';
import { afterRestore } from '../db/after-restore.ts';
import { connect } from '../db/connect.ts';
import { enrol, clearLastStep } from '../testing/factors.ts';
import { programOf } from '../testing/programs.ts';
import { provisioning } from '../testing/provisioning.ts';
import { startSso } from '../testing/single-sign-on.ts';
import { mailServer } from '../testing/mail-server.ts';
import type { Client } from '../testing/client.ts';

/** Which event ends what for an account: sessions, tokens, calendar addresses, mailed links, pending sign-ins. */

const { deliver, received, port } = await mailServer();
const service = await startSso({
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  PASSWORD_RESET_BY_MAIL: 'on',
});
const { app, as, make, deps, owner, admin, op, addProvider, come } = service;
const { db: asOwner } = connect({ url: service.database.ownerUrl, max: 1 });
afterAll(() => asOwner.destroy());
const addConnection = provisioning(service);
const acme = await make.entity({ name: 'Acme' });
const password = 'right-Battery-9';

type Person = Awaited<ReturnType<typeof make.employee>>;
type Held = { person: Person; session: Client; other: Client };
type Part = 'session' | 'other' | 'token' | 'feed' | 'program' | 'link';
type State = Record<Part, boolean>;

/** The secret of the newest link in the mails to an address. */
async function secretTo(address: string): Promise<string> {
  await deliver(deps);
  const mail = received.findLast(({ to }) => to.includes(address));
  return /\/(?:reset|welcome)#([\w-]+)/.exec(mail?.source ?? '')?.[1] ?? '';
}

/** A person with one of each, and how to check which ones still work. */
async function holder(roles: ('HR' | 'Admin')[] = ['HR'], fields: { entity_id?: number; email?: string } = {}) {
  const person = await make.employee({ entity_id: acme.id, roles, password, ...fields });
  await owner.query('update users set last_login_at = now() where id = $1', [person.user_id]);
  expect((await admin.post(`/api/employees/${person.id}/reset-password`)).status).toBe(200);
  const link = await secretTo(person.email);
  const [session, other] = [await as(person.user_id), await as(person.user_id)];
  const token = await programOf(service, person.user_id, ['departments.view']);
  const made = await session.post('/api/profile/calendar-feeds', { kinds: feedKinds, with_names: false });
  const { pathname } = new URL(made.body.url as string);
  const account = await admin.post('/api/service-accounts', {
    name: `Payroll ${person.id}`,
    description: 'Reads people',
    owner_ids: [person.user_id],
  });
  expect([account.status, account.body.errors]).toEqual([201, undefined]);
  const kept = await programOf(service, account.body.data.id, ['departments.view'], { kind: 'service' });
  const isOpen = async (client: Pick<Client, 'get'>) => (await client.get('/api/me')).status !== 401;
  const look = async (): Promise<State> => ({
    session: await isOpen(session),
    other: await isOpen(other),
    token: (await token.get('/api/departments')).status !== 401,
    feed: (await app.inject({ url: pathname })).statusCode === 200,
    program: (await kept.get('/api/departments')).status !== 401,
    link: (await (await as()).post('/api/account-links/check', { token: link })).status === 200,
  });
  return { person, session, other, look };
}

const reason = 'Called back at the desk.';
const everything: State = { session: true, other: true, token: true, feed: true, program: true, link: true };
/** What remains when everything of the person ends: programs of the company continue. */
const nothing: State = { session: false, other: false, token: false, feed: false, program: true, link: false };

type Event = [what: string, left: State, end: (held: Held) => Promise<unknown>, roles?: ('HR' | 'Admin')[]];
const events: Event[] = [
  ['a logout', { ...everything, session: false }, ({ session }) => session.post('/logout')],
  [
    'an own new password',
    { ...everything, other: false, link: false },
    ({ session }) =>
      session.put('/api/profile/password', {
        current_password: password,
        password: 'other-Battery-9',
        password_confirmation: 'other-Battery-9',
      }),
  ],
  [
    'a new password by HR',
    nothing,
    ({ person }) => admin.post(`/api/employees/${person.id}/reset-password`, { delivery: 'screen' }),
  ],
  ['the end of all sessions by HR', nothing, ({ person }) => admin.delete(`/api/employees/${person.id}/sessions`)],
  ['deactivation', nothing, ({ person }) => admin.post(`/api/employees/${person.id}/deactivate`, { reason })],
  ['deletion', nothing, ({ person }) => admin.delete(`/api/employees/${person.id}`)],
  [
    'leaving',
    nothing,
    ({ person }) => owner.query(`update employees set activity_status = 'inactive' where id = $1`, [person.id]),
  ],
  [
    'a sign-in switched off by provisioning',
    nothing,
    async ({ person }) => {
      const directory = await addConnection();
      const { body } = await directory.addUser(person.email, { emails: [{ value: person.email, type: 'work' }] });
      const { id } = body as { id: string };
      expect((await directory.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })).status).toBe(200);
    },
  ],
  [
    'a second factor taken away',
    { ...everything, session: false, other: false, link: false },
    async ({ person, session }) => {
      await enrol(session);
      await clearLastStep(owner);
      expect((await admin.delete(`/api/employees/${person.id}/second-factor`, { reason })).status).toBe(204);
    },
  ],
  [
    'another address',
    { ...everything, session: false, other: false, link: false },
    async ({ person }) => {
      const email = `new.${person.email}`;
      expect((await admin.put(`/api/employees/${person.id}`, { email })).status).toBe(200);
      // the new address confirms it
      const confirmed = await (await as()).post('/api/account-links/settle', { token: await secretTo(email) });
      expect(confirmed.status).toBe(200);
    },
  ],
  [
    'the loss of Admin',
    { ...everything, session: false, other: false, link: false },
    async ({ person }) => {
      const { rows } = await owner.query(`select id::int as role_id from roles where name = 'HR'`);
      expect((await admin.put(`/api/employees/${person.id}/roles`, { assignments: rows })).status).toBe(200);
    },
    ['Admin'],
  ],
];

test.each(events)('%s', async (_what, left, end, roles) => {
  const held = await holder(roles);
  expect(await held.look()).toEqual(everything);
  await end(held);
  expect(await held.look()).toEqual(left);
});

const domain = 'acme.example';

/** A provider with a separate company, a person with one of each, and their session through it. */
async function throughProvider(subject: string) {
  const company = await make.entity();
  const provider = await addProvider({ domains: [`${subject}.${domain}`], entity_ids: [company.id, acme.id] });
  const held = await holder(['HR'], { entity_id: company.id, email: `${subject}@${subject}.${domain}` });
  op.people.set(subject, { email: held.person.email, email_verified: true });
  const { status, browser } = await come(subject, provider);
  expect(status).toBe(200);
  const isOpen = async () => (await browser.get('/api/me')).status === 200;
  return { ...held, company, provider, isOpen };
}

test('a provider that is demanded: sessions of another door and links', async () => {
  const { company, provider, look, isOpen } = await throughProvider('demanded');
  const query = await op.visit((await admin.post(`/api/identity-providers/${provider}/test`)).body.data.url);
  expect((await admin.post(`/api/sso/${provider}/complete`, { query })).status).toBe(200);
  const glass = await make.employee({ roles: ['Admin'], password });
  await owner.query(
    "insert into authenticators (user_id, kind, name, confirmed_at) values ($1, 'totp', 'Phone', now())",
    [glass.user_id],
  );
  expect((await admin.put('/api/break-glass-accounts', { user_ids: [glass.user_id] })).status).toBe(200);
  const rule = { sso_required: true, sso_provider_ids: [provider] };
  const answer = await admin.put(`/api/sign-in-policies/${company.id}`, rule);
  expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  expect(await look()).toEqual({ ...everything, session: false, other: false, link: false });
  expect(await isOpen()).toBe(true);
});

test('a provider that is disabled: its sessions and links', async () => {
  const { provider, look, isOpen } = await throughProvider('disabled');
  expect((await admin.post(`/api/identity-providers/${provider}/disable`)).status).toBe(200);
  expect(await isOpen()).toBe(false);
  expect(await look()).toEqual({ ...everything, link: false });
});

test('a provider that covers a company no more: its sessions and links there', async () => {
  const { company, provider, look, isOpen } = await throughProvider('narrowed');
  const colleague = await make.employee({ entity_id: acme.id, email: `stays@narrowed.${domain}` });
  op.people.set('stays', { email: colleague.email, email_verified: true });
  const { browser } = await come('stays', provider);
  const cover = async (...entity_ids: number[]) =>
    expect((await admin.put(`/api/identity-providers/${provider}`, { entity_ids })).status).toBe(200);
  const [beta, path] = [await make.entity(), '/api/me'];
  await cover(acme.id, beta.id, company.id);
  expect([await isOpen(), (await browser.get(path)).status, await look()]).toEqual([true, 200, everything]);
  await cover(acme.id);
  expect([await isOpen(), (await browser.get(path)).status]).toEqual([false, 200]);
  expect(await look()).toEqual({ ...everything, link: false });
  await cover(acme.id, company.id);
  expect(await isOpen()).toBe(false);
});

test('a move to a company that the provider does not cover: its sessions', async () => {
  const { company, person, look, isOpen } = await throughProvider('moving');
  const beta = await make.entity();
  const move = async (id: number) => {
    const { id: department } = await make.department({ entity_id: id });
    const places = [person.id, id, department];
    await owner.query('update employees set entity_id = $2, department_id = $3 where id = $1', places);
  };
  await move(acme.id);
  expect([await isOpen(), await look()]).toEqual([true, everything]);
  await move(beta.id);
  expect([await isOpen(), await look()]).toEqual([false, everything]);
  await move(company.id);
  expect(await isOpen()).toBe(false);
});

test('a restored backup ends all, also of programs', async () => {
  const held = await holder();
  expect(await afterRestore(asOwner)).toHaveProperty('sessions');
  expect(await held.look()).toEqual({ ...nothing, program: false });
});
