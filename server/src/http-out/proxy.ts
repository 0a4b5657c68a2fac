import { request } from 'node:http';
import type { Socket } from 'node:net';
import { connect } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { literalOf } from './addresses.ts';
import { EgressFailed } from './failures.ts';

type TunnelOptions = { signal: AbortSignal; timeoutMs: number; ca: string | undefined };

const authorityOf = ({ hostname, port }: URL) => `${hostname}:${port || '443'}`;

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (!username && !password) return {};
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(plain).toString('base64')}` };
}

/** A connection to the target through a proxy, which resolves the name and does the filtering. */
function openTunnel(proxy: URL, target: URL, { signal, timeoutMs }: TunnelOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const asked = request({
      host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: proxy.port || 80,
      method: 'CONNECT',
      path: authorityOf(target),
      headers: { host: authorityOf(target), ...authorizationOf(proxy) },
      agent: false,
      signal,
      timeout: timeoutMs,
    });
    asked.once('timeout', () => asked.destroy(new EgressFailed('timeout')));
    asked.once('error', (error) => reject(signal.aborted ? error : new EgressFailed('proxy', error)));
    asked.once('response', (answer) => {
      answer.destroy();
      reject(new EgressFailed('proxy'));
    });
    asked.once('connect', (answer, socket, head) => {
      if (answer.statusCode === 200 && head.length === 0) return resolve(socket);
      socket.destroy();
      reject(new EgressFailed('proxy'));
    });
    asked.end();
  });
}

/** TLS with the target through the proxy; the certificate is the target's. */
export async function tunnel(proxy: URL, target: URL, options: TunnelOptions): Promise<TLSSocket> {
  const socket = await openTunnel(proxy, target, options);
  const { ca } = options;
  const literal = literalOf(target.hostname);
  const named = literal === undefined ? { servername: target.hostname } : { host: literal };
  return connect({ socket, ...named, ...(ca !== undefined && { ca }) });
}
