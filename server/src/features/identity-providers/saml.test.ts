import { createServer } from 'node:https';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { certificateFor, rsaCertificate } from '../../testing/certificates.ts';
import { startApp } from '../../testing/app.ts';
import { opClient, toThisMachine } from '../../testing/openid-provider.ts';
import { startSaml } from '../../testing/saml-sign-on.ts';
import { reachable } from '../../testing/single-sign-on.ts';

const { admin, as, make, owner, idp, addProvider, come } = await startSaml();
const path = '/api/identity-providers';
let serial = 0;
const body = (fields: Record<string, unknown> = {}) => {
  serial += 1;
  return { kind: 'saml', name: `Made ${serial}`, metadata_xml: idp.metadata(), ...fields };
};
const errorsOf = async (fields: Record<string, unknown>) => {
  const { status, body: refused } = await admin.post(path, body(fields));
  expect(status).toBe(422);
  return refused.errors as Record<string, string[]>;
};

describe('a provider of SAML', () => {
  test('is read from its metadata, and off', async () => {
    const { status, body: made } = await admin.post(path, body({ domains: ['new.example'] }));
    expect([status, made.errors]).toEqual([201, undefined]);
    const { id } = made.data;
    expect(made.data).toMatchObject({
      kind: 'saml',
      is_enabled: false,
      issuer: idp.issuer,
      client_id: '',
      has_client_secret: false,
      sso_url: idp.sso,
      match_rule: 'linked_only',
      subject_attribute: null,
      address_attribute: null,
      can_end_session: false,
      acs_address: `http://localhost:8000/sso/${id}/acs`,
      metadata_address: `http://localhost:8000/sso/${id}/metadata`,
    });
    expect(made.data.certificates).toEqual([
      {
        subject: 'CN=signer of tests',
        fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
        valid_from: expect.any(String),
        valid_until: expect.any(String),
      },
    ]);
    const { rows } = await owner.query(
      "select changes from audit_log where action = 'identity_provider.created' and subject_id = $1",
      [id],
    );
    expect(rows[0].changes).toMatchObject({
      kind: { from: null, to: 'saml' },
      sso_url: { from: null, to: idp.sso },
      certificates: { from: null, to: [made.data.certificates[0].fingerprint] },
    });
  });

  test('follows its certificates: two for a while, then the next one', async () => {
    const id = await addProvider();
    const next = rsaCertificate();
    const person = await make.employee();
    await owner.query(
      "insert into user_identities (user_id, provider_id, subject, linked_by) values ($1, $2, 'kept', 'hr')",
      [person.user_id, id],
    );
    const signs = async (by = idp.signer) => (await come('kept', id, { bends: { by } })).status;
    expect([await signs(), await signs(next)]).toEqual([200, 422]);
    const both = await admin.put(`${path}/${id}`, { metadata_xml: idp.metadata([idp.signer.cert, next.cert]) });
    expect(both.body.data.certificates).toHaveLength(2);
    expect([await signs(), await signs(next)]).toEqual([200, 200]);
    expect((await admin.put(`${path}/${id}`, { metadata_xml: idp.metadata([next.cert]) })).status).toBe(200);
    expect([await signs(), await signs(next)]).toEqual([422, 200]);
    expect((await admin.put(`${path}/${id}`, { name: 'Renamed once' })).body.data.certificates).toHaveLength(1);
  });

  test('whose certificates ended meanwhile signs no one in', async () => {
    const id = await addProvider();
    const ended = rsaCertificate({ days: [-30, -1] });
    const der = ended.cert.replaceAll(/-----[^-]+-----|\s/g, '');
    await owner.query('update identity_providers set certificates = array[$2] where id = $1', [id, der]);
    const { body: refused } = await come('anyone', id, { bends: { by: ended } });
    expect(refused.message).toContain('(certificate)');
  });

  test('keeps who it is and its subjects once accounts are linked', async () => {
    const id = await addProvider();
    const person = await make.employee();
    await owner.query(
      "insert into user_identities (user_id, provider_id, subject, linked_by) values ($1, $2, 'x', 'hr')",
      [person.user_id, id],
    );
    const other = { metadata_xml: idp.metadata(undefined, { issuer: 'https://other.test' }) };
    expect((await admin.put(`${path}/${id}`, other)).body.errors).toHaveProperty('metadata_xml');
    expect((await admin.put(`${path}/${id}`, { subject_attribute: 'x' })).body.errors).toHaveProperty(
      'subject_attribute',
    );
    expect((await admin.put(`${path}/${id}`, { kind: 'oidc' })).body.errors).toHaveProperty('kind');
  });

  test('has to be tried again after another certificate or address', async () => {
    const id = await addProvider();
    await owner.query("update identity_providers set tested_at = now(), test_result = '{}' where id = $1", [id]);
    const tested = async (change: Record<string, unknown>) =>
      (await admin.put(`${path}/${id}`, change)).body.data.tested_at as string | null;
    expect(await tested({ name: 'Tried SAML', metadata_xml: idp.metadata() })).not.toBeNull();
    expect(await tested({ metadata_xml: idp.metadata(undefined, { sso: 'https://idp.test/moved' }) })).toBeNull();
  });

  test.each([
    ['metadata_xml', { metadata_xml: undefined }, 'The metadata field is required.'],
    ['metadata_url', { metadata_url: 'https://idp.test/metadata' }, 'The metadata address field is prohibited.'],
    ['issuer', { issuer: 'https://idp.test' }, 'The issuer field is prohibited.'],
    ['client_secret', { client_secret: 'x' }, 'The client secret field is prohibited.'],
    ['end_session', { end_session: true }, 'The sign-out at the provider field is prohibited.'],
    ['match_rule', { match_rule: 'verified_email' }, 'The selected rule for the first sign-in is invalid.'],
    ['address_attribute', { match_rule: 'tenant_address' }, 'The attribute with the address field is required.'],
    ['second_factor_values', { second_factor: 'values' }, 'The values field is required.'],
  ])('with a wrong %s is refused: %j', async (field, fields, message) => {
    expect(await errorsOf(fields)).toEqual({
      [field]: [expect.stringContaining(message.split(' field')[0] as string)],
    });
  });

  test('is none of OpenID Connect', async () => {
    const oidc = { name: 'Of OIDC', issuer: 'https://op.test', ...opClient };
    for (const field of ['metadata_xml', 'subject_attribute', 'address_attribute']) {
      const { body: refused } = await admin.post(path, { ...oidc, [field]: 'x' });
      expect(Object.keys(refused.errors as object)).toEqual([field]);
    }
    for (const field of ['issuer', 'client_id']) {
      const { body: refused } = await admin.post(path, { ...oidc, [field]: undefined });
      expect(Object.keys(refused.errors as object)).toEqual([field]);
    }
  });

  test('is for administrators alone', async () => {
    const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
    expect((await hr.post(path, body())).status).toBe(403);
  });
});

