import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { dnsServer } from '../testing/dns-server.ts';
import { openNames } from './resolve.ts';

const folder = await mkdtemp(join(tmpdir(), 'tenure-names-'));
afterAll(() => rm(folder, { recursive: true }));

const { servers, asked } = await dnsServer({
  'idp.example': [['192.0.2.1', '2001:db8::1']],
  'idp.corp.example': [['192.0.2.2']],
  'login.idp.corp.example': [['192.0.2.3']],
  'alias.example': [['idp.example']],
});
const look = openNames({ folder, servers });
const found = async (name: string) => (await look(name)).map(({ address }) => address);

const write = (name: 'hosts' | 'resolv.conf', lines: string[]) =>
  writeFile(join(folder, name), `${lines.join('\n')}\n`);
beforeEach(async () => {
  await write('hosts', []);
  await write('resolv.conf', []);
});

test('a name has the addresses of DNS, also through another name; one that is not there has none', async () => {
  expect(await look('idp.example')).toEqual([
    { address: '192.0.2.1', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ]);
  expect(await found('alias.example')).toEqual(['192.0.2.1', '2001:db8::1']);
  expect(await found('IDP.example.')).toEqual(['192.0.2.1', '2001:db8::1']);
  expect(await found('nothing.example')).toEqual([]);
  expect(await found('192.0.2.9')).toEqual(['192.0.2.9']);
});

test('the hosts file comes first', async () => {
  await write('hosts', [
    '# 192.0.2.7 idp.example',
    '192.0.2.8 other idp.example # a comment',
    '2001:db8::8\tIDP.example',
  ]);
  const before = asked['idp.example'];
  expect(await found('idp.example')).toEqual(['192.0.2.8', '2001:db8::8']);
  expect(asked['idp.example']).toBe(before);
});

describe('search domains', () => {
  test.each([
    ['search corp.example', 'idp', ['192.0.2.2']],
    ['domain corp.example', 'idp', ['192.0.2.2']],
    ['search none.example corp.example', 'idp', ['192.0.2.2']],
    // the last one is used
    ['search none.example\nsearch corp.example', 'idp', ['192.0.2.2']],
    ['search corp.example', 'idp.', []],
    ['search corp.example', 'idp.example', ['192.0.2.1', '2001:db8::1']],
    ['search corp.example\noptions timeout:1 ndots:5', 'login.idp', ['192.0.2.3']],
    ['search corp.example\noptions ndots:5', 'idp.example', ['192.0.2.1', '2001:db8::1']],
    ['; search corp.example', 'idp', []],
  ])('%j: %s', async (text, name, addresses) => {
    await write('resolv.conf', [text]);
    expect(await found(name)).toEqual(addresses);
  });
});

test('a look-up ends with its deadline', async () => {
  await expect(look('idp.silent', AbortSignal.timeout(100))).rejects.toMatchObject({ code: 'ECANCELLED' });
});
