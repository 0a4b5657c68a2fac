import { expect } from 'vitest';
import type { Answer, Client } from './client.ts';
import type { TestApp } from './app.ts';
import { startApp } from './app.ts';
import { openIdProvider, opClient } from './openid-provider.ts';
import type { TestProvider } from './openid-provider.ts';

/** The settings with which a service can reach a test's provider. */
export const reachable = { EGRESS_ALLOW: '127.0.0.1/32' };

export type SsoApp = TestApp & {
  op: TestProvider;
  admin: Client;
  /** Adds a provider and enables it; returns its id. */
  addProvider: (fields?: Record<string, unknown>) => Promise<number>;
  /** Goes to the provider and back in a browser, up to the answer. */
  goThere: (browser: Client, id: number, next?: string) => Promise<string>;
  /** Signs in a person of the provider, by default in their own browser. */
  come: (subject: string, id: number, browser?: Client) => Promise<Answer & { browser: Client }>;
};

/** A service with an administrator and a provider. */
export async function startSso(settings: Record<string, string> = {}): Promise<SsoApp> {
  const op = await openIdProvider();
  const { ca, resolve } = op;
  const app = await startApp({ ...reachable, ...settings }, { door: { ca, resolve } });
  const admin = await app.as((await app.make.admin()).user_id);
  let serial = 0;

  const addProvider: SsoApp['addProvider'] = async (fields = {}) => {
    serial += 1;
    const body = { name: `Provider ${serial}`, issuer: op.issuer, ...opClient, ...fields };
    const { status, body: made } = await admin.post('/api/identity-providers', body);
    expect([status, made.errors]).toEqual([201, undefined]);
    expect((await admin.post(`/api/identity-providers/${made.data.id}/enable`, {})).status).toBe(200);
    return made.data.id as number;
  };
  const goThere: SsoApp['goThere'] = async (browser, id, next) => {
    const { status, body } = await browser.post(`/api/sso/${id}/start`, next === undefined ? {} : { next });
    expect([status, body.errors]).toEqual([200, undefined]);
    return op.visit(body.data.url as string);
  };
  const come: SsoApp['come'] = async (subject, id, browser) => {
    op.person = subject;
    const used = browser ?? (await app.as());
    const query = await goThere(used, id);
    return { ...(await used.post(`/api/sso/${id}/complete`, { query })), browser: used };
  };
  return { ...app, op, admin, addProvider, goThere, come };
}
