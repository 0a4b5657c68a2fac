import type { Permission } from '@tenure/contract';
import { createToken } from '../access/api-tokens.ts';
import type { NewToken } from '../access/api-tokens.ts';
import type { TestApp } from './app.ts';
import type { Answer } from './client.ts';

/** A program that calls the API with a token: no cookies, no Referer. */
export type Program = {
  token: string;
  token_id: number;
  send: (method: string, url: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  get: (url: string, headers?: Record<string, string>) => Promise<Answer>;
};

/** Sends requests with a text as token. */
export function bearing({ app }: Pick<TestApp, 'app'>, token: string): Pick<Program, 'send' | 'get'> {
  const send: Program['send'] = async (method, url, body, headers = {}) => {
    const response = await app.inject({
      method: method as 'GET',
      url,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    const isJson = String(response.headers['content-type']).includes('json');
    return {
      status: response.statusCode,
      headers: response.headers as Answer['headers'],
      body: response.rawPayload.length > 0 && isJson ? response.json() : response.payload,
      bytes: response.rawPayload,
      setCookies: [response.headers['set-cookie'] ?? []].flat(),
    };
  };
  return { send, get: (url, headers) => send('GET', url, undefined, headers) };
}

/** A program with a personal token of an account, valid for 90 days. */
export async function programOf(
  service: Pick<TestApp, 'app' | 'deps'>,
  user_id: number,
  permissions: Permission[],
  more: Partial<NewToken> = {},
): Promise<Program> {
  const all = {
    kind: 'personal',
    name: 'Test',
    entity_ids: null,
    days: 90,
    created_by: user_id,
    session_id: null,
    ...more,
  } as const;
  const { id, token } = await createToken(service.deps.db, { user_id, permissions, ...all });
  return { token, token_id: id, ...bearing(service, token) };
}
