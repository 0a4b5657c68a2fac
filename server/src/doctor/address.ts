import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { isLoopback } from '../loopback.ts';
import type { Config } from '../config.ts';
import { randomId } from '../crypto/crypto.ts';
import { fail, ok, warn } from './finding.ts';
import type { Finding } from './finding.ts';
import { unreachable } from './reach.ts';
import { checkStream } from './stream.ts';

const milliseconds = 5_000;
const day = 86_400_000;
const fewDays = 14;

/** Days until the certificate of an address expires. */
async function certificateDays({ hostname, port }: URL, now: number): Promise<number> {
  const host = hostname.replaceAll(/[[\]]/g, '');
  const socket = connect({
    host,
    port: Number(port || 443),
    rejectUnauthorized: false,
    ...(isIP(host) === 0 && { servername: host }),
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(milliseconds) });
    return Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - now) / day);
  } finally {
    socket.destroy();
  }
}

async function checkCertificate(url: URL, now: number): Promise<Finding[]> {
  if (url.protocol !== 'https:') return [];
  const days = await certificateDays(url, now);
  const found = `The certificate of ${url.host} expires in ${days} days`;
  const renew = 'Renew it, and find out why it was not renewed automatically.';
  if (days < 0) return [fail('tls', `The certificate of ${url.host} has expired`, renew)];
  return [days < fewDays ? warn('tls', found, renew) : ok('tls', found)];
}

/** The service itself speaks no TLS, so an https address has a proxy in front. */
const checkTrust = ({ APP_URL, TRUST_PROXY }: Config): Finding[] =>
  APP_URL.startsWith('https:') && TRUST_PROXY.length === 0
    ? [
        warn(
          'proxy',
          'Headers of the proxy are not trusted, so all clients share the limits of its address',
          'Set TRUST_PROXY to the addresses that the proxy connects from.',
        ),
      ]
    : [];

/** Whether the service believes the headers of the proxy that the address leads through. */
function checkProxy(isBelieved: boolean, { TRUST_PROXY }: Config): Finding[] {
  if (TRUST_PROXY.length === 0) return [];
  return [
    isBelieved
      ? ok('proxy', 'Headers of the proxy are trusted')
      : warn(
          'proxy',
          'Headers of the proxy are not trusted: it connects from an address outside TRUST_PROXY, or drops X-Request-Id',
          'Set TRUST_PROXY to the addresses that the proxy connects from.',
        ),
  ];
}

async function ask(url: URL, requestId: string) {
  const answer = await fetch(new URL('/readyz', url), {
    redirect: 'manual',
    signal: AbortSignal.timeout(milliseconds),
    headers: { 'x-request-id': requestId },
  });
  const text = await answer.text();
  return { status: answer.status, id: answer.headers.get('x-request-id'), text };
}

type Health = { message?: string; failed?: string[] };

function healthOf(text: string): Health | undefined {
  try {
    return JSON.parse(text) as Health;
  } catch {
    return undefined;
  }
}

/** The form of the service's own request ids; it takes any other form only from a trusted peer. */
const isOwnId = (id: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);

function checkHealth(status: number, health: Health | undefined, id: string | null): Finding {
  const isOurs = id !== null && health?.message !== undefined;
  if (status === 200 && isOurs) return ok('address', 'APP_URL leads to a service that is ready');
  if (status === 503 && isOurs && health.failed)
    return fail(
      'address',
      `APP_URL leads to a service that is not ready: ${health.failed.join(', ')}`,
      'Look for not_ready in the log; "Health" in docs/operations.md explains each.',
    );
  if (status >= 502 && status <= 504)
    return fail('address', `The proxy reaches no service (${status})`, 'Start the service, or correct the proxy.');
  return fail(
    'address',
    `APP_URL does not lead to the service (${status})`,
    'Correct APP_URL, or let the proxy forward every path to the service.',
  );
}

async function checkAnswer(url: URL, config: Config, now: number): Promise<Finding[]> {
  const given = `doctor-${randomId()}`;
  try {
    const { status, id, text } = await ask(url, given);
    const found = checkHealth(status, healthOf(text), id);
    // a proxy may set its own id
    const isBelieved = id !== null && (id === given || !isOwnId(id));
    if (found.status !== 'ok') return [found];
    return [found, ...checkProxy(isBelieved, config), ...(await checkStream(config, now))];
  } catch (error) {
    const { what, remedy } = unreachable(error, 'APP_URL');
    const hint = isLoopback(url.hostname) ? ' Add --offline while the service is stopped.' : '';
    return [fail('address', `${url.origin} cannot be reached: ${what}`, `${remedy}${hint}`)];
  }
}

/** Requests the public address as a browser on this machine would. */
export async function checkAddress(config: Config, now: number): Promise<Finding[]> {
  if (config.ROLE === 'worker') return [];
  const url = new URL(config.APP_URL);
  const answered = await checkAnswer(url, config, now);
  return [...answered, ...(await checkCertificate(url, now).catch(() => [])), ...checkTrust(config)];
}
