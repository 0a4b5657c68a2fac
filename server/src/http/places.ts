import type { FastifyRequest } from 'fastify';
import { pathOf } from './headers.ts';
import type { PathBindings } from './pipeline.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where it goes; null where nothing is bound. */
    place: Place | null;
  }
}

/** An address with what is bound to it. */
type Bound = { url: string; paths: PathBindings };
export type Place = Bound & { params: Readonly<Record<string, string>> };

/** The addresses of a path; signing in and out also without the prefix, where GET is the application's page. */
function addressesOf(paths: PathBindings): Bound[] {
  const main = { url: `/api${paths.path}`, paths };
  if (paths.path === '/login')
    return [main, { url: paths.path, paths: { ...paths, allow: `GET, HEAD, ${paths.allow}` } }];
  return paths.path === '/logout' ? [main, { url: paths.path, paths }] : [main];
}

const isPage = ({ url }: Bound, method: string) => url === '/login' && (method === 'GET' || method === 'HEAD');

/** What follows a part of an address: words, and what may stand for any. */
type Branch = { words: Map<string, Branch>; any?: Branch; names: string[]; bound?: Bound };
const newBranch = (): Branch => ({ words: new Map(), names: [] });

function plant(root: Branch, bound: Bound): void {
  const names: string[] = [];
  let branch = root;
  for (const part of bound.url.split('/').slice(1)) {
    const next = (part.startsWith(':') ? branch.any : branch.words.get(part)) ?? newBranch();
    if (part.startsWith(':')) branch.any = next;
    else branch.words.set(part, next);
    if (part.startsWith(':')) names.push(part.slice(1));
    branch = next;
  }
  Object.assign(branch, { bound, names });
}

/** The branch at which the parts of an address end: a word goes before what stands for any. */
function follow(branch: Branch, parts: readonly string[], at: number, values: string[]): Branch | undefined {
  const part = parts[at];
  if (part === undefined) return branch.bound && branch;
  const word = branch.words.get(part);
  const found = word && follow(word, parts, at + 1, values);
  if (found || !branch.any || part === '') return found;
  const end = follow(branch.any, parts, at + 1, values);
  if (end) values.unshift(part);
  return end;
}

/**
 * Finds what is bound to the path of a request, whatever the method: each path answers every one, if only with 405, and
 * a route of Fastify's for each pair would take 9 MB and half of the time to build a server.
 */
export function placeFinder(bound: readonly PathBindings[]): (request: FastifyRequest) => Place | null {
  const root = newBranch();
  for (const address of bound.flatMap(addressesOf)) plant(root, address);
  return (request) => {
    // `routablePath` let no path pass that cannot be decoded, or would have other parts then
    const parts = pathOf(request).split('/').slice(1).map(decodeURIComponent);
    const values: string[] = [];
    const found = follow(root, parts, 0, values);
    if (!found?.bound || isPage(found.bound, request.method)) return null;
    return { ...found.bound, params: Object.fromEntries(found.names.map((name, at) => [name, values[at] ?? ''])) };
  };
}
