import { execFileSync } from 'node:child_process';

/** Three network namespaces on a bridge, with the addresses in deploy/ha; this process is a fourth machine on it. */

export const nodeNames = ['a', 'b', 'c'] as const;
export type NodeName = (typeof nodeNames)[number];

const bridge = 'tenure';
/** The address of the machine that runs Tenure. */
const ownAddress = '10.0.0.10';
export const addressOf = (node: NodeName): string => `10.0.0.${nodeNames.indexOf(node) + 1}`;
export const namespaceOf = (node: NodeName): string => `tenure-${node}`;
const linkOf = (node: NodeName) => `tenure-${node}`;

const ip = (...args: string[]) => execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

function addNode(node: NodeName) {
  const namespace = namespaceOf(node);
  ip('netns', 'add', namespace);
  ip('link', 'add', linkOf(node), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
  ip('link', 'set', linkOf(node), 'master', bridge, 'up');
  ip('-n', namespace, 'addr', 'add', `${addressOf(node)}/24`, 'dev', 'eth0');
  for (const device of ['lo', 'eth0']) ip('-n', namespace, 'link', 'set', device, 'up');
}

export function makeNetwork(): void {
  ip('link', 'add', bridge, 'type', 'bridge');
  ip('addr', 'add', `${ownAddress}/24`, 'dev', bridge);
  ip('link', 'set', bridge, 'up');
  for (const node of nodeNames) addNode(node);
}

export function removeNetwork(): void {
  for (const node of nodeNames) ip('netns', 'del', namespaceOf(node));
  ip('link', 'del', bridge);
}

/** Unplugs or replugs a node's network cable. */
export const setLink = (node: NodeName, to: 'up' | 'down') => void ip('link', 'set', linkOf(node), to);

const everyAddress = (node: NodeName) => [ownAddress, ...othersOf(node)];
const othersOf = (node: NodeName) => nodeNames.filter((other) => other !== node).map(addressOf);

/** Drops everything that a node sends to the other nodes, or to everyone; it still receives. */
export function loseFrom(node: NodeName, to: 'nodes' | 'everyone'): void {
  for (const address of to === 'nodes' ? othersOf(node) : everyAddress(node))
    ip('-n', namespaceOf(node), 'route', 'add', 'blackhole', `${address}/32`);
}

export function loseNothing(node: NodeName): void {
  const routes = ip('-n', namespaceOf(node), 'route', 'show', 'type', 'blackhole');
  for (const address of routes.match(/[0-9]+(\.[0-9]+){3}/g) ?? [])
    ip('-n', namespaceOf(node), 'route', 'del', 'blackhole', `${address}/32`);
}

/** The processes of a node. */
export const processesOf = (node: NodeName): number[] =>
  ip('netns', 'pids', namespaceOf(node)).split('\n').filter(Boolean).map(Number);
