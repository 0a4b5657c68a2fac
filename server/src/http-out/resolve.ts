import { lookup, Resolver } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { openTurns } from '../files/turns.ts';

/** All addresses of a host name, or of an address itself. A look-up that has not begun at the deadline never begins. */
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

/** What a hosts file says of a name. */
function inHosts(text: string, name: string): LookupAddress[] {
  const found = wordsOf(text).filter(([, ...names]) => names.some((one) => one.toLowerCase() === name));
  return found.flatMap(([address = '']) => (isIP(address) === 0 ? [] : [{ address, family: isIP(address) }]));
}

/** The names that DNS is asked for one after the other, as resolv.conf(5) says. */
function candidates(name: string, text: string): string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const lines = wordsOf(text);
  const domains = lines.findLast(([word]) => word === 'search' || word === 'domain')?.slice(1) ?? [];
  const options = lines.filter(([word]) => word === 'options').flat();
  const least = Number(options.findLast((word) => /^ndots:\d+$/.test(word))?.slice(6) ?? 1);
  const inDomains = domains.map((domain) => `${name}.${domain}`);
  return name.split('.').length > least ? [name, ...inDomains] : [...inDomains, name];
}

/** All addresses that DNS has for a name; none where it has no such name. */
async function inDns(resolver: Resolver, name: string): Promise<LookupAddress[]> {
  const asked = await Promise.allSettled([resolver.resolve6(name), resolver.resolve4(name)]);
  const found = asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const fault = asked.find((answer) => answer.status === 'rejected' && !absent.has(answer.reason.code as string));
  // some servers are silent about addresses of IPv6
  if (found.length === 0 && fault?.status === 'rejected') throw fault.reason as Error;
  return found.map((address) => ({ address, family: isIP(address) })).toSorted((a, b) => a.family - b.family);
}

type Names = {
  /** Where `hosts` and `resolv.conf` are. */
  folder?: string;
  /** In place of those of `resolv.conf`. */
  servers?: readonly string[];
};

/**
 * Looks up names by hosts file, search domains and DNS, and ends with the deadline. A look-up of the system would hold
 * one of two threads that those of database and mail server need too, and cannot be ended.
 */
export function openNames({ folder = '/etc', servers }: Names = {}): Resolve {
  return async (hostname, deadline) => {
    const family = isIP(hostname);
    if (family !== 0) return [{ address: hostname, family }];
    const name = hostname.toLowerCase();
    const known = inHosts(await textOf(join(folder, 'hosts')), name.replace(/\.$/, ''));
    if (known.length > 0) return known;
    const names = candidates(name, await textOf(join(folder, 'resolv.conf')));
    // one of its own, which is ended without others
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
 * Looks up two names at a time. A look-up of the system holds one of the four threads that files and keys need too, and
 * cannot be ended.
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

/** As database and mail server are looked up. */
export const resolveBySystem: Resolve = inTurn((hostname) => lookup(hostname, { all: true, verbatim: true }));

/** Waits for work until the deadline; the work itself may go on. */
export async function within<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(deadline.reason as Error);
  if (deadline.aborted) stop();
  deadline.addEventListener('abort', stop, { once: true });
  return Promise.race([work, promise]).finally(() => deadline.removeEventListener('abort', stop));
}
