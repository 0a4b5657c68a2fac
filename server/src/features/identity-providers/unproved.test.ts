import { expect, test } from 'vitest';
import { opClient } from '../../testing/openid-provider.ts';
import { startSso } from '../../testing/single-sign-on.ts';

/** An unverified address finds an account only through a claim that the organisation assigns. */

const { op, admin, make, owner, addProvider, come } = await startSso();
const acme = await make.entity();
const path = '/api/identity-providers';
const refusal = {
  address_claim: [
    'The claim with the address field can’t be email without verification: many providers let people enter it themselves. Choose preferred_username or upn.',
  ],
};

test.each([[{}], [{ address_claim: 'email' }]])(
  'a new provider does not find people by the claim email: %j',
  async (fields) => {
    const sent = { name: 'Open', issuer: op.issuer, ...opClient, match_rule: 'tenant_address', ...fields };
    const { status, body } = await admin.post(path, sent);
    expect([status, body.errors]).toEqual([422, refusal]);
  },
);

test('nor does one that is changed; by another claim it does', async () => {
  const id = await addProvider({ domains: ['acme.example'] });
  expect((await admin.put(`${path}/${id}`, { match_rule: 'tenant_address' })).body.errors).toEqual(refusal);
  const proved = { match_rule: 'tenant_address', address_claim: 'preferred_username' };
  expect((await admin.put(`${path}/${id}`, proved)).status).toBe(200);
  expect((await admin.put(`${path}/${id}`, { address_claim: 'email' })).body.errors).toEqual(refusal);
  const { email } = await make.employee({ entity_id: acme.id, email: 'known@acme.example' });
  op.people.set('by-email', { email });
  op.people.set('by-name', { preferred_username: email });
  expect((await come('by-email', id)).status).toBe(422);
  expect((await come('by-name', id)).status).toBe(200);
});

test('an issuer of many organisations is not one whose addresses are trusted', async () => {
  const shared =
    'The rule for the first sign-in field is an address that many organisations share. Enter the one of your own organisation.';
  const { client_id, client_secret } = opClient;
  const sent = { name: 'All', issuer: 'https://accounts.google.com', client_id, client_secret };
  const rule = { match_rule: 'tenant_address', address_claim: 'upn' };
  const { status, body } = await admin.post(path, { ...sent, ...rule });
  expect([status, body.errors]).toEqual([422, { match_rule: [shared] }]);
  const id = await addProvider();
  await owner.query('update identity_providers set issuer = $2 where id = $1', [id, sent.issuer]);
  expect((await admin.put(`${path}/${id}`, rule)).body.errors).toEqual(body.errors);
  const { rows } = await owner.query('select issuer, match_rule from identity_providers where issuer = $1', [
    sent.issuer,
  ]);
  expect(rows).toEqual([{ issuer: sent.issuer, match_rule: 'verified_email' }]);
});

test('one of an earlier release goes on, and can be changed otherwise', async () => {
  const id = await addProvider({ domains: ['beta.example'] });
  await owner.query("update identity_providers set match_rule = 'tenant_address' where id = $1", [id]);
  const { email } = await make.employee({ entity_id: acme.id, email: 'known@beta.example' });
  op.people.set('former', { email });
  expect((await come('former', id)).status).toBe(200);
  expect((await admin.put(`${path}/${id}`, { name: 'Renamed' })).status).toBe(200);
  expect((await admin.put(`${path}/${id}`, { address_claim: 'upn' })).status).toBe(200);
  expect((await admin.put(`${path}/${id}`, { address_claim: 'email' })).body.errors).toEqual(refusal);
});
