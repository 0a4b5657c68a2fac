import { describe, expect, test } from 'vitest';
import { codeOf, enrol, clearLastStep } from '../../testing/factors.ts';
import { rsaCertificate } from '../../testing/certificates.ts';
import { startSaml } from '../../testing/saml-sign-on.ts';
import { startSso } from '../../testing/single-sign-on.ts';
import { waitingLocks } from '../../testing/waiting-locks.ts';

/** What a provider said about people before its identity or its people changed is no longer valid. */

const { op, as, admin, make, owner, addProvider, goThere, come } = await startSso();
const acme = await make.entity();
const beta = await make.entity();
const path = '/api/identity-providers';
const rows = async (statement: string, ...values: unknown[]) => (await owner.query(statement, values)).rows;
const waiting = async () => (await waitingLocks(owner)).length;
let serial = 0;
/** A person whom the provider knows by address. */
async function known() {
  serial += 1;
  const [email, subject] = [`known${serial}@acme.example`, `sub-${serial}`];
  op.people.set(subject, { email, email_verified: true, oid: `oid-${serial}` });
  return { subject, email, person: await make.employee({ entity_id: acme.id, email }) };
}
/** A person who tried to sign in and has no account. */
async function tried(id: number) {
  serial += 1;
  const subject = `stranger-${serial}`;
  op.people.set(subject, { email: `${subject}@elsewhere.example`, email_verified: true, oid: `oid-${serial}` });
  expect((await come(subject, id)).status).toBe(422);
  const [row] = await rows('select id::int from sso_unmatched where provider_id = $1 and subject = $2', id, subject);
  return { id: row.id as number, subject };
}

describe('people who tried', () => {
  test('are forgotten when another claim says who they are', async () => {
    const id = await addProvider();
    const { id: rowId } = await tried(id);
    expect((await admin.put(`${path}/${id}`, { name: 'Renamed here' })).body.data.unmatched_count).toBe(1);
    expect((await admin.put(`${path}/${id}`, { subject_claim: 'oid' })).body.data.unmatched_count).toBe(0);
    const { id: employee_id } = await make.employee({ entity_id: acme.id });
    expect((await admin.post(`${path}/${id}/unmatched/${rowId}/link`, { employee_id })).status).toBe(404);
  });

  test('are not linked while another issuer is stored', async () => {
    const id = await addProvider();
    const { id: rowId } = await tried(id);
    const { id: employee_id } = await make.employee({ entity_id: acme.id });
    const connection = await owner.connect();
    try {
      await connection.query('begin');
      await connection.query('select from identity_providers where id = $1 for update', [id]);
      const answer = admin.post(`${path}/${id}/unmatched/${rowId}/link`, { employee_id });
      await expect.poll(waiting, { interval: 10 }).toBe(1);
      await connection.query("update identity_providers set issuer = 'https://other.test' where id = $1", [id]);
      await connection.query('delete from sso_unmatched where provider_id = $1', [id]);
      await connection.query('commit');
      expect((await answer).status).toBe(404);
    } finally {
      connection.release();
    }
    expect(await rows('select from user_identities where provider_id = $1', id)).toEqual([]);
  });
});

describe('an answer that was checked before a change', () => {
  const changes = [
    ['another issuer', "issuer = 'https://other.test'"],
    ['another rule', "match_rule = 'linked_only'"],
    ['other companies', 'entity_ids = array[$2]::bigint[]'],
  ] as const;
  test.each(changes)('of %s lets no one in', async (_what, change) => {
    const id = await addProvider({ domains: ['acme.example'] });
    const { subject, person } = await known();
    op.person = subject;
    const browser = await as();
    const query = await goThere(browser, id);
    const connection = await owner.connect();
    try {
      await connection.query('begin');
      await connection.query('select from identity_providers where id = $1 for update', [id]);
      const answer = browser.post(`/api/sso/${id}/complete`, { query });
      await expect.poll(waiting, { interval: 10 }).toBe(1);
      await connection.query(
        `update identity_providers set ${change} where id = $1`,
        change.includes('$2') ? [id, beta.id] : [id],
      );
      await connection.query('commit');
      const { status, body } = await answer;
      expect([status, Object.keys(body.errors as object)]).toEqual([422, ['sso']]);
    } finally {
      connection.release();
      await owner.query('delete from identity_domains where provider_id = $1', [id]);
    }
    expect(await rows('select from user_identities where user_id = $1', person.user_id)).toEqual([]);
  });
});

