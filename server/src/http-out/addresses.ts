import { BlockList, isIP } from 'node:net';

const kindOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Ranges that are not on the public internet, from IANA's special-purpose registries; see the tests. */
const special = rangesOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '2001::/23',
  '2001:db8::/32',
  // 6to4 leads to an IPv4 address through relays that no longer exist
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
]);
/** All allocated IPv6 addresses; others are local or unassigned. */
const given = rangesOf(['2000::/3']);

/** Refused even if allowed: addresses where clouds hand out credentials, and those of no single host. */
const never = rangesOf([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  '224.0.0.0/4',
  '255.255.255.255/32',
  '::/128',
  'fe80::/10',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  'ff00::/8',
]);

/** Ranges in CIDR notation; a single address is a range of one. */
export function rangesOf(cidrs: readonly string[]): BlockList {
  const ranges = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', bits] = cidr.split('/');
    const kind = kindOf(address);
    ranges.addSubnet(address, bits === undefined ? (kind === 'ipv6' ? 128 : 32) : Number(bits), kind);
  }
  return ranges;
}

/** The eight groups of an IPv6 address; the URL parser reads every notation. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const read = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  if (tail === undefined) return read(head);
  const [before, after] = [read(head), read(tail)];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

/** IPv6 prefixes that lead to an IPv4 address: mapped, and translated by NAT64. */
const carriers = [
  [0, 0, 0, 0, 0, 0xffff],
  [0x64, 0xff9b, 0, 0, 0, 0],
];

/** The address that packets reach: the IPv4 address if mapped (`::ffff:`) or translated (`64:ff9b::`), else itself. */
export function unwrapped(address: string): string {
  const [plain = ''] = address.split('%');
  if (isIP(plain) !== 6) return plain;
  const groups = groupsOf(plain);
  if (!carriers.some((prefix) => prefix.every((group, index) => groups[index] === group))) return plain;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

/** True for an address on the public internet. */
export function isPublic(address: string): boolean {
  const reached = unwrapped(address);
  const kind = kindOf(reached);
  return !special.check(reached, kind) && (kind === 'ipv4' || given.check(reached, kind));
}

/** True if requests may reach an address: a public one, or one in the allowed ranges. */
export function isReachable(address: string, allowed: BlockList): boolean {
  const reached = unwrapped(address);
  const kind = kindOf(reached);
  if (isIP(reached) === 0 || never.check(reached, kind)) return false;
  return isPublic(reached) || allowed.check(reached, kind);
}

/** The IP address in a host name, without brackets; undefined for a name. */
export function literalOf(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}
