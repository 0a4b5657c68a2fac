import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fill } from '../../testing/acts.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const provider = (fields: object = {}) => ({
  id: 7,
  kind: 'saml',
  name: 'Acme ID',
  is_enabled: false,
  issuer: 'https://idp.acme.example',
  client_id: '',
  client_auth: 'client_secret_basic',
  has_client_secret: false,
  scopes: ['openid'],
  entity_ids: null,
  domains: [],
  match_rule: 'linked_only',
  subject_claim: 'sub',
  address_claim: 'email',
  second_factor: 'never',
  second_factor_values: [],
  session_max_hours: null,
  groups_claim: null,
  groups_missing_count: 0,
  return_address: 'https://hr.acme.example/sso/callback/7',
  keys_address: 'https://hr.acme.example/sso/jwks.json',
  backchannel_address: null,
  signed_out_address: null,
  sends_logout: false,
  end_session: false,
  can_end_session: false,
  failing: null,
  sso_url: 'https://idp.acme.example/sso',
  certificates: [{ subject: 'CN=Acme', fingerprint: 'AB:CD', valid_from: inDays(-100), valid_until: inDays(300) }],
  subject_attribute: null,
  address_attribute: null,
  acs_address: 'https://hr.acme.example/sso/7/acs',
  metadata_address: 'https://hr.acme.example/sso/7/metadata',
  checked_at: '2026-11-20T09:00:00.000Z',
  tested_at: null,
  linked_count: 0,
  unmatched_count: 0,
  revision: 4,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  allowed_actions: ['update', 'enable', 'delete'],
  ...fields,
});
const rules = { groups_claim: null, rules: [], seen: [], known: 0, unknown: 0, roles: [], entities: null, revision: 4 };

function open(path: string, replies: Parameters<typeof serve>[0] = {}) {
  const service = serve({
    'GET /api/me': signedInAs(['identity.manage']),
    'GET /api/identity-providers/7': itemOf(provider()),
    'GET /api/identity-providers/7/role-rules': itemOf(rules),
    'GET /api/entities': listOf([]),
    ...replies,
  });
  return { service, ...start(path) };
}

test('the form asks for the protocol first, and sends the fields of that one alone', async () => {
  const path = 'POST /api/identity-providers';
  const said = 'The metadata field is not the SAML metadata of an identity provider.';
  const { service, user } = open('/settings/sign-in?provider=new', {
    [path]: { status: 422, body: { message: said, errors: { metadata_xml: [said] } } },
  });
  fill(await screen.findByLabelText('Client ID *'), 'left over');
  await user.selectOptions(screen.getByLabelText('Protocol'), 'saml');
  expect(screen.queryByLabelText('Client ID *')).toBeNull();
  fill(screen.getByLabelText('Name *'), 'Acme ID');
  fill(screen.getByLabelText('Metadata (XML)'), '<a/>');
  await user.selectOptions(screen.getByLabelText('First sign-in'), 'tenant_address');
  fill(screen.getByLabelText('Attribute with the email *'), 'mail');
  await user.click(screen.getByRole('button', { name: 'Add provider' }));
  await waitFor(() => expect(screen.getByLabelText('Metadata (XML)').getAttribute('aria-invalid')).toBe('true'));
  expect(service.to(path)[0]?.body).toEqual({
    kind: 'saml',
    name: 'Acme ID',
    metadata_xml: '<a/>',
    match_rule: 'tenant_address',
    address_attribute: 'mail',
  });
});

test('the page shows what to enter at the provider, the certificates, and that it can not end sessions', async () => {
  open('/settings/sign-in?provider=7');
  await screen.findByRole('heading', { level: 1, name: 'Acme ID' });
  for (const text of [
    'https://hr.acme.example/sso/7/acs',
    'https://hr.acme.example/sso/7/metadata',
    'CN=Acme',
    'AB:CD',
  ])
    expect(screen.getByText(text)).toBeDefined();
  expect(screen.getByText(/^With SAML, the provider can’t tell us/)).toBeDefined();
  expect(screen.queryByText('Return address')).toBeNull();
  expect(screen.queryByLabelText('Protocol')).toBeNull();
  expect(screen.queryByText(/certificate expires soon|has expired/)).toBeNull();
});

test.each([
  [10, /certificate expires soon/],
  [-1, /certificate has expired/],
])('a certificate that ends in %i days is pointed out', async (days, text) => {
  const certificates = [{ subject: 'CN=A', fingerprint: 'AB', valid_from: inDays(-100), valid_until: inDays(days) }];
  open('/settings/sign-in?provider=7', { 'GET /api/identity-providers/7': itemOf(provider({ certificates })) });
  expect(await screen.findByText(text)).toBeDefined();
});
