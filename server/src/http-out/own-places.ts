import { networkInterfaces } from 'node:os';
import type { Config } from '../config.ts';
import { rangesOf, unwrapped } from './addresses.ts';
import type { Resolve } from './resolve.ts';

/** Where the service itself listens or stores data: out of reach for requests caused by a user's setting. */
export type OwnPlaces = {
  /** Ports on this machine. */
  ports: ReadonlySet<number>;
  /** Servers that it uses, by name and port. */
  servers: readonly { hostname: string; port: number }[];
};

type Places = Pick<
  Config,
  | 'PORT'
  | 'METRICS_PORT'
  | 'DATABASE_URL'
  | 'DATABASE_DIRECT_URL'
  | 'DATABASE_MIGRATION_URL'
  | 'DATABASE_BACKUP_URL'
  | 'SMTP_URL'
>;

// mail goes to 587 if no port is given, and a mail server also listens on 25
const standardPorts: Readonly<Record<string, number[]>> = { 'smtp:': [25, 587], 'smtps:': [465] };

export function ownPlaces(config: Places): OwnPlaces {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_MIGRATION_URL, DATABASE_BACKUP_URL, SMTP_URL } = config;
  const urls = [DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_MIGRATION_URL, DATABASE_BACKUP_URL, SMTP_URL];
  const servers = urls.flatMap((text) => {
    const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
    if (!url?.hostname) return [];
    const ports = url.port ? [Number(url.port)] : (standardPorts[url.protocol] ?? [5_432]);
    return ports.map((port) => ({ hostname: url.hostname, port }));
  });
  return { ports: new Set([config.PORT, config.METRICS_PORT].filter((port) => port > 0)), servers };
}

const loopback = rangesOf(['127.0.0.0/8', '::1']);

function isThisMachine(address: string): boolean {
  const reached = unwrapped(address);
  if (loopback.check(reached, reached.includes(':') ? 'ipv6' : 'ipv4')) return true;
  return Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === reached));
}

/** True for an address and port of the service itself, its database or its mail server. */
export async function isOwnPlace(
  { ports, servers }: OwnPlaces,
  { address, port }: { address: string; port: number },
  resolve: Resolve,
): Promise<boolean> {
  if (ports.has(port) && isThisMachine(address)) return true;
  for (const server of servers.filter((one) => one.port === port)) {
    const found = await resolve(server.hostname.replace(/^\[(.*)\]$/, '$1')).catch(() => []);
    if (found.some((one) => unwrapped(one.address) === unwrapped(address))) return true;
  }
  return false;
}
