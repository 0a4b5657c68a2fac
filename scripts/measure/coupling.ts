import { dirname, join, normalize } from 'node:path';
import type { Import, Parsed } from './parse.ts';

export type Edge = { from: string; to: string; kind: Import['kind'] };

/** Imports by path, without packages. */
export const edgesOf = (files: readonly Pick<Parsed, 'path' | 'imports'>[]): Edge[] =>
  files.flatMap(({ path, imports }) =>
    imports
      .filter(({ from }) => from.startsWith('.'))
      .map(({ from, kind }) => ({ from: path, to: normalize(join(dirname(path), from)), kind })),
  );

const featureOf = (path: string) => /^server\/src\/features\/([^/]+)\//.exec(path)?.[1];

/** How the server's features depend on each other: by pairs of features and by pairs of files. */
export function featureCoupling(edges: readonly Edge[]) {
  const files = new Set<string>();
  const features = new Set<string>();
  for (const { from, to } of edges) {
    const [user, used] = [featureOf(from), featureOf(to)];
    if (!user || !used || user === used) continue;
    files.add(`${from} → ${to}`);
    features.add(`${user} → ${used}`);
  }
  const pairs = [...features].map((pair) => pair.split(' → ') as [string, string]);
  return {
    files: [...files].toSorted(),
    mutual: pairs.filter(([a, b]) => a < b && features.has(`${b} → ${a}`)).map(([a, b]) => `${a} ↔ ${b}`),
    usersOf: (feature: string) => pairs.filter(([, used]) => used === feature).map(([user]) => user),
    usedBy: (feature: string) => pairs.filter(([user]) => user === feature).map(([, used]) => used),
  };
}

/**
 * The sets of files that all reach each other, by Tarjan's algorithm (SIAM J. Comput. 1, 1972). Two cycles that share a
 * file are one set.
 */
export function circles(edges: readonly Pick<Edge, 'from' | 'to'>[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const index = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (node: string) => {
    const own = index.size;
    index.set(node, own);
    stack.push(node);
    let low = own;
    for (const target of next.get(node) ?? []) {
      if (!index.has(target)) low = Math.min(low, visit(target));
      else if (stack.includes(target)) low = Math.min(low, index.get(target) ?? own);
    }
    if (low === own) {
      const members = stack.splice(stack.indexOf(node));
      if (members.length > 1) found.push(members.toSorted());
    }
    return low;
  };
  for (const node of next.keys()) if (!index.has(node)) visit(node);
  return found;
}
