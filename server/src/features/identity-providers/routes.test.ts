import { createServer } from 'node:https';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { identityProviders } from '@tenure/contract';
import { afterAll, describe, expect, test } from 'vitest';
import { certificateFor } from '../../testing/certificates.ts';
import { startApp } from '../../testing/app.ts';
import { opClient } from '../../testing/openid-provider.ts';
import { reachable, startSso } from '../../testing/single-sign-on.ts';

const { op, as, admin, make, owner, addProvider, come, deps } = await startSso();
const acme = await make.entity();
const beta = await make.entity();
const domain = 'acme.example';
const path = '/api/identity-providers';
let serial = 0;
const body = (fields: Record<string, unknown> = {}) => {
  serial += 1;
  return { name: `Made ${serial}`, issuer: op.issuer, ...opClient, ...fields };
};
const auditOf = async (id: number) =>
  (
    await owner.query(
      "select action, changes from audit_log where subject_type = 'identity_provider' and subject_id = $1 order by id",
      [id],
    )
  ).rows;

describe('a provider', () => {
  test('is read from its discovery document, kept sealed, and off', async () => {
    const { status, body: made } = await admin.post(path, body({ domains: ['New.Example'], entity_ids: [acme.id] }));
    expect([status, made.message]).toEqual([201, 'Provider added. People can sign in with it once it is enabled.']);
    const { id } = made.data;
    expect(made.data).toMatchObject({
      is_enabled: false,
      issuer: op.issuer,
      client_auth: 'client_secret_basic',
      has_client_secret: true,
      scopes: ['openid', 'profile', 'email'],
      domains: ['new.example'],
      entity_ids: [acme.id],
      match_rule: 'verified_email',
      return_address: `http://localhost:8000/sso/callback/${id}`,
      backchannel_address: `http://localhost:8000/sso/${id}/backchannel-logout`,
      signed_out_address: 'http://localhost:8000/login',
      sends_logout: true,
      linked_count: 0,
      unmatched_count: 0,
      allowed_actions: ['update', 'enable', 'delete'],
    });
    expect(JSON.stringify(made)).not.toContain(opClient.client_secret);
    const { rows } = await owner.query('select client_secret, metadata from identity_providers where id = $1', [id]);
    expect(rows[0].client_secret).toMatch(/^1\.[0-9a-f]{12}\./);
    expect(rows[0].metadata).toMatchObject({ token_endpoint: `${op.issuer}/token` });
    const [entry] = await auditOf(id);
    expect(entry.action).toBe('identity_provider.created');
    expect(entry.changes.client_secret).toEqual({ from: null, to: '[hidden]' });
  });

  test('is changed field by field; a secret that is left out stays', async () => {
    const id = await addProvider({ domains: ['one.example'] });
    const sealed = async () =>
      (await owner.query('select client_secret from identity_providers where id = $1', [id])).rows[0].client_secret;
    const before = await sealed();
    const { revision } = (await admin.get(`${path}/${id}`)).body.data;
    const change = { name: 'Renamed', domains: ['two.example'], scopes: ['email', 'groups'], revision };
    const changed = await admin.put(`${path}/${id}`, change);
    expect([changed.status, changed.body.data]).toEqual([
      200,
      expect.objectContaining({ name: 'Renamed', domains: ['two.example'], scopes: ['openid', 'email', 'groups'] }),
    ]);
    expect(await sealed()).toBe(before);
    expect((await admin.put(`${path}/${id}`, { name: 'Stale', revision })).status).toBe(422);
    expect((await admin.put(`${path}/${id}`, { client_secret: 'another' })).status).toBe(200);
    expect(await sealed()).not.toBe(before);
    const last = (await auditOf(id)).at(-1);
    expect(last.changes).toEqual({ client_secret: { from: null, to: '[hidden]' } });
  });

  test('keeps its revision and its entries when it is saved as it was read', async () => {
    const id = await addProvider({ domains: ['same.example', 'also.example'], entity_ids: [acme.id] });
    const found = (await admin.get(`${path}/${id}`)).body.data;
    const { subject_attribute: _saml, address_attribute: _also, ...rest } = identityProviders.update.body.shape;
    const fields = Object.keys(rest).filter((field) => field in found);
    const sent = Object.fromEntries(fields.map((field) => [field, found[field]]));
    const entries = await auditOf(id);
    const { status, body: saved } = await admin.put(`${path}/${id}`, sent);
    expect([status, saved.errors, saved.data]).toEqual([200, undefined, found]);
    expect(await auditOf(id)).toEqual(entries);
  });

  test('keeps its issuer and its subjects once accounts are linked', async () => {
    const id = await addProvider({ domains: ['kept.example'] });
    op.people.set('kept', { email: 'a@kept.example', email_verified: true });
    await make.employee({ email: 'a@kept.example' });
    expect((await come('kept', id)).status).toBe(200);
    expect((await admin.put(`${path}/${id}`, { subject_claim: 'oid' })).body.errors).toHaveProperty('subject_claim');
    expect((await admin.put(`${path}/${id}`, { issuer: `${op.issuer}/other` })).body.errors).toHaveProperty('issuer');
  });

  test('that is disabled or removed ends the sessions that came from it, and no others', async () => {
    const id = await addProvider({ domains: ['ended.example'] });
    op.people.set('ended', { email: 'a@ended.example', email_verified: true });
    const person = await make.employee({ email: 'a@ended.example' });
    const { browser } = await come('ended', id);
    const other = await as(person.user_id);
    expect((await browser.get('/api/me')).status).toBe(200);
    expect((await admin.post(`${path}/${id}/disable`, {})).body.data.is_enabled).toBe(false);
    expect([(await browser.get('/api/me')).status, (await other.get('/api/me')).status]).toEqual([401, 200]);
    expect((await admin.post(`${path}/${id}/enable`, {})).status).toBe(200);
    const again = (await come('ended', id)).browser;
    expect((await admin.delete(`${path}/${id}`)).status).toBe(204);
    expect([(await again.get('/api/me')).status, (await admin.get(`${path}/${id}`)).status]).toEqual([401, 404]);
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(
      ['created', 'enabled', 'disabled', 'enabled', 'deleted'].map((verb) => `identity_provider.${verb}`),
    );
  });

  test('that a rule demands cannot be taken away', async () => {
    const id = await addProvider();
    await owner.query(
      'insert into sign_in_policies (entity_id, sso_required, sso_provider_ids) values ($1, true, array[$2::bigint])',
      [beta.id, id],
    );
    for (const answer of [await admin.post(`${path}/${id}/disable`, {}), await admin.delete(`${path}/${id}`)])
      expect([answer.status, answer.body.message]).toEqual([
        422,
        'This provider can’t be disabled or deleted: a sign-in rule requires it.',
      ]);
    const narrow = await admin.put(`${path}/${id}`, { entity_ids: [acme.id] });
    expect([narrow.status, narrow.body.errors]).toEqual([
      422,
      { entity_ids: ['A sign-in rule requires this provider for another company.'] },
    ]);
    expect((await admin.put(`${path}/${id}`, { entity_ids: [beta.id] })).status).toBe(200);
    await owner.query('delete from sign_in_policies where entity_id = $1', [beta.id]);
  });

  test.each([
    ['name', { name: 'x' }, 'The name field must be at least 2 characters.'],
    ['issuer', { issuer: '' }, 'The issuer field is required.'],
    ['client_id', { client_id: '' }, 'The client identifier field is required.'],
    ['client_secret', { client_secret: '' }, 'The client secret field is required.'],
    ['issuer', { issuer: 'http://op.test' }, 'Enter a link that starts with https:// or http://.'],
    ['issuer', { issuer: 'https://op.test/?x' }, 'Enter a link that starts with https:// or http://.'],
    ['second_factor_values', { second_factor: 'values' }, 'The values field is required.'],
    ['address_claim', { address_claim: 'upn' }, 'The selected claim with the address is invalid.'],
  ])('with a wrong %s is refused: %j', async (field, fields, message) => {
    const { status, body: refused } = await admin.post(path, body(fields));
    expect([status, Object.keys(refused.errors)]).toEqual([422, [field]]);
    expect(refused.errors[field]).toEqual([message]);
  });

  test('is for companies that are there', async () => {
    const { status, body: refused } = await admin.post(path, body({ entity_ids: [acme.id, 987_654] }));
    expect([status, Object.keys(refused.errors)]).toEqual([422, ['entity_ids']]);
  });

  test('has a name of its own', async () => {
    const first = body();
    expect((await admin.post(path, first)).status).toBe(201);
    expect((await admin.post(path, body({ name: first.name.toUpperCase() }))).body.errors).toHaveProperty('name');
  });

  test('is for administrators alone', async () => {
    for (const roles of [['HR'], ['Employee']] as const) {
      const client = await as((await make.employee({ roles })).user_id);
      for (const answer of [await client.get(path), await client.post(path, body())]) expect(answer.status).toBe(403);
    }
    expect((await (await as()).get(path)).status).toBe(401);
  });
});

