import { createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { afterAll } from 'vitest';
import type { Resolve } from '../http-out/resolve.ts';
import { certificateFor } from './certificates.ts';

/** A real OpenID provider over TLS, whose people, tokens and documents a test can change. */

type Claims = Record<string, unknown>;
type Key = { kid: string; privateKey: KeyObject; publicKey: KeyObject };
export type Signing = { claims: Claims; header: Claims; key: KeyObject | string | null };

const host = 'op.test';
const frontend = 'http://localhost:8000';
/** The client that the provider knows by the keys of the service. */
export const keyClient = 'tenure-with-key';
export const opClient = { client_id: 'tenure', client_secret: 'a-secret-of-the-provider' };

const newKey = (): Key => ({ kid: randomUUID(), ...generateKeyPairSync('rsa', { modulusLength: 2_048 }) });
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const read = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Claims;

/** Signs as the header says; `none` has no signature, HS256 uses the key as text. */
export function signed({ claims, header, key }: Signing): string {
  const text = `${base64url(header)}.${base64url(claims)}`;
  if (header['alg'] === 'HS256')
    return `${text}.${createHmac('sha256', typeof key === 'string' ? key : '')
      .update(text)
      .digest('base64url')}`;
  return `${text}.${key && typeof key !== 'string' ? sign('sha256', Buffer.from(text), key).toString('base64url') : ''}`;
}

/** Resolves all names to this machine. */
export const toThisMachine: Resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);

function makeProvider(issuer: string, clientAddress: string, state: Bent) {
  const jwk = { ...state.key.privateKey.export({ format: 'jwk' }), kid: state.key.kid, use: 'sig', alg: 'RS256' };
  const provider = new Provider(issuer, {
    clients: [
      {
        ...opClient,
        redirect_uris: Array.from({ length: 40 }, (_, index) => `${clientAddress}/sso/callback/${index + 1}`),
        post_logout_redirect_uris: [`${clientAddress}/login`],
        ...(state.logoutPath !== null && {
          backchannel_logout_uri: `${clientAddress}${state.logoutPath}`,
          backchannel_logout_session_required: true,
        }),
      },
      {
        client_id: keyClient,
        redirect_uris: Array.from({ length: 40 }, (_, index) => `${clientAddress}/sso/callback/${index + 1}`),
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'ES256',
        jwks_uri: 'https://tenure.test/sso/jwks.json',
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ['only for tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username', 'groups'] },
    conformIdTokenClaims: false,
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id, ...state.people.get(id) }) }),
    fetch: (url, options) => state.fetch(url, options),
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        // its own pages load a font from elsewhere
        logoutSource: (ctx, form) => {
          ctx.body = `<h1>Sign out?</h1>${form}<button form="op.logoutForm" name="logout" value="yes">Yes</button>`;
        },
        postLogoutSuccessSource: (ctx) => {
          ctx.body = '<h1>Signed out</h1>';
        },
      },
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    renderError: (ctx, out) => {
      ctx.body = out;
    },
  });
  provider.use(async (ctx, next) => {
    await next();
    const assertion = ctx.path === '/token' && ctx.oidc?.params?.['client_assertion'];
    if (typeof assertion === 'string') {
      const [header, claims] = assertion.split('.');
      state.asserted.push({ ...read(header), ...read(claims) });
    }
    const body = ctx.body as Claims | undefined;
    if (ctx.path.endsWith('/openid-configuration')) ctx.body = { ...body, ...state.discovery };
    if (ctx.path === '/jwks' && state.published) ctx.body = { keys: state.published };
    const { id_token } = (ctx.path === '/token' && body) || {};
    if (typeof id_token === 'string' && state.bend) ctx.body = { ...body, id_token: bent(id_token, state, state.bend) };
  });
  return provider;
}

function bent(token: string, { key }: Bent, bend: NonNullable<Bent['bend']>): string {
  const [header, claims] = token.split('.');
  const plain = { claims: read(claims), header: { ...read(header), kid: key.kid }, key: key.privateKey };
  return signed({ ...plain, ...bend(plain) });
}