describe('metadata', () => {
  const [weak, ended, good] = [
    rsaCertificate({ bits: 1_024 }),
    rsaCertificate({ days: [-30, -1] }),
    Array.from({ length: 3 }, () => rsaCertificate().cert),
  ];
  const lastDay = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const past = '2026-01-01T00:00:00Z';
  const lasting = (element: string, until: string) =>
    idp.metadata().replace(`<${element} `, `<${element} validUntil="${until}" `);
  const noMetadata = 'The metadata field is not the SAML metadata of an identity provider.';
  test.each([
    ['no XML', 'x', noMetadata],
    ['another document', '<a/>', noMetadata],
    ['a document type', `<!DOCTYPE x>${idp.metadata()}`, noMetadata],
    ['a service in place of a provider', idp.metadata().replaceAll('IDPSSO', 'SPSSO'), noMetadata],
    [
      'two providers',
      `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${idp
        .metadata()
        .replace(/<\?.*?\?>/, '')
        .repeat(2)}</md:EntitiesDescriptor>`,
      noMetadata,
    ],
    ['all tenants', idp.metadata(undefined, { issuer: 'https://sts.windows.net/{tenantid}/' }), 'many organisations'],
    ['no redirect', idp.metadata().replace('HTTP-Redirect', 'HTTP-Artifact'), 'HTTP-Redirect'],
    ['http', idp.metadata(undefined, { sso: 'http://idp.test/' }), 'no https address'],
    ['no certificate', idp.metadata([]), 'no certificate that can be read'],
    ['a broken certificate', idp.metadata(['AAAA']), 'no certificate that can be read'],
    ['a weak certificate', idp.metadata([weak.cert]), 'at least 2048 bits'],
    ['a key that is no RSA', idp.metadata([certificateFor('x.test').cert]), 'at least 2048 bits'],
    ['a past day', lasting('md:EntityDescriptor', past), 'expired on 2026-01-01'],
    ['a past day of its part', lasting('md:IDPSSODescriptor', past), 'expired on 2026-01-01'],
    ['a day that is none', lasting('md:EntityDescriptor', 'later'), noMetadata],
    ['an ended certificate', idp.metadata([ended.cert]), `expired, the last one on ${lastDay}`],
    ['three certificates', idp.metadata(good), 'at most 2'],
  ])('with %s is refused', async (_what, metadata_xml, message) => {
    const { metadata_xml: [said] = [] } = await errorsOf({ metadata_xml });
    expect(said).toContain(message);
  });

  test('with a certificate that ended beside a good one is taken without it', async () => {
    const { body: made } = await admin.post(
      path,
      body({ metadata_xml: idp.metadata([ended.cert, ...good.slice(0, 2)]) }),
    );
    expect(made.data.certificates).toHaveLength(2);
  });

  test.each(['md:EntityDescriptor', 'md:IDPSSODescriptor'])('that lasts, by its %s, is taken', async (element) => {
    expect((await admin.post(path, body({ metadata_xml: lasting(element, '2999-12-31T23:59:59Z') }))).status).toBe(201);
  });

  test('with several entities that no longer last is refused', async () => {
    const one = idp.metadata().replace(/<\?.*?\?>/, '');
    const metadata_xml = `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" validUntil="${past}">${one}</md:EntitiesDescriptor>`;
    expect(await errorsOf({ metadata_xml })).toEqual({ metadata_xml: [expect.stringContaining('2026-01-01')] });
  });

  test('with comments, the only provider of several entities, is taken', async () => {
    const [one, service] = [idp.metadata(), idp.metadata().replaceAll('IDPSSO', 'SPSSO')].map((xml) =>
      xml.replace(/<\?.*?\?>/, ''),
    );
    const metadata_xml = `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata"><!-- both -->${service}${one}</md:EntitiesDescriptor>`;
    expect((await admin.post(path, body({ metadata_xml }))).status).toBe(201);
  });
});

