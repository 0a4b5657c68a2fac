import { cookieHeader, keepCookies, multipart } from './client.ts';
import type { Answer } from './client.ts';

type Sent = { body?: unknown; headers?: Record<string, string>; payload?: Buffer; waitTimeout?: number };
type File = { name: string; content: Buffer | string };

/** A browser that reaches a service over the network. A request without an answer rejects. */
export type Remote = {
  cookies: Map<string, string>;
  send: (method: string, path: string, sent?: Sent) => Promise<Pick<Answer, 'status' | 'headers' | 'body'>>;
  get: (path: string) => ReturnType<Remote['send']>;
  post: (path: string, body?: unknown, headers?: Record<string, string>) => ReturnType<Remote['send']>;
  put: (path: string, body: unknown) => ReturnType<Remote['send']>;
  upload: (path: string, file: File, fields?: Record<string, string>) => ReturnType<Remote['send']>;
};

export function remote(address: string, cookies = new Map<string, string>()): Remote {
  const send: Remote['send'] = async (method, path, { body, headers = {}, payload, waitTimeout = 15_000 } = {}) => {
    const content = payload ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${address}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        referer: `${address}/`,
        cookie: cookieHeader(cookies),
        'x-xsrf-token': cookies.get('XSRF-TOKEN') ?? '',
        ...(content !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(content !== undefined && { body: content as NonNullable<RequestInit['body']> }),
      signal: AbortSignal.timeout(waitTimeout),
    });
    const text = await response.text();
    keepCookies(cookies, response.headers.getSetCookie());
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: (isJson ? JSON.parse(text) : text) as unknown,
    };
  };
  return {
    cookies,
    send,
    get: (path) => send('GET', path),
    post: (path, body, headers = {}) => send('POST', path, { body, headers }),
    put: (path, body) => send('PUT', path, { body }),
    upload: (path, file, fields) => send('POST', path, multipart(file, fields)),
  };
}

/** Signs in like a browser: first the page's cookie, then the form. */
export async function signIn(address: string, account: { email: string; password: string }): Promise<Remote> {
  const client = remote(address);
  await client.get('/sanctum/csrf-cookie');
  const { status, body } = await client.post('/login', account);
  if (status !== 200) throw new Error(`Signing in was answered with ${status}: ${JSON.stringify(body)}`);
  return client;
}
