import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomToken } from '../../server/src/crypto/crypto.ts';
import { addressOf } from './network.ts';
import type { NodeName } from './network.ts';

/** The files in deploy/ha, with the changes that their first lines ask for: name, addresses, passwords. */

export const folder = join(import.meta.dirname, '../../deploy/ha');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

const password = () => randomToken(24);
export const passwords = { superuser: password(), owner: password(), app: password() };
const others: Readonly<Record<string, string>> = {
  CHANGE_SUPERUSER: passwords.superuser,
  CHANGE_RESTAPI: password(),
  CHANGE_REPLICATION: password(),
  CHANGE_REWIND: password(),
};

/** Changes the lines that name the node itself to another name and address. */
function forNode(text: string, node: NodeName): string {
  return text
    .split('\n')
    .map((line) => {
      if (/^name: a$|^ETCD_NAME=a$/.test(line)) return line.replace(/a$/, node);
      const isOwn = /^ *(listen|connect_address): |^ETCD_(LISTEN|INITIAL_ADVERTISE|ADVERTISE)_/.test(line);
      return isOwn ? line.replaceAll('10.0.0.1', addressOf(node)) : line;
    })
    .join('\n');
}

/** A node's patroni.yml; an asynchronous one is the control, which loses writes. */
export function patroniFile(node: NodeName, isSynchronous: boolean): string {
  const text = forNode(read('patroni.yml'), node).replaceAll(/CHANGE_[A-Z]+/g, (name) => others[name] ?? name);
  if (isSynchronous) return text;
  return text.replace('synchronous_mode: true', 'synchronous_mode: false').replace('_strict: true', '_strict: false');
}

/** A node's etcd.env, as variables. */
export function etcdVariables(node: NodeName): Record<string, string> {
  const lines = forNode(read('etcd.env'), node).split('\n');
  return Object.fromEntries(
    lines
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]),
  ) as Record<string, string>;
}

/** Tenure's database addresses: through HAProxy, or through PgBouncer in front of it. */
const url = (role: 'owner' | 'app', port: number) =>
  `postgres://tenure_${role}:${passwords[role]}@127.0.0.1:${port}/tenure`;
export const urls = { owner: url('owner', 5_000), app: url('app', 5_000), pooled: url('app', 6_432) };
export const superuserUrl = `postgres://postgres:${passwords.superuser}@127.0.0.1:5000/postgres`;

/** PgBouncer's userlist.txt. */
export const poolerUsers = `"tenure_app" "${passwords.app}"\n`;