test('a second step goes on only for people of the companies of the provider', async () => {
  const id = await addProvider({ domains: ['acme.example'] });
  const { subject, person } = await known();
  const { secret } = await enrol(await as(person.user_id));
  await clearLastStep(owner);
  const { body, browser } = await come(subject, id);
  expect(body.two_factor).toBe(true);
  // people of these companies can continue
  expect((await admin.put(`${path}/${id}`, { entity_ids: [acme.id, beta.id] })).status).toBe(200);
  expect((await browser.post('/api/two-factor-challenge/options')).status).toBe(200);
  expect((await admin.put(`${path}/${id}`, { entity_ids: [beta.id] })).status).toBe(200);
  const { body: refused } = await browser.post('/two-factor-challenge', { code: codeOf(secret) });
  expect(Object.keys(refused.errors as object)).toEqual(['sign_in']);
});

describe('with SAML', async () => {
  const saml = await startSaml();
  const { idp } = saml;
  const put = (id: number, fields: Record<string, unknown>) => saml.admin.put(`${path}/${id}`, fields);
  const link = (id: number, userId: number, subject: string) =>
    saml.owner.query(
      "insert into user_identities (user_id, provider_id, subject, linked_by) values ($1, $2, $3, 'hr')",
      [userId, id, subject],
    );

  test.each([
    ['metadata of another issuer', { metadata_xml: idp.metadata(undefined, { issuer: 'https://other.test' }) }],
    ['another attribute', { subject_attribute: 'employee' }],
  ])('people who tried are forgotten with %s', async (_what, change) => {
    const id = await saml.addProvider();
    expect((await saml.come('stranger', id)).status).toBe(422);
    const { body } = await put(id, { name: `Renamed ${id}`, metadata_xml: idp.metadata() });
    expect(body.data.unmatched_count).toBe(1);
    expect((await put(id, change)).body.data.unmatched_count).toBe(0);
  });

  test('an answer that was signed with a certificate of before opens nothing', async () => {
    const id = await saml.addProvider();
    const person = await saml.make.employee();
    await link(id, person.user_id, 'signed-before');
    const browser = await saml.as();
    const asked = await saml.begin(browser, id);
    const { location } = await saml.deliver(id, idp.answer(asked, 'signed-before'));
    expect(location.searchParams.has('handoff')).toBe(true);
    expect((await put(id, { metadata_xml: idp.metadata([rsaCertificate().cert]) })).status).toBe(200);
    const { status, body } = await saml.end(browser, id, location);
    expect([status, Object.keys(body.errors as object)]).toEqual([422, ['sso']]);
    expect((await browser.get('/api/me')).status).toBe(401);
  });
});

test('sessions end no later than the provider says now', async () => {
  const id = await addProvider({ domains: ['hours.example'] });
  const other = await addProvider();
  const email = 'short@hours.example';
  op.people.set('short', { email, email_verified: true });
  const person = await make.employee({ entity_id: acme.id, email });
  expect((await come('short', id)).status).toBe(200);
  const hours = async () => {
    const [row] = await rows(
      `select provider_id::int, extract(epoch from expires_at - created_at)::int / 3600 as hours from session_register
       where user_id = $1 and revoked_at is null`,
      person.user_id,
    );
    return row;
  };
  expect(await hours()).toEqual({ provider_id: id, hours: 12 });
  expect((await admin.put(`${path}/${other}`, { session_max_hours: 1 })).status).toBe(200);
  expect((await hours()).hours).toBe(12);
  expect((await admin.put(`${path}/${id}`, { session_max_hours: 2 })).status).toBe(200);
  expect((await hours()).hours).toBe(2);
  // a longer session applies only to later sign-ins
  expect((await admin.put(`${path}/${id}`, { session_max_hours: 8 })).status).toBe(200);
  expect((await hours()).hours).toBe(2);
});

test('in a view as a role no test of a provider is stored', async () => {
  const id = await addProvider();
  const viewer = await as((await make.admin()).user_id);
  const { subject } = await known();
  op.person = subject;
  const { body } = await viewer.post(`${path}/${id}/test`, {});
  const query = await op.visit(body.data.url as string);
  const [hr] = await rows("select id::int from roles where name = 'HR'");
  expect((await viewer.post(`/api/roles/${hr.id}/view`, {})).status).toBe(200);
  expect((await viewer.post(`/api/sso/${id}/complete`, { query })).status).toBe(422);
  expect((await rows('select tested_at from identity_providers where id = $1', id))[0].tested_at).toBeNull();
});
