import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';

const address = '/.well-known/security.txt';
/** Less than a year, the maximum that RFC 9116 recommends. */
const validDays = 364;

/** Where to report a vulnerability (RFC 9116). The expiry is computed per request, so that it never passes. */
function securityText({ SECURITY_CONTACT, APP_URL }: Config): string {
  const expires = Temporal.Now.plainDateISO('UTC').add({ days: validDays });
  const contacts = SECURITY_CONTACT.length > 0 ? SECURITY_CONTACT : [`${APP_URL}/`];
  return [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires.toString()}T00:00:00Z`,
    'Preferred-Languages: en, de',
    `Canonical: ${APP_URL}${address}`,
    '',
  ].join('\n');
}

export function bindSecurityText(app: FastifyInstance, config: Config) {
  app.route({
    method: ['GET', 'HEAD'],
    url: address,
    handler: (_request, reply) =>
      reply
        .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' })
        .send(securityText(config)),
  });
}
