import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { writeCertificate } from './certificate.ts';
import type { ProxyPlan, ProxyWalked } from './proxy-walk.ts';
import { alone, has, namedUser, printedBy, run, unprivileged } from './tools.ts';

const [scratch, tree] = [inject('scratch'), inject('tree')];
const canServe = has('nginx before the service', 'nginx', 'openssl', 'unshare', 'ip', 'setpriv');
const name = 'hr.example.com';
const example = readFileSync(join(tree, 'deploy/proxy/nginx.conf'), 'utf8');

/** Writes the example inside a typical system configuration, with a new certificate. */
function writeConfig(folder: string, text: string): string {
  const path = join(folder, 'nginx.conf');
  const server = text.replaceAll('/etc/ssl/tenure', folder);
  const around = ['user root;', `pid ${folder}/pid;`, `error_log ${folder}/error.log;`, 'events {}'];
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (one) => `${one}_temp_path ${folder}/${one};`,
  );
  writeFileSync(path, [...around, 'http {', 'access_log off;', ...temporary, server, '}'].join('\n'));
  return path;
}

function planOf(folder: string, text: string): ProxyPlan {
  mkdirSync(folder);
  run('chmod', ['a+rx', scratch, folder]);
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  chownSync(dataDir, namedUser, namedUser);
  const certificate = writeCertificate(folder, name);
  const hosts = join(folder, 'hosts');
  writeFileSync(hosts, `127.0.0.1 localhost ${name}\n`);
  return {
    start: unprivileged(namedUser, join(tree, 'bin/tenure'), 'start'),
    health: unprivileged(namedUser, join(tree, 'bin/tenure'), 'health'),
    env: { PATH: '/usr/bin:/bin', DATA_DIR: dataDir, APP_URL: `https://${name}`, TRUST_PROXY: '127.0.0.1' },
    dataDir,
    nginx: writeConfig(folder, text),
    certificate,
    hosts,
    address: `https://${name}`,
  };
}

const walk = (plan: ProxyPlan) =>
  run(...alone(process.execPath, join(import.meta.dirname, 'proxy-walk.ts'), JSON.stringify(plan)));

describe.runIf(canServe)('nginx with the example', () => {
  test('passes notifications on at once, speaks HTTP/2 and redirects plain HTTP', () => {
    const { status, output } = walk(planOf(join(scratch, 'nginx'), example));
    expect(status, output).toBe(0);
    const walked = printedBy<ProxyWalked>({ status, output });
    console.log(`Through nginx the stream began after ${walked.first} ms, a notification took ${walked.next} ms.`);
    expect(walked).toMatchObject({ redirected: `https://${name}/somewhere`, protocol: 'h2' });
  });
});
