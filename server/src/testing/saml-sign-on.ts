import { expect } from 'vitest';
import type { Answer, Client } from './client.ts';
import { startApp } from './app.ts';
import type { TestApp } from './app.ts';
import { readRequest, samlProvider } from './saml-provider.ts';
import type { Asked, Bends } from './saml-provider.ts';

/** The response to a browser at the address for answers. */
export type Delivered = { status: number; location: URL; setCookies: unknown; headers: Record<string, unknown> };

export type SamlApp = TestApp & {
  idp: ReturnType<typeof samlProvider>;
  admin: Client;
  /** Adds a provider and enables it; returns its id. */
  addProvider: (fields?: Record<string, unknown>) => Promise<number>;
  /** Starts a sign-in in a browser; returns the request to the provider. */
  begin: (browser: Client, id: number, next?: string) => Promise<Asked>;
  /** Delivers a document to the address for answers, like a browser coming from another site. */
  deliver: (id: number, xml: string, remoteAddress?: string) => Promise<Delivered>;
  /** Finishes a sign-in in a browser, with the query of the page that it was sent to. */
  end: (browser: Client, id: number, location: URL) => Promise<Answer>;
  /** All steps together. */
  come: (
    subject: string,
    id: number,
    how?: { bends?: Bends; browser?: Client },
  ) => Promise<Answer & { browser: Client }>;
  /** Why sign-ins failed, from the log. */
  reasons: () => string[];
};

/** A service with an administrator and a SAML provider. */
export async function startSaml(): Promise<SamlApp> {
  const idp = samlProvider();
  const app = await startApp();
  const admin = await app.as((await app.make.admin()).user_id);
  let serial = 0;
  const addProvider: SamlApp['addProvider'] = async (fields = {}) => {
    serial += 1;
    const body = { kind: 'saml', name: `SAML ${serial}`, metadata_xml: idp.metadata(), ...fields };
    const { status, body: made } = await admin.post('/api/identity-providers', body);
    expect([status, made.errors]).toEqual([201, undefined]);
    expect((await admin.post(`/api/identity-providers/${made.data.id}/enable`, {})).status).toBe(200);
    return made.data.id as number;
  };
  const begin: SamlApp['begin'] = async (browser, id, next) => {
    const { status, body } = await browser.post(`/api/sso/${id}/start`, next === undefined ? {} : { next });
    expect([status, body.errors]).toEqual([200, undefined]);
    return readRequest(body.data.url as string);
  };
  const deliver: SamlApp['deliver'] = async (id, xml, remoteAddress) => {
    const answer = await app.app.inject({
      method: 'POST',
      ...(remoteAddress !== undefined && { remoteAddress }),
      url: `/sso/${id}/acs`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.test' },
      payload: new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64') }).toString(),
    });
    const { headers, statusCode: status } = answer;
    const location = new URL(headers.location ?? 'about:blank');
    return { status, location, setCookies: headers['set-cookie'], headers };
  };
  const end: SamlApp['end'] = (browser, id, { searchParams, search }) => {
    const handoff = searchParams.get('handoff');
    return browser.post(`/api/sso/${id}/complete`, handoff === null ? { query: search } : { handoff });
  };
  const come: SamlApp['come'] = async (subject, id, { bends = {}, browser } = {}) => {
    const used = browser ?? (await app.as());
    const asked = await begin(used, id);
    const { location } = await deliver(id, idp.answer(asked, subject, bends));
    return { ...(await end(used, id, location)), browser: used };
  };
  const reasons = () =>
    app.logged
      .map((line) => JSON.parse(line) as { event: string; reason: string })
      .flatMap(({ event, reason }) => (event === 'sso_failed' ? [reason] : []));
  return { ...app, idp, admin, addProvider, begin, deliver, end, come, reasons };
}
