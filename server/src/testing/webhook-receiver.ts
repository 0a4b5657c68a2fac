import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import type { Permission } from '@tenure/contract';
import { createToken } from '../access/api-tokens.ts';
import { startApp } from './app.ts';
import type { TestApp } from './app.ts';
import type { Resolve } from '../http-out/resolve.ts';
import { certificateFor } from './certificates.ts';
import type { Client } from './client.ts';

/** What a receiver received. */
export type Received = { headers: IncomingHttpHeaders; text: string; body: Record<string, unknown>; at: number };
type Answers = (got: Received, response: ServerResponse) => void;

export type Receiver = {
  url: string;
  got: Received[];
  /** How it answers from now on; 204 unless a test says otherwise. */
  answer: (answers: Answers) => void;
  close: () => void;
};

/** The certificate of all receivers, which is its own authority. */
export const tls = certificateFor('hooks.test');
/** Resolves all names to this machine. */
const resolve: Resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
const accepts: Answers = (_got, response) => void response.writeHead(204).end();

/** A receiver over TLS, under a name that resolves to this machine; `path` distinguishes it from others. */
export async function startReceiver(path = '/hook'): Promise<Receiver> {
  const got: Received[] = [];
  let answers = accepts;
  const server = createServer(tls, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      const one = {
        headers: request.headers,
        text,
        body: JSON.parse(text) as Received['body'],
        at: performance.now(),
      };
      got.push(one);
      answers(one, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return {
    url: `https://hooks.test:${(server.address() as AddressInfo).port}${path}`,
    got,
    answer: (next) => void (answers = next),
    close,
  };
}

/** The same until the end of the test. */
export async function receiverOfTest(path?: string): Promise<Receiver> {
  const receiver = await startReceiver(path);
  onTestFinished(receiver.close);
  return receiver;
}

/** The largest distance between an event's position and its place in the order. */
export function displaced({ got }: Pick<Receiver, 'got'>): number {
  const sequences = got.map(({ body }) => body['sequence'] as number);
  const order = new Map(sequences.toSorted((a, b) => a - b).map((sequence, place) => [sequence, place]));
  return Math.max(...sequences.map((sequence, place) => Math.abs(place - (order.get(sequence) ?? 0))));
}

export type WebhookApp = TestApp & {
  admin: Client;
  /** A service account with a token and a role with these permissions, in some companies or all. */
  account: (permissions?: readonly Permission[], entityIds?: number[] | null) => Promise<{ id: number; role: number }>;
  /** A webhook of an account, added by an administrator. */
  add: (fields: Record<string, unknown>) => Promise<{ id: number; secret: string }>;
};

/** A service that can reach a test's receivers. */
export async function startWebhooks(settings: Record<string, string> = {}, beside?: TestApp): Promise<WebhookApp> {
  const app = await startApp(
    { EGRESS_ALLOW: '127.0.0.1/32', ...settings },
    { door: { ca: tls.cert, resolve }, ...(beside && { beside }) },
  );
  const chief = await app.make.admin();
  const admin = await app.as(chief.user_id);
  const { owner, deps } = app;
  let made = 0;
  const account: WebhookApp['account'] = async (permissions = ['employees.view', 'departments.view'], ids = null) => {
    made += 1;
    const sent = { name: `Program ${made}`, owner_ids: [chief.user_id] };
    const created = await admin.post('/api/service-accounts', sent);
    expect([created.status, created.body.errors]).toEqual([201, undefined]);
    const { id } = created.body.data as { id: number };
    const { rows } = await owner.query<{ id: string }>(
      "insert into roles (name, scope) values ($1, 'all') returning id",
      [`Program ${made}`],
    );
    const role = Number(rows[0]?.id);
    await owner.query('insert into role_permissions (role_id, permission) select $1, unnest($2::text[])', [
      role,
      permissions,
    ]);
    await owner.query('insert into role_assignments (user_id, role_id, entity_ids) values ($1, $2, $3)', [
      id,
      role,
      ids,
    ]);
    const token = { user_id: id, kind: 'service', name: 'Receiver', permissions, entity_ids: null, days: 90 } as const;
    await createToken(deps.db, { ...token, created_by: chief.user_id, session_id: null });
    return { id, role };
  };
  const add: WebhookApp['add'] = async (fields) => {
    made += 1;
    const { status, body } = await admin.post('/api/webhooks', { name: `Webhook ${made}`, ...fields });
    expect([status, body.errors]).toEqual([201, undefined]);
    return { id: body.data.id as number, secret: body.secret as string };
  };
  return { ...app, admin, account, add };
}
