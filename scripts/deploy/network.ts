import { mkdirSync, writeFileSync } from 'node:fs';
import { succeed } from './container.ts';

/**
 * The network of a compose file: a machine for each service with its own address, which the others find by name. It is
 * inside the caller's network namespace, so nothing else can be reached.
 */

export type Machine = { name: string; address: string; /** Its network, for a runtime. */ path: string };

/** Part of one of the ranges that compose files trust. */
const prefix = '172.30.0.';
export const ownAddress = `${prefix}1`;

const ip = (...args: string[]) => void succeed('ip', args);

/** Prepares the network; empties `/run`, for the names of networks and for secrets. */
export function openNetwork(): void {
  succeed('mount', ['-t', 'tmpfs', '-o', 'mode=755', 'run', '/run']);
  mkdirSync('/run/netns');
  ip('addr', 'add', `${ownAddress}/32`, 'dev', 'lo');
  writeFileSync('/proc/sys/net/ipv4/ip_forward', '1');
}

let last = 1;

/** Adds a machine; packets between machines are routed here, because not every kernel supports bridges. */
export function addMachine(name: string): Machine {
  last += 1;
  const [address, link] = [`${prefix}${last}`, `veth${last}`];
  ip('netns', 'add', name);
  ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  ip('link', 'set', link, 'up');
  ip('-n', name, 'link', 'set', 'lo', 'up');
  ip('-n', name, 'addr', 'add', `${address}/32`, 'dev', 'eth0');
  ip('-n', name, 'link', 'set', 'eth0', 'up');
  ip('-n', name, 'route', 'add', ownAddress, 'dev', 'eth0');
  ip('-n', name, 'route', 'add', 'default', 'via', ownAddress);
  ip('route', 'add', address, 'dev', link);
  return { name, address, path: `/run/netns/${name}` };
}

/** A command in a machine's network. */
export const inside = ({ path }: Machine, ...command: string[]): string[] => ['nsenter', `--net=${path}`, ...command];

/** Maps names to addresses, for programs here and, mounted, for containers. */
export function nameMachines(file: string, names: readonly (readonly [string, string])[]): void {
  const lines = [['127.0.0.1', 'localhost'], ...names].map((pair) => pair.join(' '));
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o644 });
  succeed('mount', ['--bind', file, '/etc/hosts']);
}
