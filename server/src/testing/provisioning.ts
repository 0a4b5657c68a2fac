import { createToken } from '../access/api-tokens.ts';
import { randomId } from '../crypto/crypto.ts';
import { patchSchema } from '../scim/operations.ts';
import { enterpriseSchema, groupSchema, userSchema } from '../scim/attributes.ts';
import type { TestApp } from './app.ts';
import type { Answer } from './client.ts';

export type Connection = {
  id: number;
  user_id: number;
  token: string;
  send: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  patch: (path: string, ...operations: unknown[]) => Promise<Answer>;
  /** Adds a user like a provider; returns the answer. */
  addUser: (userName: string, fields?: Record<string, unknown>) => Promise<Answer>;
  addGroup: (displayName: string, members?: readonly string[], fields?: Record<string, unknown>) => Promise<Answer>;
};

type Fields = {
  name?: string;
  entity_ids?: number[] | null;
  provider_id?: number | null;
  is_dry_run?: boolean;
  unmatched?: 'stage' | 'refuse';
};

/** The requests of an identity provider, over HTTP. */
export function scimClient({ app }: Pick<TestApp, 'app'>, token: string) {
  const send: Connection['send'] = async (method, path, body, headers = {}) => {
    const answer = await app.inject({
      method: method as 'GET',
      url: `/scim/v2${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const bytes = answer.rawPayload;
    return {
      status: answer.statusCode,
      headers: answer.headers as Answer['headers'],
      body: bytes.length === 0 ? undefined : (JSON.parse(bytes.toString('utf8')) as unknown),
      bytes,
      setCookies: [],
    };
  };
  return {
    token,
    send,
    get: (path: string, headers?: Record<string, string>) => send('GET', path, undefined, headers),
    patch: (path: string, ...Operations: unknown[]) => send('PATCH', path, { schemas: [patchSchema], Operations }),
    addUser: (userName: string, fields: Record<string, unknown> = {}) =>
      send('POST', '/Users', { schemas: [userSchema, enterpriseSchema], userName, active: true, ...fields }),
    addGroup: (displayName: string, members: readonly string[] = [], fields: Record<string, unknown> = {}) =>
      send('POST', '/Groups', {
        schemas: [groupSchema],
        displayName,
        members: members.map((value) => ({ value })),
        ...fields,
      }),
  };
}

/** Connections of identity providers; their rows are inserted directly. */
export function provisioning(service: TestApp) {
  const { deps } = service;
  let serial = 0;
  return async (fields: Fields = {}): Promise<Connection> => {
    serial += 1;
    const name = `Directory ${serial}`;
    const { id: user_id } = await deps.db
      .insertInto('users')
      .values({ email: `scim-${serial}-${randomId().toLowerCase()}@service.invalid`, account_kind: 'service' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id } = await deps.db
      .insertInto('scim_connections')
      .values({ name, user_id, ...fields })
      .returning('id')
      .executeTakeFirstOrThrow();
    const made = { user_id, kind: 'provisioning', name, permissions: null, entity_ids: null, days: 90 } as const;
    const { token } = await createToken(deps.db, { ...made, created_by: null, session_id: null });
    return { id, user_id, ...scimClient(service, token) };
  };
}
