import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { createSession } from '../access/sessions.ts';
import type { Deps } from '../http/context.ts';
import type { Check } from './document.ts';

export type Answer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  body: any;
  bytes: Buffer;
  setCookies: string[];
};

type Options = { body?: unknown; headers?: Record<string, string>; payload?: Buffer | string };

/**
 * A browser with our application: keeps cookies, and sends the CSRF header and the Referer as it would. Every answer is
 * validated against the API document.
 */
export type Client = {
  cookies: Map<string, string>;
  send: (method: string, url: string, options?: Options) => Promise<Answer>;
  get: (url: string, headers?: Record<string, string>) => Promise<Answer>;
  post: (url: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  put: (url: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  delete: (url: string, body?: unknown) => Promise<Answer>;
  /** Uploads a file in the field `file` or another one, with further fields. */
  upload: (
    url: string,
    file: { name: string; content: Buffer | string; field?: string },
    fields?: Record<string, string>,
  ) => Promise<Answer>;
};

export const cookieHeader = (cookies: Map<string, string>) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** Handles Set-Cookie like a browser. */
export function keepCookies(cookies: Map<string, string>, lines: string[]) {
  for (const line of lines) {
    const [pair = '', ...attributes] = line.split('; ');
    const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    if (attributes.includes('Max-Age=0')) cookies.delete(name);
    else cookies.set(name, value);
  }
}

function parseBody(bytes: Buffer, type: unknown): unknown {
  if (bytes.length === 0) return undefined;
  return String(type).includes('json') ? (JSON.parse(bytes.toString('utf8')) as unknown) : bytes.toString('utf8');
}

/** A multipart body with one file. */
export function multipart(
  file: { name: string; content: Buffer | string; field?: string },
  fields: Record<string, string> = {},
) {
  const boundary = 'tenure-test-boundary';
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${file.field ?? 'file'}"; filename="${file.name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return {
    payload: Buffer.concat([
      Buffer.from(parts.join('') + head),
      Buffer.from(file.content),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

const goesOn = (url: string) => /\/stream(\?|$)/.test(url);

/** The whole body, but only the first event of a stream. */
async function firstOf(response: LightMyRequestResponse): Promise<Buffer> {
  const isEndless = String(response.headers['content-type']).startsWith('text/event-stream');
  const parts: Buffer[] = [];
  for await (const part of response.stream()) {
    parts.push(part as Buffer);
    if (isEndless) break;
  }
  response.raw.res.destroy();
  return Buffer.concat(parts);
}

/** A form may mean a different method, and compressed bodies are not parsed here. */
const isPlain = (url: string, payload: Buffer | string | undefined, { headers }: Answer) =>
  !headers['content-encoding'] && !url.includes('_method') && !payload?.includes('_method');

function makeClient(app: FastifyInstance, deps: Deps, cookies: Map<string, string>, check?: Check): Client {
  const send: Client['send'] = async (method, url, options = {}) => {
    const payload = options.payload ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const token = cookies.get('XSRF-TOKEN');
    const request: InjectOptions = {
      method: method,
      url,
      headers: {
        accept: 'application/json',
        referer: `${deps.config.APP_URL}/`,
        ...(cookies.size > 0 && { cookie: cookieHeader(cookies) }),
        ...(token && { 'x-xsrf-token': token }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(payload !== undefined && { payload }),
    };
    const response = await app.inject({ ...request, payloadAsStream: goesOn(url) });
    const bytes = goesOn(url) ? await firstOf(response) : response.rawPayload;
    const lines = [response.headers['set-cookie'] ?? []].flat();
    keepCookies(cookies, lines);
    const answer: Answer = {
      status: response.statusCode,
      headers: response.headers as Answer['headers'],
      body: parseBody(bytes, response.headers['content-type']),
      bytes,
      setCookies: lines,
    };
    const wrong = check && isPlain(url, payload, answer) ? check(method, url, answer) : undefined;
    if (wrong) throw new Error(`${method} ${url} answers otherwise than the document says: ${JSON.stringify(wrong)}`);
    return answer;
  };
  const withHeaders = (headers?: Record<string, string>) => (headers ? { headers } : {});
  return {
    cookies,
    send,
    get: (url, headers) => send('GET', url, withHeaders(headers)),
    post: (url, body, headers) => send('POST', url, { body, ...withHeaders(headers) }),
    put: (url, body, headers) => send('PUT', url, { body, ...withHeaders(headers) }),
    delete: (url, body) => send('DELETE', url, { body }),
    upload: (url, file, fields) => send('POST', url, multipart(file, fields)),
  };
}

/** A client with a live session of a user, or a guest with a CSRF cookie. */
export async function clientFor(app: FastifyInstance, deps: Deps, userId?: number, check?: Check): Promise<Client> {
  const cookies = new Map<string, string>();
  const client = makeClient(app, deps, cookies, check);
  if (userId === undefined) {
    await client.get('/sanctum/csrf-cookie');
    return client;
  }
  const session = await createSession(deps.db, userId, { ip: '127.0.0.1', user_agent: 'test' }, deps.config);
  keepCookies(cookies, deps.sessionCookies.freshCookies(session.content, session.max_age));
  return client;
}
