import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { call } from './api.ts';
import type { Made } from './api.ts';
import type { Bench } from './bench.ts';

/** A minimal OpenID provider. It answers immediately, so that the time of a sign-in is the service's. */

const client = { client_id: 'tenure', client_secret: 'a-secret-of-the-bench' };

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

type Person = { sub: string; email: string; nonce: string };

/** The query with which the browser returns from the provider at `url`. */
export function answerTo(url: string, email: string): string {
  const asked = new URL(url).searchParams;
  const person: Person = { sub: email, email, nonce: asked.get('nonce') ?? '' };
  return `?${new URLSearchParams({ code: encoded(person), state: asked.get('state') ?? '' })}`;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString();
}

function makeProvider() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const tokenOf = (issuer: string, code: string) => {
    const person = JSON.parse(Buffer.from(code, 'base64url').toString()) as Person;
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: issuer, aud: client.client_id, iat: now, exp: now + 300, email_verified: true, ...person };
    const text = `${encoded({ alg: 'ES256', kid: 'bench' })}.${encoded(claims)}`;
    const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return { access_token: 'none', token_type: 'Bearer', id_token: `${text}.${signature.toString('base64url')}` };
  };
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'bench', use: 'sig', alg: 'ES256' }];
  return async (issuer: string, request: IncomingMessage): Promise<object> => {
    if (request.url === '/keys') return { keys };
    if (request.url === '/token') return tokenOf(issuer, new URLSearchParams(await textOf(request)).get('code') ?? '');
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      id_token_signing_alg_values_supported: ['ES256'],
    };
  };
}

export type Provider = { id: number; stop: () => void };

/** Starts a provider and enables it in the service. */
export async function addProvider(bench: Bench, fields: object): Promise<Provider> {
  const answer = makeProvider();
  let issuer = '';
  const server = createServer(bench.tls, (request, response) => {
    void answer(issuer, request).then((body) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { data } = await call<Made>(bench, 'POST', '/identity-providers', { issuer, ...client, ...fields });
  await call(bench, 'POST', `/identity-providers/${data.id}/enable`, {});
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { id: data.id, stop };
}
