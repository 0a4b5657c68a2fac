import { accentSheet, isHex } from '@tenure/contract';
import type { Brand } from '@tenure/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { drawIcon } from '../brand/icons.ts';
import type { IconForm } from '../brand/icons.ts';
import { manifestOf } from '../brand/page.ts';
import { findBrand, logoBytes, shownOf } from '../brand/read.ts';
import type { StoredBrand } from '../brand/read.ts';
import type { Deps } from './context.ts';
import { notFound } from './errors.ts';

/** The installation's brand; `version` changes with whatever its icons show. */
export type PageBrand = { brand: Brand; version: string; row: StoredBrand | null };

const plain: PageBrand = { brand: { name: null, accent: null, logo: null }, version: 'tenure', row: null };
const noAnswerMs = 400;

function pageBrandOf(row: StoredBrand): PageBrand {
  const brand = shownOf(row);
  const parts = [row.logo_checksum, row.accent?.slice(1), row.name === null ? null : 'named'];
  return { brand, version: parts.filter((part) => part !== null && part !== undefined).join('-') || 'tenure', row };
}

/**
 * Reads the brand for a page. A page does not depend on the database: without a quick answer, it gets the last known
 * brand.
 */
export function openPageBrand({ db }: Pick<Deps, 'db'>): () => Promise<PageBrand> {
  let last = plain;
  return async () => {
    const { promise: tooLate, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(() => resolve(null), noAnswerMs);
    const found = await Promise.race([findBrand(db, null).catch(() => null), tooLate]);
    clearTimeout(timer);
    if (found) last = pageBrandOf(found);
    return last;
  };
}

const icons: Readonly<Record<string, IconForm>> = {
  'icon-64': { size: 64, maskable: false },
  // Apple's phones round the corners themselves
  'icon-180': { size: 180, maskable: true },
  'icon-192': { size: 192, maskable: false },
  'icon-512': { size: 512, maskable: false },
  'maskable-512': { size: 512, maskable: true },
};

const policy = "default-src 'none'; frame-ancestors 'none'";
const queryOf = (request: FastifyRequest) => new URL(request.url, 'http://local').searchParams;

/** Sends a file that browsers cache: forever if the URL contains the version. */
function send(request: FastifyRequest, reply: FastifyReply, file: { type: string; etag: string; isFinal: boolean }) {
  const { type, etag, isFinal } = file;
  reply.headers({
    etag,
    'content-security-policy': policy,
    'cache-control': isFinal ? 'public, max-age=31536000, immutable' : 'no-cache',
  });
  const isKnown = request.headers['if-none-match'] === etag;
  return isKnown ? reply.code(304) : reply.header('content-type', type);
}

/** Colours, icons and manifest, which the page links to. They are as public as the page. */
export function bindBrandFiles(app: FastifyInstance, deps: Deps, brandNow: () => Promise<PageBrand>): void {
  const drawn = new Map<string, Promise<Buffer>>();
  let drawnFor = '';
  const drawingOf = async (name: string, form: IconForm, { brand, version, row }: PageBrand) => {
    // only icons of the current brand are cached
    if (drawnFor !== version) drawn.clear();
    drawnFor = version;
    const logo = row?.logo_key ? await logoBytes(deps.files, row.logo_key) : null;
    const accent = brand.accent !== null && isHex(brand.accent) ? brand.accent : '#0c6b63';
    const icon = drawn.get(name) ?? drawIcon({ logo, accent, isTenure: brand.name === null }, form);
    drawn.set(name, icon);
    icon.catch(() => drawn.delete(name));
    return icon;
  };
  const method = ['GET', 'HEAD'];
  app.route({
    method,
    url: '/brand.css',
    handler: (request, reply) => {
      const accent = `#${queryOf(request).get('accent') ?? ''}`;
      if (!isHex(accent)) throw notFound();
      const type = 'text/css; charset=utf-8';
      return send(request, reply, { type, etag: `"${accent.slice(1)}"`, isFinal: true }).send(accentSheet(accent));
    },
  });
  app.route({
    method,
    url: '/manifest.webmanifest',
    handler: async (request, reply) => {
      const { brand, version } = await brandNow();
      const text = JSON.stringify(manifestOf(brand, version));
      const etag = `"${Buffer.from(`${brand.name ?? ''}/${version}`).toString('hex')}"`;
      return send(request, reply, { type: 'application/manifest+json', etag, isFinal: false }).send(Buffer.from(text));
    },
  });
  for (const [name, form] of Object.entries(icons))
    app.route({
      method,
      url: `/brand/${name}.png`,
      handler: async (request, reply) => {
        const current = await brandNow();
        const icon = await drawingOf(name, form, current);
        const isFinal = queryOf(request).get('v') === current.version;
        return send(request, reply, { type: 'image/png', etag: `"${current.version}"`, isFinal }).send(icon);
      },
    });
}
