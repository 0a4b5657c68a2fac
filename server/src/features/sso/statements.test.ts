import { expect, test } from 'vitest';
import { codeOf, enrol, clearLastStep } from '../../testing/factors.ts';
import { startSso } from '../../testing/single-sign-on.ts';
import { recordStatements } from '../../testing/statements.ts';

/** How many statements our part of a sign-in through a provider takes. */

const { op, as, deps, make, owner, addProvider, goThere, come } = await startSso();
const acme = await make.entity();
const plain = await addProvider({ domains: ['acme.example'] });
const grouping = await addProvider({ domains: ['groups.example'], groups_claim: 'groups' });
let serial = 0;
const sent = recordStatements(deps.pool);

/** Statements before and in the transaction; those that begin and end it come on top. */
const work = (statements: string[]) => statements.filter((text) => !/^(?:begin|commit)\b/.test(text));

/** A person who has already signed in through the provider, like most people. */
async function returning(id: number, domain: string) {
  serial += 1;
  const email = `someone${serial}@${domain}`;
  op.people.set(email, { email, email_verified: true, groups: ['Staff'] });
  const person = await make.employee({ entity_id: acme.id, email });
  expect((await come(email, id)).status).toBe(200);
  return { subject: email, person };
}

/** The statements of the provider's response, in a signed-out browser. */
async function statementsOf(subject: string, id: number) {
  op.person = subject;
  const browser = await as();
  const query = await goThere(browser, id);
  sent();
  expect((await browser.post(`/api/sso/${id}/complete`, { query })).status).toBe(200);
  return work(sent());
}

test('a sign-in through a provider takes nine statements', async () => {
  const { subject } = await returning(plain, 'acme.example');
  expect(await statementsOf(subject, plain)).toHaveLength(9);
});

test('and five more where its groups give roles: keep them, hold the person, its providers and the account, compare', async () => {
  const { subject } = await returning(grouping, 'groups.example');
  expect(await statementsOf(subject, grouping)).toHaveLength(14);
});

test('a session that ends with it takes two more: to find it and to end it', async () => {
  const { subject } = await returning(plain, 'acme.example');
  const { browser } = await come(subject, plain);
  const query = await goThere(browser, plain);
  sent();
  expect((await browser.post(`/api/sso/${plain}/complete`, { query })).status).toBe(200);
  expect(work(sent())).toHaveLength(11);
});

test('the second step takes sixteen, of which nine count its tries and one asks the provider', async () => {
  const { subject, person } = await returning(plain, 'acme.example');
  const { secret } = await enrol(await as(person.user_id));
  await clearLastStep(owner);
  const { browser } = await come(subject, plain);
  sent();
  expect((await browser.post('/two-factor-challenge', { code: codeOf(secret) })).status).toBe(200);
  expect(work(sent())).toHaveLength(16);
});
