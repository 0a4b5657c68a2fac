import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';

const address = '/.well-known/security.txt';
/** Below the year that RFC 9116 recommends at most. */
const validDays = 364;

/** Where to report a weakness (RFC 9116). It never expires while the service runs: the day moves on with the clock. */
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
