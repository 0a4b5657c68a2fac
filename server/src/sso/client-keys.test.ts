import { createPrivateKey } from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import { openSecret } from '../crypto/sealed-column.ts';
import { databaseNow } from '../jobs/task.ts';
import { keyClient } from '../testing/openid-provider.ts';
import { startSso } from '../testing/single-sign-on.ts';
import { rotateKeys } from './client-keys.ts';

/** Providers that know the service by its key (`private_key_jwt`). */

const { op, app, admin, make, owner, addProvider, come, deps } = await startSso();
const entity = await make.entity();
const path = '/api/identity-providers';
const withKey = { client_id: keyClient, client_secret: undefined, client_auth: 'private_key_jwt' };
let serial = 0;

beforeEach(() => owner.query('delete from identity_domains'));

const published = async () => {
  // a response is cached for some seconds
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000 * (serial += 1));
  const answer = await app.inject({ url: '/sso/jwks.json' });
  vi.restoreAllMocks();
  return { answer, keys: (JSON.parse(answer.body) as { keys: Record<string, unknown>[] }).keys };
};
// the provider may request the keys at any rate
op.fetch = async () =>
  new Response((await published()).answer.body, { headers: { 'content-type': 'application/json' } });

async function known() {
  serial += 1;
  const [email, subject] = [`key${serial}@acme.example`, `key-${serial}`];
  op.people.set(subject, { email, email_verified: true });
  await make.employee({ entity_id: entity.id, email });
  return subject;
}
const rotate = async (days: number) => {
  await owner.query('update client_keys set signs_from = signs_from - make_interval(days => $1)', [days]);
  await rotateKeys({ deps, now: await databaseNow(deps.db) });
};

test('a provider knows the service by a key that it reads there, and no secret is asked for or kept', async () => {
  const id = await addProvider({ ...withKey, domains: ['acme.example'] });
  const { data } = (await admin.get(`${path}/${id}`)).body;
  expect(data).toMatchObject({
    client_auth: 'private_key_jwt',
    has_client_secret: false,
    keys_address: 'http://localhost:8000/sso/jwks.json',
  });
  const { answer, keys } = await published();
  expect([answer.headers['cache-control'], answer.headers['set-cookie']]).toEqual(['public, max-age=300', undefined]);
  expect(keys).toEqual([
    {
      kty: 'EC',
      crv: 'P-256',
      x: expect.any(String),
      y: expect.any(String),
      kid: expect.any(String),
      use: 'sig',
      alg: 'ES256',
    },
  ]);
  expect((await come(await known(), id)).status).toBe(200);
  const { rows } = await owner.query('select id, private_key from client_keys');
  expect(rows[0].private_key).toMatch(/^1\.[0-9a-f]{12}\./);
  const place = { table: 'client_keys', column: 'private_key', id: Number(rows[0].id) };
  const der = openSecret(deps.ring, place, rows[0].private_key as string)?.plain as Buffer;
  expect(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).asymmetricKeyType).toBe('ec');
});

test('a key is published before it signs and after it did, so that every sign-in of a rotation works', async () => {
  const id = await addProvider({ ...withKey, domains: ['acme.example'] });
  const first = (await published()).keys.map(({ kid }) => kid);
  expect(first).toHaveLength(1);
  await rotate(89);
  expect((await published()).keys).toHaveLength(1);
  await rotate(2);
  const both = (await published()).keys.map(({ kid }) => kid);
  expect(both).toEqual([...first, expect.any(String)]);
  await rotate(0);
  expect((await published()).keys).toHaveLength(2);
  // the new key does not sign yet
  op.asserted.length = 0;
  expect((await come(await known(), id)).status).toBe(200);
  await rotate(1);
  expect((await published()).keys).toHaveLength(2);
  // the provider reads the keys again after a minute
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
  expect((await come(await known(), id)).status).toBe(200);
  vi.useRealTimers();
  expect(op.asserted.map(({ kid }) => kid)).toEqual(both);
  await rotate(1);
  expect((await published()).keys.map(({ kid }) => kid)).toEqual([both[1]]);
  expect((await come(await known(), id)).status).toBe(200);
  expect(op.asserted.map(({ alg, aud }) => [alg, aud])).toEqual(Array.from({ length: 3 }, () => ['ES256', op.issuer]));
});

test('a way to authenticate is changed with what it needs; keys go with the last provider that knows one', async () => {
  const id = await addProvider({ client_id: keyClient });
  const url = `${path}/${id}`;
  const stored = async () =>
    (await owner.query('select client_secret is null as is_gone from identity_providers where id = $1', [id])).rows[0];
  expect(await stored()).toEqual({ is_gone: false });
  expect((await admin.put(url, { client_auth: 'private_key_jwt' })).body.data).toMatchObject({
    client_auth: 'private_key_jwt',
    has_client_secret: false,
  });
  expect(await stored()).toEqual({ is_gone: true });
  const back = await admin.put(url, { client_auth: 'client_secret_post' });
  expect([back.status, back.body.errors]).toEqual([422, { client_secret: [expect.stringContaining('required')] }]);
  const sent = { client_auth: 'client_secret_post', client_secret: 'a secret' };
  expect((await admin.put(url, sent)).body.data).toMatchObject({
    client_auth: 'client_secret_post',
    has_client_secret: true,
  });
  const made = await admin.post(path, { name: 'Without', issuer: op.issuer, client_id: 'x' });
  expect([made.status, Object.keys(made.body.errors as object)]).toEqual([422, ['client_secret']]);
  await owner.query('update identity_providers set uses_key = false');
  await rotate(0);
  expect((await published()).keys).toEqual([]);
});

test('a key that can not be read any more is replaced when a provider is saved', async () => {
  const id = await addProvider(withKey);
  await owner.query('update client_keys set private_key = null');
  const { body } = await admin.put(`${path}/${id}`, { name: 'With a new key' });
  expect(body.data.client_auth).toBe('private_key_jwt');
  expect((await published()).keys).toHaveLength(2);
});
