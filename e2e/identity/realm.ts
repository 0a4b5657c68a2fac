/** A realm of Keycloak, made and changed by its API of administrators. */

const base = process.env['KEYCLOAK_ADDRESS'] ?? '';
const name = 'northwind';

export const client = { id: 'tenure', secret: 'a-secret-of-these-tests' };
export const realm = { issuer: `${base}/realms/${name}` };

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

/** Asks the API of administrators. Throws for a refusal. */
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

/** Makes the realm: the application with its groups claim and its back-channel logout, and the people. */
export async function makeRealm(application: string, people: readonly Person[]): Promise<void> {
  const callback = `${application}/sso/callback/1`;
  await ask('POST', '', {
    realm: name,
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
    clients: [
      {
        clientId: client.id,
        secret: client.secret,
        protocol: 'openid-connect',
        publicClient: false,
        standardFlowEnabled: true,
        redirectUris: [callback],
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
      },
    ],
  });
}

/** Switches a person off: no sign-in any more, and every session of theirs ends. */
export async function switchOff(username: string): Promise<void> {
  const [user] = (await ask('GET', `/${name}/users?exact=true&username=${username}`)) as { id: string }[];
  if (!user) throw new Error(`${username} is not known`);
  await ask('PUT', `/${name}/users/${user.id}`, { ...user, enabled: false });
  await ask('POST', `/${name}/users/${user.id}/logout`);
}
