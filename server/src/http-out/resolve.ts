import { lookup, Resolver } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { openTurns } from '../files/turns.ts';

/** All addresses of a host name, or an IP address itself. A lookup not started by the deadline never starts. */
export type Resolve = (hostname: string, deadline?: AbortSignal) => Promise<LookupAddress[]>;

const ask = { timeout: 2_000, tries: 2 };
const absent = new Set(['ENOTFOUND', 'ENODATA']);

const textOf = (file: string) => readFile(file, 'utf8').catch(() => '');
const wordsOf = (text: string) =>
  text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/),
  );

/** What a hosts file says about a name. */
function inHosts(text: string, name: string): LookupAddress[] {
  const found = wordsOf(text).filter(([, ...names]) => names.some((one) => one.toLowerCase() === name));
  return found.flatMap(([address = '']) => (isIP(address) === 0 ? [] : [{ address, family: isIP(address) }]));
}

/** The names to query in turn, by the rules of resolv.conf(5). */
function candidates(name: string, text: string): string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const lines = wordsOf(text);
  const domains = lines.findLast(([word]) => word === 'search' || word === 'domain')?.slice(1) ?? [];
  const options = lines.filter(([word]) => word === 'options').flat();
  const least = Number(options.findLast((word) => /^ndots:\d+$/.test(word))?.slice(6) ?? 1);
  const inDomains = domains.map((domain) => `${name}.${domain}`);
  return name.split('.').length > least ? [name, ...inDomains] : [...inDomains, name];
}

/** All DNS addresses of a name; none if the name does not exist. */
async function inDns(resolver: Resolver, name: string): Promise<LookupAddress[]> {
  const asked = await Promise.allSettled([resolver.resolve6(name), resolver.resolve4(name)]);
  const found = asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const fault = asked.find((answer) => answer.status === 'rejected' && !absent.has(answer.reason.code as string));
  // some servers do not answer queries for IPv6
  if (found.length === 0 && fault?.status === 'rejected') throw fault.reason as Error;
  return found.map((address) => ({ address, family: isIP(address) })).toSorted((a, b) => a.family - b.family);
}

type Names = {
  /** The folder of `hosts` and `resolv.conf`. */
  folder?: string;
  /** Used instead of those in `resolv.conf`. */
  servers?: readonly string[];
};

/**
 * Resolves names by hosts file, search domains and DNS, until the deadline. A system lookup would occupy one of the two
 * threads that lookups for the database and mail server need too, and cannot be cancelled.
 */
export function openNames({ folder = '/etc', servers }: Names = {}): Resolve {
  return async (hostname, deadline) => {
    const family = isIP(hostname);
    if (family !== 0) return [{ address: hostname, family }];
    const name = hostname.toLowerCase();
    const known = inHosts(await textOf(join(folder, 'hosts')), name.replace(/\.$/, ''));
    if (known.length > 0) return known;
    const names = candidates(name, await textOf(join(folder, 'resolv.conf')));
    // a separate one, so that cancelling it affects no others
    const resolver = new Resolver(ask);
    if (servers) resolver.setServers(servers);
    const end = () => resolver.cancel();
    deadline?.addEventListener('abort', end, { once: true });
    try {
      for (const one of names) {
        deadline?.throwIfAborted();
        const found = await inDns(resolver, one);
        if (found.length > 0) return found;
      }
      return [];
    } finally {
      deadline?.removeEventListener('abort', end);
    }
  };
}

/**
 * Runs two lookups at a time. A system lookup occupies one of the four threads that files and keys need too, and cannot
 * be cancelled.
 */
export function inTurn(look: Resolve): Resolve {
  const turns = openTurns({ running: 2, waiting: 100, waitMs: 15_000 });
  return async (hostname, deadline) => {
    const family = isIP(hostname);
    if (family !== 0) return [{ address: hostname, family }];
    return turns(async () => {
      deadline?.throwIfAborted();
      return look(hostname, deadline);
    });
  };
}

/** Resolves like the clients of database and mail server. */
export const resolveBySystem: Resolve = inTurn((hostname) => lookup(hostname, { all: true, verbatim: true }));

/** Waits for work until the deadline; the work itself may continue. */
export async function within<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(deadline.reason as Error);
  if (deadline.aborted) stop();
  deadline.addEventListener('abort', stop, { once: true });
  return Promise.race([work, promise]).finally(() => deadline.removeEventListener('abort', stop));
}
