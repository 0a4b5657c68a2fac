import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { passwords, patroniFile, etcdVariables } from './ha/files.ts';

type Patroni = {
  name: string;
  restapi: { listen: string };
  etcd3: { hosts: string[] };
  bootstrap: { dcs: Record<string, number | boolean> };
  postgresql: { listen: string; connect_address: string; authentication: { superuser: { password: string } } };
};
const patroni = (...args: Parameters<typeof patroniFile>) => parse(patroniFile(...args)) as Patroni;

test('without its programs the test of high availability says so and fails', () => {
  const env = { PATH: '/nowhere' };
  const { status, stderr } = spawnSync(process.execPath, ['scripts/ha.ts'], { env, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^NOT TESTED: this machine lacks unshare, .*haproxy/);
});

test('Patroni has times that fit, and acknowledges nothing on one copy', () => {
  const { dcs } = patroni('a', true).bootstrap;
  expect(Number(dcs['loop_wait']) + 2 * Number(dcs['retry_timeout'])).toBeLessThanOrEqual(Number(dcs['ttl']));
  expect(dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true, failsafe_mode: true });
  expect(patroni('a', false).bootstrap.dcs).toMatchObject({ synchronous_mode: false, synchronous_mode_strict: false });
});

test('the files of another node differ in its name and addresses only', () => {
  const { name, restapi, etcd3, postgresql } = patroni('b', true);
  expect([name, restapi.listen, postgresql.listen, postgresql.connect_address]).toEqual([
    'b',
    '10.0.0.2:8008',
    '10.0.0.2:5432',
    '10.0.0.2:5432',
  ]);
  expect(etcd3.hosts[0]).toBe('10.0.0.1:2379');
  expect(postgresql.authentication.superuser.password).toBe(passwords.superuser);
  expect(patroniFile('b', true)).not.toContain('CHANGE_');
  const variables = etcdVariables('b');
  expect(variables['ETCD_ADVERTISE_CLIENT_URLS']).toBe('http://10.0.0.2:2379');
  expect(variables['ETCD_INITIAL_CLUSTER']).toContain('a=http://10.0.0.1:2380');
});

test('the guide names each file', () => {
  const guide = readFileSync('docs/ha.md', 'utf8');
  for (const file of readdirSync(join('deploy', 'ha'))) expect(guide).toContain(`\`${file}\``);
});
