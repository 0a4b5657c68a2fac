/** Keycloak realms, created and changed through its admin API. */

const base = process.env['KEYCLOAK_ADDRESS'] ?? '';

/** The address of a realm: the issuer of its tokens and the entity id of its assertions. */
export const addressOf = (realm: string): string => `${base}/realms/${realm}`;

export const client = { id: 'tenure', secret: 'a-secret-of-these-tests' };

async function adminToken(): Promise<string> {
  const answer = await fetch(`${base}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: 'admin-cli',
      username: process.env['KEYCLOAK_ADMIN'] ?? '',
      password: process.env['KEYCLOAK_PASSWORD'] ?? '',
    }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** Calls the admin API; throws if it refuses. */
async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${base}/admin/realms${path}`, {
    method,
    headers: { authorization: `Bearer ${await adminToken()}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

export type Person = { username: string; email: string; password: string; groups: string[] };

/** The application with OpenID Connect, its groups claim and its back-channel logout. */
export const openIdClient = (application: string) => ({
  clientId: client.id,
  secret: client.secret,
  protocol: 'openid-connect',
  publicClient: false,
  standardFlowEnabled: true,
  redirectUris: [`${application}/sso/callback/1`],
  attributes: {
    'pkce.code.challenge.method': 'S256',
    'backchannel.logout.url': `${application}/sso/1/backchannel-logout`,
    'backchannel.logout.session.required': 'true',
  },
  protocolMappers: [
    {
      name: 'groups',
      protocol: 'openid-connect',
      protocolMapper: 'oidc-group-membership-mapper',
      config: { 'claim.name': 'groups', 'full.path': 'false', 'id.token.claim': 'true' },
    },
  ],
});

const propertyMapper = (attribute: string, property: string) => ({
  name: attribute,
  protocol: 'saml',
  protocolMapper: 'saml-user-property-mapper',
  config: { 'attribute.name': attribute, 'attribute.nameformat': 'Basic', 'user.attribute': property },
});

/** The addresses of the application, as its provider page shows them. */
type Addresses = { entityId: string; acs: string };

/** The application with SAML, set up as docs/identity.md describes. */
const samlClient = ({ entityId, acs }: Addresses) => ({
  clientId: entityId,
  protocol: 'saml',
  frontchannelLogout: false,
  redirectUris: [acs],
  attributes: {
    'saml.server.signature': 'true',
    'saml.assertion.signature': 'true',
    'saml.signature.algorithm': 'RSA_SHA256',
    'saml.client.signature': 'false',
    'saml.encrypt': 'false',
    'saml.force.post.binding': 'true',
    'saml.authnstatement': 'true',
    saml_name_id_format: 'persistent',
  },
  protocolMappers: [
    propertyMapper('email', 'email'),
    propertyMapper('name', 'firstName'),
    {
      name: 'groups',
      protocol: 'saml',
      protocolMapper: 'saml-group-membership-mapper',
      config: { 'attribute.name': 'groups', 'attribute.nameformat': 'Basic', single: 'true', 'full.path': 'false' },
    },
  ],
});

/** Creates a realm with people and, if given, an application. */
export async function makeRealm(realm: string, people: readonly Person[], application?: object): Promise<void> {
  await ask('POST', '', {
    realm,
    enabled: true,
    groups: [...new Set(people.flatMap(({ groups }) => groups))].map((group) => ({ name: group })),
    users: people.map(({ username, email, password, groups }) => ({
      username,
      email,
      emailVerified: true,
      firstName: username,
      lastName: 'Northwind',
      enabled: true,
      credentials: [{ type: 'password', value: password, temporary: false }],
      groups: groups.map((group) => `/${group}`),
    })),
    clients: application ? [application] : [],
  });
}

/** Adds the application to a realm. */
export const addSamlClient = (realm: string, addresses: Addresses): Promise<unknown> =>
  ask('POST', `/${realm}/clients`, samlClient(addresses));

async function userOf(realm: string, username: string): Promise<{ id: string }> {
  const [user] = (await ask('GET', `/${realm}/users?exact=true&username=${username}`)) as { id: string }[];
  if (!user) throw new Error(`${username} is not known`);
  return user;
}

/** Removes a person from a group (DELETE) or adds them (PUT). */
export async function changeGroup(realm: string, username: string, how: 'DELETE' | 'PUT', group: string) {
  const { id } = await userOf(realm, username);
  const groups = (await ask('GET', `/${realm}/groups`)) as { id: string; name: string }[];
  await ask(how, `/${realm}/users/${id}/groups/${groups.find(({ name }) => name === group)?.id}`);
}

/** Disables a person: they can no longer sign in, and all their sessions end. */
export async function switchOff(realm: string, username: string): Promise<void> {
  const user = await userOf(realm, username);
  await ask('PUT', `/${realm}/users/${user.id}`, { ...user, enabled: false });
  await ask('POST', `/${realm}/users/${user.id}/logout`);
}
