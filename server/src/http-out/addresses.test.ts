import ipaddr from 'ipaddr.js';
import { BlockList } from 'node:net';
import { describe, expect, test } from 'vitest';
import { randomBytes } from '../crypto/crypto.ts';
import { isPublic, isReachable, rangesOf, unwrapped } from './addresses.ts';

const none = rangesOf([]);

describe('public addresses', () => {
  test.each(['8.8.8.8', '1.1.1.1', '198.41.0.4', '2a00:1450:4001:80b::200e', '::ffff:8.8.8.8', '64:ff9b::808:808'])(
    '%s is reached',
    (address) => expect([isPublic(address), isReachable(address, none)]).toEqual([true, true]),
  );

  test.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::8.8.8.8',
    '2002:7f00:1::',
    '2002:a00:1::1',
    '2001:0:53aa:64c::1',
    '2001:db8::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '100::1',
    '3fff::1',
    '5f00::1',
    '4000::1',
  ])('%s is not', (address) => expect(isReachable(address, none)).toBe(false));
});

test('an allowed range opens private addresses in each notation, and never those of clouds', () => {
  const allowed = rangesOf(['10.1.0.0/16', '127.0.0.1', 'fd12::/16', '169.254.0.0/16', 'fe80::/10', '168.63.129.16']);
  for (const address of ['10.1.2.3', '127.0.0.1', '::ffff:10.1.2.3', '64:ff9b::10.1.2.3', 'fd12::1'])
    expect([address, isReachable(address, allowed)]).toEqual([address, true]);
  for (const address of ['10.2.0.1', '127.0.0.2', 'fd13::1', '169.254.169.254', '::ffff:169.254.169.254', 'fe80::1'])
    expect([address, isReachable(address, allowed)]).toEqual([address, false]);
  expect(isReachable('168.63.129.16', allowed)).toBe(false);
  expect(isReachable('no address', allowed)).toBe(false);
});

/** The IANA registries as of November 2026, written down again and by kind. */
// one list per family, because in a common list ::/8 would contain all of IPv4
const registry = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const cidr of [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24',
  '203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
].flatMap((line) => line.split(' '))) {
  const [address = '', bits] = cidr.split('/');
  registry.ipv4.addSubnet(address, Number(bits), 'ipv4');
}
for (const cidr of [
  '::/8 100::/8 64:ff9b::/32 200::/7 400::/6 800::/5 1000::/4 2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48',
  '3fff::/20 4000::/2 8000::/1',
].flatMap((line) => line.split(' '))) {
  const [address = '', bits] = cidr.split('/');
  registry.ipv6.addSubnet(address, Number(bits), 'ipv6');
}

/** Addresses whose first bytes are often those of a special range. */
const beginnings = [
  [],
  [10],
  [100],
  [127],
  [169, 254],
  [172],
  [192, 0],
  [192, 168],
  [192],
  [198],
  [203, 0, 113],
  [224],
];
const beginnings6 = [[], [0x20, 0x01], [0x20, 0x02], [0x26, 0x20, 0, 0x4f], [0x3f, 0xff], [0xfc], [0xfe, 0x80], [0x20]];

function random(bytes: number, starts: number[][]): Uint8Array {
  const start = starts[(randomBytes(1)[0] ?? 0) % starts.length] ?? [];
  return Buffer.concat([Buffer.from(start), randomBytes(bytes - start.length)]);
}

test('N30: 10^5 random addresses are checked as by the registries and by another library', { timeout: 180_000 }, () => {
  const wrong: string[] = [];
  for (let count = 0; count < 50_000; count += 1) {
    const four = ipaddr.fromByteArray([...random(4, beginnings)]);
    const six = ipaddr.fromByteArray([...random(16, beginnings6)]);
    for (const [parsed, kind] of [
      [four, 'ipv4'],
      [six, 'ipv6'],
    ] as const) {
      const address = parsed.toString();
      const [ours, theirs] = [isPublic(address), parsed.range() === 'unicast'];
      if (ours === registry[kind].check(address, kind)) wrong.push(`${address} of the registry`);
      // the library knows no limit of the assigned IPv6 addresses
      if (ours ? !theirs : theirs && kind === 'ipv4') wrong.push(`${address} of the library`);
    }
  }
  expect(wrong.slice(0, 5)).toEqual([]);
});

test('an address of IPv4 in one of IPv6 is the same in 10^4 random notations', () => {
  for (let count = 0; count < 10_000; count += 1) {
    const four = ipaddr.IPv4.parse([...randomBytes(4)].join('.'));
    const mapped = four.toIPv4MappedAddress();
    for (const written of [mapped.toString(), mapped.toNormalizedString(), `::ffff:${four.toString()}`])
      expect(unwrapped(written)).toBe(four.toString());
  }
});