describe('metadata at an address', async () => {
  const tls = certificateFor('idp.test', '127.0.0.1');
  let answer: RequestListener = (_, response) => void response.end(idp.metadata());
  const server = createServer(tls, (request, response) => answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  const metadata_url = `https://idp.test:${(server.address() as AddressInfo).port}/metadata?appid=1`;
  const app = await startApp(reachable, { door: { ca: tls.cert, resolve: toThisMachine } });
  const client = await app.as((await app.make.admin()).user_id);
  const add = (how: RequestListener, url = metadata_url, by = client) => {
    answer = how;
    serial += 1;
    return by.post(path, { kind: 'saml', name: `At ${serial}`, metadata_url: url });
  };

  test('is read', async () => {
    const { status, body: made } = await add((_, response) => void response.end(idp.metadata()));
    expect([status, made.data?.sso_url]).toEqual([201, idp.sso]);
  });

  test.each<[string, RequestListener, string]>([
    ['an error', (_, response) => void response.writeHead(500).end(idp.metadata()), 'not the SAML metadata'],
    ['a redirect', (_, response) => void response.writeHead(302, { location: '/x' }).end(), 'not the SAML metadata'],
    ['a page', (_, response) => void response.end('<html>'), 'not the SAML metadata'],
    ['two megabytes', (_, response) => void response.end('x'.repeat(2_000_000)), 'does not answer'],
  ])('that is %s is refused', async (_what, how, message) => {
    const { status, body: refused } = await add(how);
    expect([status, Object.keys(refused.errors as object)]).toEqual([422, ['metadata_url']]);
    expect(refused.errors.metadata_url[0]).toContain(message);
  });

  test('that must not be reached is refused', async () => {
    const closed = await startApp({}, { door: { ca: tls.cert, resolve: toThisMachine } });
    const by = await closed.as((await closed.make.admin()).user_id);
    for (const url of [metadata_url, 'https://127.0.0.1:8000/x', 'https://169.254.169.254/latest']) {
      const { body: refused } = await add((_, response) => void response.end(idp.metadata()), url, by);
      expect(refused.errors.metadata_url).toEqual(['This address cannot be reached from here.']);
    }
    expect((await add(() => undefined, 'http://idp.test/')).body.errors).toHaveProperty('metadata_url');
  });
});
