import type { FastifyInstance } from 'fastify';
import { networkOf } from '../../access/known-origins.ts';
import { checkDeclaredLength } from '../../http/body.ts';
import type { Body } from '../../http/body.ts';
import type { Deps } from '../../http/context.ts';
import { notFound, tooMany } from '../../http/errors.ts';
import { guestsPerMinute, rateLimit } from '../../http/limits.ts';
import { BadAnswer } from '../openid.ts';
import { findProvider, isSaml, returnAddressOf } from '../providers.ts';
import type { SamlProvider } from '../providers.ts';
import { maxBytes, readSamlAnswer } from './answer.ts';
import { metadataOf } from './places.ts';
import { isOpenRequest, storeResult } from './requests.ts';

/** Where browsers deliver the answers of SAML providers, and where providers read the service's metadata. */

const idPath = '/sso/:id(^[1-9]\\d{0,15}$)';
type Asked = { Params: { id: string } };

/** Answers with an invalid signature, per network and minute: checking one costs as much as many requests. */
export const badSignaturesPerMinute = 60;

async function findSaml({ db, ring }: Deps, id: number): Promise<SamlProvider | undefined> {
  const found = await findProvider(db, ring, id);
  return found && isSaml(found.provider) ? found.provider : undefined;
}

/** Checks and stores an answer; returns the handoff for the browser that started the flow. Throws `BadAnswer`. */
async function receive(deps: Deps, provider: SamlProvider, field: unknown): Promise<string> {
  const { db, config, ring } = deps;
  if (typeof field !== 'string') throw new BadAnswer('xml');
  const { id: providerId } = provider;
  const isOpen = (requestId: string) => isOpenRequest(db, providerId, requestId);
  const answer = await readSamlAnswer(config, provider, { field, isOpen });
  const handoff = await db.transaction().execute((trx) => storeResult(trx, ring, { providerId, answer }));
  // the same answer was sent twice at once
  if (handoff === undefined) throw new BadAnswer('in_response_to');
  return handoff;
}

/**
 * Accepts answers. The browser comes from another site, so it sends no cookies of the service, and none are read or
 * set: the page that it is sent on to proves that it is the browser that started the flow.
 */
export function bindSaml(app: FastifyInstance, deps: Deps): void {
  const limit = rateLimit(guestsPerMinute);
  const bad = rateLimit(badSignaturesPerMinute);
  const count = (ip: string) => {
    const { remaining, seconds } = limit.consume(networkOf(ip));
    if (remaining < 0) throw tooMany(seconds, limit.limit);
  };
  const refuseBad = (ip: string) => {
    const { remaining, seconds } = bad.peek(networkOf(ip));
    if (remaining < 0) throw tooMany(seconds, bad.limit);
  };
  app.post<Asked & { Body: Body | Error | undefined }>(
    `${idPath}/acs`,
    {
      onRequest: async (request) => {
        count(request.ip);
        refuseBad(request.ip);
        checkDeclaredLength(request.raw, { bodyBytes: maxBytes });
      },
    },
    async (request, reply) => {
      const provider = await findSaml(deps, Number(request.params.id));
      if (!provider) throw notFound();
      const { body } = request;
      if (body instanceof Error) throw body;
      const address = new URL(returnAddressOf(deps.config, provider.id));
      try {
        address.searchParams.set('handoff', await receive(deps, provider, body?.input['SAMLResponse']));
      } catch (error) {
        if (!(error instanceof BadAnswer)) throw error;
        const { code: reason } = error;
        if (reason === 'signature') bad.consume(networkOf(request.ip));
        const who = { request_id: request.id, ip: request.ip, provider_id: provider.id };
        deps.log.warn({ event: 'sso_failed', ...who, reason }, 'a sign-in through a provider was refused');
        address.searchParams.set('error', reason);
      }
      return reply.code(303).header('cache-control', 'no-store').header('location', address.href).send();
    },
  );
  app.get<Asked>(`${idPath}/metadata`, async (request, reply) => {
    count(request.ip);
    const provider = await findSaml(deps, Number(request.params.id));
    if (!provider) throw notFound();
    return reply
      .header('cache-control', 'no-store')
      .type('application/samlmetadata+xml; charset=utf-8')
      .send(metadataOf(deps.config, provider.id, provider.subject_attribute));
  });
}