describe('N9: discovery', () => {
  const tls = certificateFor('evil.test', '127.0.0.1');
  const host = async (answer: RequestListener) => {
    const server = createServer(tls, answer);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    afterAll(() => {
      server.close();
      server.closeAllConnections();
    });
    return `https://evil.test:${(server.address() as AddressInfo).port}`;
  };
  const document = (issuer: string) =>
    JSON.stringify({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
    });
  const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  const adding = async (issuer: string, settings: Record<string, string> = reachable) => {
    const app = await startApp(settings, { door: { ca: tls.cert, resolve } });
    const client = await app.as((await app.make.admin()).user_id);
    const answer = await client.post(path, { name: 'Evil', issuer, ...opClient });
    const { rowCount } = await app.owner.query('select from identity_providers');
    return [answer.status, answer.body.errors?.issuer?.[0], rowCount];
  };
  const noProvider = 'The issuer field is not the address of an OpenID Connect provider.';

  test('works where the document names its issuer, which shows that the others are refused for their faults', async () => {
    const issuer = await host((_, response) => response.end(document(issuer)));
    expect(await adding(issuer)).toEqual([201, undefined, 1]);
  });

  test('of a document that names another issuer is refused', async () => {
    const issuer = await host((_, response) => response.end(document(`${issuer}/`)));
    const message = `The provider at this address calls itself ${issuer}/. Enter exactly that.`;
    expect(await adding(issuer)).toEqual([422, message, 0]);
  });

  test.each([
    [
      'a redirect',
      (_: unknown, response: Parameters<RequestListener>[1]) => response.writeHead(302, { location: '/x' }).end(),
    ],
    ['no JSON', (_: unknown, response: Parameters<RequestListener>[1]) => response.end('<html>')],
    ['an error', (_: unknown, response: Parameters<RequestListener>[1]) => response.writeHead(500).end('{}')],
    ['no endpoints', (_: unknown, response: Parameters<RequestListener>[1]) => response.end('{"issuer":"x"}')],
  ])('that answers %s is refused', async (_what, answer) => {
    expect(await adding(await host(answer))).toEqual([422, noProvider, 0]);
  });

  test('that sends without end is cut off', async () => {
    const issuer = await host((_, response) => {
      const more = () => response.write(Buffer.alloc(65_536, 'x')) && setImmediate(more);
      response.on('drain', more);
      more();
    });
    expect(await adding(issuer)).toEqual([
      422,
      'The issuer field could not be checked: the address does not answer.',
      0,
    ]);
  });

  test('of what must not be reached is refused, endpoints included', async () => {
    const issuer = await host((_, response) => response.end(document(issuer)));
    const inside = await host((_, response) =>
      response.end(document(inside).replace(`${inside}/jwks`, 'https://169.254.169.254/latest')),
    );
    const message = 'This address cannot be reached from here.';
    expect(await adding(issuer, {})).toEqual([422, message, 0]);
    expect(await adding('https://127.0.0.1:8000', {})).toEqual([422, message, 0]);
    expect(await adding(inside)).toEqual([422, message, 0]);
  });

  test.each(['common', 'organizations', 'consumers', 'Common', '9188040d-6c67-4c5b-b112-36a304b66dad'])(
    'of an issuer of many organisations is refused: %s',
    async (tenant) => {
      const [status, message] = await adding(`https://login.microsoftonline.com/${tenant}/v2.0`);
      expect([status, message]).toEqual([
        422,
        'The issuer field is an address that many organisations share. Enter the one of your own organisation.',
      ]);
    },
  );
});

