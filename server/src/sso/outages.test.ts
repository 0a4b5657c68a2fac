import { expect, test } from 'vitest';
import { startSso } from '../testing/single-sign-on.ts';
import { checkProviders } from './check-providers.ts';

/** Administrators are notified of a failing provider, once per outage, and its page shows since when. */

const { op, admin, as, make, deps, owner, addProvider, goThere, come } = await startSso();
const acme = await make.entity();
op.people.set('sub-1', { email: 'known@acme.example', email_verified: true });
await make.employee({ entity_id: acme.id, email: 'known@acme.example' });
const path = '/api/identity-providers';
let serial = 0;
const newProvider = async () => {
  serial += 1;
  return addProvider({ name: `Failing ${serial}` });
};
const failing = async (id: number) => (await admin.get(`${path}/${id}`)).body.data.failing;
const reasonOf = async (id: number) => (await failing(id))?.reason ?? null;
const notices = async (id: number) =>
  (
    await owner.query(
      "select variant, url, params from notifications where event = 'provider_failing' and subject_id = $1 order by id",
      [id],
    )
  ).rows;
const setSecret = async (id: number, client_secret: string) =>
  expect((await admin.put(`${path}/${id}`, { client_secret })).status).toBe(200);
const check = () => checkProviders({ deps, now: Temporal.Now.instant() });

test('a secret that the provider refuses notifies administrators once, until a sign-in works in between', async () => {
  const id = await newProvider();
  expect(await failing(id)).toBeNull();
  await setSecret(id, 'an-ended-secret');
  for (let count = 0; count < 3; count += 1) expect((await come('sub-1', id)).status).toBe(422);
  expect(await failing(id)).toEqual({ since: expect.stringMatching(/^20.*Z$/), reason: 'refused' });
  const notice = {
    variant: 'refused',
    url: `/settings/sign-in?provider=${id}`,
    params: { provider: `Failing ${serial}` },
  };
  expect(await notices(id)).toEqual([notice]);
  const { body } = await admin.get('/api/notifications?event=provider_failing');
  expect(body.data[0]).toMatchObject({
    title: `People can’t sign in through Failing ${serial}`,
    data: { url: `/settings/sign-in?provider=${id}` },
  });
  await setSecret(id, 'a-secret-of-the-provider');
  expect(await reasonOf(id)).toBe('refused');
  await come('sub-1', id);
  expect(await failing(id)).toBeNull();
  await setSecret(id, 'an-ended-secret');
  await come('sub-1', id);
  expect(await notices(id)).toEqual([notice, notice]);
});

test('several failures at a time notify once', async () => {
  const id = await newProvider();
  await setSecret(id, 'an-ended-secret');
  await Promise.all(Array.from({ length: 5 }, () => come('sub-1', id)));
  expect(await notices(id)).toHaveLength(1);
});

test('what comes by the browser says nothing of the provider', async () => {
  const id = await newProvider();
  const browser = await as();
  const start = async () =>
    new URL((await browser.post(`/api/sso/${id}/start`, {})).body.data.url).searchParams.get('state');
  for (const answer of ['error=invalid_client', 'error=server_error', 'code=made-up', 'code=x&iss=https://op.test']) {
    const query = `?${answer}&state=${await start()}`;
    expect((await browser.post(`/api/sso/${id}/complete`, { query })).status).toBe(422);
  }
  const stolen = await goThere(await as(), id);
  const query = new URLSearchParams(stolen);
  query.set('state', (await start()) ?? '');
  expect((await browser.post(`/api/sso/${id}/complete`, { query: `?${query.toString()}` })).status).toBe(422);
  expect([await failing(id), await notices(id)]).toEqual([null, []]);
});

test('an ID token that is not accepted notifies them', async () => {
  const id = await newProvider();
  op.bend = ({ claims }) => ({ claims: { ...claims, aud: 'another' } });
  await come('sub-1', id);
  op.bend = null;
  expect(await reasonOf(id)).toBe('answer');
  expect(await notices(id)).toMatchObject([{ variant: 'plain' }]);
});

test('a provider that does not answer once is shown; the third time notifies them', async () => {
  const id = await newProvider();
  await owner.query(
    `update identity_providers set metadata = jsonb_set(metadata, '{token_endpoint}', '"https://op.test:1/token"') where id = $1`,
    [id],
  );
  for (const count of [0, 0, 1]) {
    expect((await come('sub-1', id)).status).toBe(503);
    expect([await reasonOf(id), (await notices(id)).length]).toEqual(['away', count]);
  }
});

test('a discovery document that can not be read, or names another issuer, notifies them; reading it ends that', async () => {
  const id = await newProvider();
  op.discovery = { issuer: 'https://op.test' };
  await check();
  await check();
  expect(await reasonOf(id)).toBe('issuer');
  op.discovery = { jwks_uri: 'no address' };
  await check();
  expect(await reasonOf(id)).toBe('unreadable');
  expect(await notices(id)).toMatchObject([{ variant: 'issuer' }]);
  await come('sub-1', id);
  expect(await reasonOf(id)).toBe('unreadable');
  op.discovery = {};
  await check();
  expect(await failing(id)).toBeNull();
});

test('a provider that is off fails no one, and is forgotten', async () => {
  const id = await newProvider();
  await setSecret(id, 'an-ended-secret');
  await come('sub-1', id);
  await admin.post(`${path}/${id}/disable`, {});
  op.discovery = { issuer: 'https://op.test' };
  await check();
  op.discovery = {};
  await admin.post(`${path}/${id}/enable`, {});
  expect([await failing(id), (await notices(id)).length]).toEqual([null, 1]);
});
