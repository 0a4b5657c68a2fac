import { beforeEach, expect, test } from 'vitest';
import { startSso } from '../../testing/single-sign-on.ts';
import { togetherIn } from '../../testing/together.ts';

/** While a provider is required, one account can sign in without it, even if two administrators act at once. */

const { op, admin, make, owner, addProvider } = await startSso();
const acme = await make.entity();
const id = await addProvider({ domains: ['acme.example'], entity_ids: [acme.id] });
const path = `/api/sign-in-policies/${acme.id}`;
const required = { sso_required: true, sso_provider_ids: [id] };
const reason = 'Lost the phone; called back at the desk.';

const addFactor = (userId: number) =>
  owner.query("insert into authenticators (user_id, kind, name, confirmed_at) values ($1, 'totp', 'Phone', now())", [
    userId,
  ]);
async function helper() {
  const person = await make.employee({ entity_id: acme.id, password: 'Str0ng!Passw0rd', roles: ['Admin'] });
  await addFactor(person.user_id);
  return person;
}
const choose = async (...people: { user_id: number }[]) =>
  (await admin.put('/api/break-glass-accounts', { user_ids: people.map(({ user_id }) => user_id) })).status;
async function testProvider() {
  op.person = 'tester';
  op.people.set('tester', { email: 'tester@acme.example', email_verified: true });
  const { body } = await admin.post(`/api/identity-providers/${id}/test`);
  await admin.post(`/api/sso/${id}/complete`, { query: await op.visit(body.data.url as string) });
}
const someoneGetsIn = async () => (await owner.query('select has_emergency_account() as so')).rows[0].so as boolean;

type Work = () => Promise<{ status: number }>;
/** Runs both until each is blocked or done while the other is uncommitted; returns their statuses. */
const together = async (...both: [Work, Work]) => (await togetherIn(owner)(...both)).map(({ status }) => status);

const [ann, ben] = [await helper(), await helper()];
const resetOf = (person: { id: number }) => () => admin.delete(`/api/employees/${person.id}/second-factor`, { reason });
beforeEach(async () => {
  await admin.delete(path);
  await owner.query('delete from authenticators');
  await addFactor(ann.user_id);
  await addFactor(ben.user_id);
  await testProvider();
});

test('the factors of two emergency accounts are not both taken away', async () => {
  expect(await choose(ann, ben)).toBe(200);
  expect((await admin.put(path, required)).status).toBe(200);
  expect(await together(resetOf(ann), resetOf(ben))).toEqual([204, 422]);
  expect(await someoneGetsIn()).toBe(true);
});

test.each(['the factor', 'the rule'])('a rule does not begin while the only factor goes: %s first', async (first) => {
  expect(await choose(ann)).toBe(200);
  const begin = () => admin.put(path, required);
  const statuses = first === 'the rule' ? await together(begin, resetOf(ann)) : await together(resetOf(ann), begin);
  expect(statuses).toEqual([first === 'the rule' ? 200 : 204, 422]);
  expect(await someoneGetsIn()).toBe(true);
});

test('a rule does not begin while the only emergency account loses Admin', async () => {
  const cid = await helper();
  expect(await choose(cid)).toBe(200);
  const lose = () => admin.put(`/api/employees/${cid.id}/roles`, { assignments: [] });
  const statuses = await together(lose, () => admin.put(path, required));
  expect(statuses).toEqual([200, 422]);
  expect(await someoneGetsIn()).toBe(true);
});

test('an account whose factor is being removed becomes no emergency account', async () => {
  expect(await choose(ann)).toBe(200);
  const statuses = await together(resetOf(ben), () =>
    admin.put('/api/break-glass-accounts', { user_ids: [ann.user_id, ben.user_id] }),
  );
  expect(statuses).toEqual([204, 422]);
});
