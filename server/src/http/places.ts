import type { FastifyRequest } from 'fastify';
import findMyWay from 'find-my-way';
import type { HTTPVersion } from 'find-my-way';
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

/**
 * Finds what is bound to the path of a request, whatever the method: each path answers every one, if only with 405, and
 * a route of Fastify's for each would take 9 MB and half of the time to build a server.
 */
export function placeFinder(bound: readonly PathBindings[]): (request: FastifyRequest) => Place | null {
  const router = findMyWay<HTTPVersion.V1>();
  for (const address of bound.flatMap(addressesOf)) router.on('GET', address.url, () => undefined, address);
  return ({ method, url }) => {
    const found = router.find('GET', url);
    const address = found?.store as Bound | undefined;
    if (!found || !address || isPage(address, method)) return null;
    return { ...address, params: found.params as Record<string, string> };
  };
}
