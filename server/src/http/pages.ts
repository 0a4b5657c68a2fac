import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import serveStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { brandedPage } from '../brand/page.ts';
import { webBuild } from '../releases/release.ts';
import type { WebReleases } from '../releases/web-releases.ts';
import type { PageBrand } from './brand-files.ts';
import { notFound } from './errors.ts';
import { isApi, pathOf } from './headers.ts';
import { isUnroutable } from './paths.ts';
import { answerUnknown } from './not-found.ts';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "object-src 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};

/** Types of build files whose names contain a hash of their content. */
const storedTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'application/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** The built browser application: its page, the addresses of its router, and its files by address. */
type Site = { index: string | null; isPage: (path: string) => boolean; files: ReadonlySet<string> };

/** The page, and what adapts it to the installation's brand and to the oldest running release. */
type Served = { index: string; brandNow: () => Promise<PageBrand>; releases: WebReleases; resets: boolean };

const noSite: Site = { index: null, isPage: () => false, files: new Set() };
/** Build files without an address: some are only for the build, some are another form of a file. */
const isHidden = (path: string) => /(^|\/)\.|\.(map|br|gz)$|^\/(routes\.json|index\.html)$/.test(path);

const toExpression = (pattern: string) => new RegExp(`^${pattern.replaceAll(/:\w+|\$\w*/g, '[^/]+')}$`);

async function readSite(folder: string): Promise<Site> {
  const index = await readFile(join(folder, 'index.html'), 'utf8').catch(() => null);
  if (!index) return noSite;
  const pages = (JSON.parse(await readFile(join(folder, 'routes.json'), 'utf8')) as string[]).map(toExpression);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => `/${relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')}`);
  return {
    index,
    isPage: (path) => pages.some((page) => page.test(path)),
    files: new Set(files.filter((path) => !isHidden(path))),
  };
}

/** Sends the page with the installation's brand. */
async function sendPage(status: 200 | 404, { index, brandNow, releases, resets }: Served, reply: FastifyReply) {
  const [{ brand, version }, page] = await Promise.all([brandNow(), releases.page()]);
  return reply
    .code(status)
    .headers(pageHeaders)
    .send(Buffer.from(brandedPage(page ?? index, { brand, version, resets })));
}

const isHashed = (path: string) => path.startsWith('/assets/');

const setAssetHeaders = (path: string, reply: FastifyReply) =>
  reply.headers({
    'cache-control': isHashed(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    vary: 'accept-encoding',
  });

/** Sends a file of another release, which pages of that release request; it is compressed on the way. */
async function sendStored(path: string, releases: WebReleases, reply: FastifyReply) {
  const type = storedTypes[extname(path)];
  const body = type && (await releases.asset(path));
  return body ? setAssetHeaders(path, reply).type(type).send(body) : reply.callNotFound();
}

function sendNothing(
  { index, ...rest }: Pick<Site, 'index'> & Omit<Served, 'index'>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const path = pathOf(request);
  if (isUnroutable(decodeURIComponent(path)))
    request.log.warn({ event: 'bad_path', request_id: request.id, ip: request.ip }, 'a request path was refused');
  const wantsPage = request.headers.accept?.includes('text/html') && !isApi(path);
  if (!wantsPage || !index) throw notFound();
  return sendPage(404, { index, ...rest }, reply);
}

/**
 * Answers every address that nothing else answers: files and pages of the browser application, else 404. Returns a
 * function that lists the methods of an address.
 */
export async function bindPages(app: FastifyInstance, served: Omit<Served, 'index'>, root = webBuild) {
  const { releases } = served;
  const site = await readSite(root);
  if (site.index)
    await app.register(serveStatic, {
      root,
      serve: false,
      cacheControl: false,
      dotfiles: 'deny',
      index: false,
      preCompressed: true,
    });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler: (request, reply) => {
      const path = decodeURIComponent(pathOf(request));
      if (site.files.has(path)) return setAssetHeaders(path, reply).sendFile(path.slice(1));
      if (site.index && site.isPage(path)) return sendPage(200, { index: site.index, ...served }, reply);
      return isHashed(path) ? sendStored(path, releases, reply) : reply.callNotFound();
    },
  });
  return answerUnknown(app, {
    hasPage: (request) => {
      const path = decodeURIComponent(pathOf(request));
      // the sign-in page exists even if no application is built
      return path === '/login' || site.files.has(path) || site.isPage(path);
    },
    answer: (request, reply) => sendNothing({ index: site.index, ...served }, request, reply),
  });
}