describe('people who tried', async () => {
  const id = await addProvider({ domains: [domain], entity_ids: [acme.id] });
  const hr = await as(
    (await make.employee({ entity_id: acme.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] })).user_id,
  );
  const otherHr = await as(
    (await make.employee({ entity_id: beta.id, roles: [{ role: 'HR', entity_ids: [beta.id] }] })).user_id,
  );
  const tried = async (subject: string, claims: Record<string, unknown> = {}) => {
    op.people.set(subject, {
      email: `${subject}@elsewhere.example`,
      email_verified: true,
      name: `Name ${subject}`,
      ...claims,
    });
    expect((await come(subject, id)).status).toBe(422);
    const { rows } = await owner.query('select id from sso_unmatched where subject = $1', [subject]);
    return Number(rows[0].id);
  };
  const listed = async (client = hr) => (await client.get(`${path}/${id}/unmatched`)).body.data;

  test('are listed for HR of the companies of the provider, once each', async () => {
    await tried('eve');
    await tried('eve');
    expect(await listed()).toEqual([
      expect.objectContaining({ subject: 'eve', email: 'eve@elsewhere.example', name: 'Name eve', tries: 2 }),
    ]);
    expect((await otherHr.get(`${path}/${id}/unmatched`)).status).toBe(404);
    expect((await admin.get(`${path}/${id}`)).body.data.unmatched_count).toBe(1);
  });

  test('are linked to a person, who signs in from then on and hears of it', async () => {
    const row = await tried('fay');
    const person = await make.employee({ entity_id: acme.id });
    const linked = await hr.post(`${path}/${id}/unmatched/${row}/link`, { employee_id: person.id });
    expect([linked.status, linked.body.data]).toEqual([200, { id: row, employee_id: person.id }]);
    const { browser, status } = await come('fay', id);
    expect([status, (await browser.get('/api/me')).body.data.user.id]).toEqual([200, person.user_id]);
    const { rows } = await owner.query(
      "select variant from notifications where user_id = $1 and variant = 'identity_linked'",
      [person.user_id],
    );
    expect(rows).toHaveLength(1);
    expect(await listed()).not.toContainEqual(expect.objectContaining({ subject: 'fay' }));
  });

  test('are linked to no account that HR could not open itself', async () => {
    const row = await tried('gil');
    const link = (employee_id: number, client = hr) =>
      client.post(`${path}/${id}/unmatched/${row}/link`, { employee_id });
    const boss = await make.employee({ entity_id: acme.id, roles: ['HR'] });
    const foreign = await make.employee({ entity_id: beta.id });
    const root = await make.employee({ entity_id: acme.id, roles: ['Admin'] });
    expect((await link(boss.id)).status).toBe(403);
    expect((await link(foreign.id)).status).toBe(422);
    expect((await link(root.id)).status).toBe(403);
    expect((await link(root.id, admin)).status).toBe(422);
    expect((await owner.query("select from user_identities where subject = 'gil'")).rowCount).toBe(0);
  });

  test('are removed by hand, by time, and beyond a thousand', async () => {
    const { deleteSsoTries } = await import('../../jobs/housekeeping.ts');
    const row = await tried('hal');
    expect((await hr.delete(`${path}/${id}/unmatched/${row}`)).status).toBe(204);
    await owner.query(
      `insert into sso_unmatched (provider_id, subject, last_try_at)
       select $1, 'many-' || n, now() - make_interval(mins => n) from generate_series(1, 1200) as n`,
      [id],
    );
    await tried('ida');
    const count = async () => (await owner.query('select from sso_unmatched where provider_id = $1', [id])).rowCount;
    expect(await count()).toBe(1_000);
    await owner.query("update sso_unmatched set last_try_at = now() - interval '31 days' where subject <> 'ida'");
    await deleteSsoTries({ deps, now: Temporal.Now.instant() });
    expect(await count()).toBe(1);
  });
});