type Bent = {
  /** Claims by subject. */
  people: Map<string, Claims>;
  /** The person in front of the browser. */
  person: string;
  key: Key;
  /** Overrides in the discovery document. */
  discovery: Claims;
  /** Keys to publish instead. */
  published: Claims[] | null;
  /** Changes an ID token before it is signed again. */
  bend: ((plain: Signing) => Partial<Signing>) | null;
  /** Requested paths. */
  asked: string[];
  /** Fetches a client's keys, and notifies it of sign-outs. */
  fetch: (url: string | URL | Request, options?: RequestInit) => Promise<Response>;
  /** Where the client is notified of sign-outs; without it, the client is not notified and gets no `sid`. */
  logoutPath: string | null;
  /** The assertions with which clients with a key authenticated: header and claims. */
  asserted: Claims[];
};

const publicJwk = ({ publicKey, kid }: Key) => ({
  ...publicKey.export({ format: 'jwk' }),
  kid,
  use: 'sig',
  alg: 'RS256',
});

export type TestProvider = Bent & {
  issuer: string;
  ca: string;
  resolve: Resolve;
  /** Follows an authorization URL like a browser; returns the query string of the answer. */
  visit: (url: string) => Promise<string>;
  /** Signs tokens with a new key from now on, and only publishes that one. */
  rotate: () => void;
  /** A key that this provider never had. */
  foreignKey: Key;
  publicPem: () => string;
};

/** Starts a provider for the service at an address; stopped after the test file. */
export async function openIdProvider(
  name = host,
  clientAddress = frontend,
  logoutPath: string | null = null,
): Promise<TestProvider> {
  const tls = certificateFor(name, '127.0.0.1');
  const state: Bent = {
    people: new Map(),
    person: '',
    key: newKey(),
    discovery: {},
    published: null,
    bend: null,
    asked: [],
    fetch: () => Promise.reject(new Error('no client has an address')),
    logoutPath,
    asserted: [],
  };
  let answer: (req: IncomingMessage, res: ServerResponse) => void = (_req, res) => void res.end();
  const server = createServer(tls, (req, res) => {
    state.asked.push(req.url ?? '');
    answer(req, res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  const issuer = `https://${name}:${(server.address() as AddressInfo).port}`;
  const provider = makeProvider(issuer, clientAddress, state);
  const handle = provider.callback();

  /** Signs the person in and consents without interaction. */
  async function interact(req: IncomingMessage, res: ServerResponse) {
    const { prompt, params, session } = await provider.interactionDetails(req, res);
    if (prompt.name === 'login') return provider.interactionFinished(req, res, { login: { accountId: state.person } });
    const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: String(params['client_id']) });
    grant.addOIDCScope(String(params['scope']));
    return provider.interactionFinished(req, res, { consent: { grantId: await grant.save() } });
  }
  answer = (req, res) => void (req.url?.startsWith('/interaction/') ? interact(req, res) : handle(req, res));

  return Object.assign(state, {
    issuer,
    ca: tls.cert,
    resolve: toThisMachine,
    visit: (url: string) => visit(url, tls.cert),
    rotate: () => {
      state.key = newKey();
      state.published = [publicJwk(state.key)];
      state.bend ??= () => ({});
    },
    foreignKey: newKey(),
    publicPem: () => state.key.publicKey.export({ type: 'spki', format: 'pem' }),
  });
}

/** One request of a browser that keeps cookies. */
async function step(url: URL, ca: string, cookies: Map<string, string>): Promise<string> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const sent = request(url, { ca, hostname: '127.0.0.1', servername: host, headers: { host: url.host, cookie } });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of answer as AsyncIterable<Buffer>) parts.push(part);
  for (const line of answer.headers['set-cookie'] ?? []) {
    const [pair = ''] = line.split(';');
    cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
  }
  const { location } = answer.headers;
  if (!location) throw new Error(`${url.pathname} answers ${answer.statusCode}: ${Buffer.concat(parts).toString()}`);
  return location;
}

async function visit(start: string, ca: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = new URL(start);
  for (let steps = 0; steps < 10; steps += 1) {
    const next = new URL(await step(url, ca, cookies), url);
    if (next.origin === frontend) return next.search;
    url = next;
  }
  throw new Error(`${start} leads nowhere`);
}
