import { expect, test } from 'vitest';
import { opClient } from '../../testing/openid-provider.ts';
import { startSso } from '../../testing/single-sign-on.ts';

/** Only one enabled provider can have a domain; its successor can be prepared with the same domain. */

const { op, admin, as, owner, addProvider } = await startSso();
const path = '/api/identity-providers';
let serial = 0;
const prepare = async (fields: Record<string, unknown>) => {
  serial += 1;
  const { status, body } = await admin.post(path, {
    name: `Next ${serial}`,
    issuer: op.issuer,
    ...opClient,
    ...fields,
  });
  expect([status, body.errors]).toEqual([201, undefined]);
  return body.data.id as number;
};
const domainsOf = async (id: number) => (await admin.get(`${path}/${id}`)).body.data.domains;
const enable = (id: number) => admin.post(`${path}/${id}/enable`, {});
const disable = (id: number) => admin.post(`${path}/${id}/disable`, {});
const offered = async (domain: string) =>
  (await (await as()).post('/api/sign-in/options', { email: `a@${domain}` })).body.data.provider?.id ?? null;

test('a provider that is off may have the domains of one that is on, and takes its place', async () => {
  const former = await addProvider({ name: 'Former', domains: ['both.example', 'former.example'] });
  const next = await prepare({ domains: ['both.example', 'next.example'] });
  expect([await domainsOf(next), await offered('both.example'), await offered('next.example')]).toEqual([
    ['both.example', 'next.example'],
    former,
    null,
  ]);
  const { status, body } = await enable(next);
  const refusal =
    'both.example belongs to Former, which is enabled. Disable it first, or remove the domain from one of them.';
  expect([status, body.errors]).toEqual([422, { domains: [refusal] }]);
  await disable(former);
  expect((await enable(next)).status).toBe(200);
  expect([await offered('both.example'), await offered('former.example')]).toEqual([next, null]);
  expect(await domainsOf(former)).toEqual(['both.example', 'former.example']);
  expect((await enable(former)).body.errors).toHaveProperty('domains');
});

test('a provider that is on gets no domain of another one that is on', async () => {
  await addProvider({ name: 'Owner', domains: ['owned.example'] });
  const id = await addProvider({ name: 'Other', domains: ['other.example'] });
  const { status, body } = await admin.put(`${path}/${id}`, { domains: ['owned.example'] });
  expect([status, Object.keys(body.errors)]).toEqual([422, ['domains']]);
  expect(await domainsOf(id)).toEqual(['other.example']);
  expect((await admin.put(`${path}/${id}`, { domains: ['another.example'] })).status).toBe(200);
  expect([await offered('other.example'), await offered('another.example')]).toEqual([null, id]);
});

test('of two that are enabled at the same moment one has the domain', async () => {
  const ids = [await prepare({ domains: ['race.example'] }), await prepare({ domains: ['race.example'] })];
  const answers = await Promise.all(ids.map(enable));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  expect(ids).toContain(await offered('race.example'));
});

test('the release before writes the domains of a provider that is on, and enables one that is off', async () => {
  const id = await addProvider({ name: 'Mixed', domains: ['mixed.example'] });
  const next = await prepare({ domains: ['added.example'] });
  await owner.query("insert into identity_domains (domain, provider_id) values ('added.example', $1)", [id]);
  await owner.query("delete from identity_domains where domain = 'mixed.example'");
  expect(await domainsOf(id)).toEqual(['added.example']);
  const on = () => owner.query('update identity_providers set is_enabled = true where id = $1', [next]);
  await expect(on()).rejects.toThrow('identity_domains_domain_key');
  // a disabled provider can get a domain too, which then does not block others
  await owner.query("insert into identity_domains (domain, provider_id) values ('mixed.example', $1)", [next]);
  expect(await domainsOf(next)).toEqual(['added.example', 'mixed.example']);
  await owner.query('update identity_providers set is_enabled = false where id = $1', [id]);
  await on();
  expect([await offered('added.example'), await offered('mixed.example')]).toEqual([next, next]);
});
