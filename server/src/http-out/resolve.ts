import { lookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';

/** All addresses of a host name, or of an address itself. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/** As the machine resolves names: hosts file, search domains and DNS. */
export const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true, verbatim: true });
