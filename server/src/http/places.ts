import type { FastifyRequest } from 'fastify';
import { pathOf } from './headers.ts';
import type { PathBindings } from './route.ts';

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
type Branch = { words: Map<string, Branch>; any?: Branch; end?: Bound & { parts: readonly string[] } };

const partsOf = (path: string) => path.split('/').slice(1);
const isParameter = (part: string) => part.startsWith(':');

function plant(root: Branch, bound: Bound): void {
  const parts = partsOf(bound.url);
  let branch = root;
  for (const part of parts) {
    const next: Branch = (isParameter(part) ? branch.any : branch.words.get(part)) ?? { words: new Map() };
    if (isParameter(part)) branch.any = next;
    else branch.words.set(part, next);
    branch = next;
  }
  if (branch.end) throw new Error(`${bound.url} and ${branch.end.url} are one address`);
  branch.end = { ...bound, parts };
}

/** What the parts of a path lead to: a word goes before what stands for any. */
function follow(branch: Branch, parts: readonly string[]): Branch['end'] {
  const [part, ...rest] = parts;
  if (part === undefined) return branch.end;
  const word = branch.words.get(part);
  const found = word && follow(word, rest);
  return found ?? (branch.any && part !== '' ? follow(branch.any, rest) : undefined);
}

/**
 * Finds what is bound to the path of a request, whatever the method: each path answers every one, if only with 405, and
 * a route of Fastify's for each pair would take 9 MB and half of the time to build a server.
 * @throws where two addresses differ in the names of their parameters alone
 */
export function placeFinder(bound: readonly PathBindings[]): (request: FastifyRequest) => Place | null {
  const root: Branch = { words: new Map() };
  for (const address of bound.flatMap(addressesOf)) plant(root, address);
  return (request) => {
    // `routablePath` let no path pass that cannot be decoded, or would have other parts then
    const parts = partsOf(pathOf(request)).map(decodeURIComponent);
    const end = follow(root, parts);
    if (!end || isPage(end, request.method)) return null;
    const params = end.parts.flatMap((name, at) => (isParameter(name) ? [[name.slice(1), parts[at] ?? '']] : []));
    return { url: end.url, paths: end.paths, params: Object.fromEntries(params) as Record<string, string> };
  };
}
