import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { sql } from 'kysely';
import type pg from 'pg';
import { connectAsOwner } from '../db/apply-migration.ts';
import type { Db } from '../db/connect.ts';
import { isAlive } from './processes.ts';
import { webBuild } from './release.ts';
import type { Release } from './release.ts';

const kept = 3;
const filesAtOnce = 100;

type Asset = { path: string; body: Buffer };

/** The files with a content hash in their names, except those only for the build and those derived from others. */
async function readAssets(folder: string): Promise<Asset[]> {
  const entries = await readdir(join(folder, 'assets'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !/\.(map|br|gz)$/.test(entry.name));
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = join(parentPath, name);
      return { path: `/${relative(folder, file).split(sep).join('/')}`, body: await readFile(file) };
    }),
  );
}

async function insertAssets(client: pg.Client, release: string, assets: readonly Asset[]): Promise<void> {
  for (let at = 0; at < assets.length; at += filesAtOnce) {
    const some = assets.slice(at, at + filesAtOnce);
    await client.query(
      'insert into web_assets (release, path, body) select $1, path, body from unnest($2::text[], $3::bytea[]) as f (path, body)',
      [release, some.map(({ path }) => path), some.map(({ body }) => body)],
    );
  }
}

/**
 * Stores this release's browser application, as the owner of the database, so that processes of other releases can
 * serve it. Keeps three releases, and those that a process still runs.
 */
export async function storeWebRelease(
  ownerUrl: string,
  { name, migrations, page }: Release,
  folder = webBuild,
): Promise<void> {
  if (page === null) return;
  const client = await connectAsOwner(ownerUrl);
  try {
    await client.query('begin; set local statement_timeout = 0');
    const { rowCount } = await client.query(
      'insert into web_releases (release, migrations, page) values ($1, $2, $3) on conflict do nothing',
      [name, migrations, page],
    );
    if (rowCount === 1) {
      await insertAssets(client, name, await readAssets(folder));
      await client.query(
        `delete from web_releases where release not in (
           select release from processes union all
           (select release from web_releases order by stored_at desc, release = $1 desc limit $2))`,
        [name, kept],
      );
    }
    await client.query('commit');
  } finally {
    await client.end();
  }
}

export type WebReleases = {
  /** A file of an earlier or later release. */
  asset: (path: string) => Promise<Buffer | undefined>;
  /** The page of the oldest running release, so that no page meets an API older than itself. */
  page: () => Promise<string | undefined>;
};

const isAssetPath = (path: string) => /^\/assets\/[\w./-]{1,100}$/.test(path);
const lookedMilliseconds = 1_000;
const noAnswerMilliseconds = 400;

async function findPaths(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ path: string }>`select distinct path from web_assets`.execute(db);
  return new Set(rows.map(({ path }) => path));
}

async function findAsset(db: Db, path: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ body: Buffer }>`select body from web_assets where path = ${path} limit 1`.execute(db);
  return rows[0]?.body;
}

async function findPage(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ page: string }>`
    select w.page from processes p join web_releases w on w.release = p.release
    where p.role <> 'worker' and ${isAlive}
    order by w.migrations, w.stored_at limit 1`.execute(db);
  return rows[0]?.page;
}

/** The result of a promise; undefined if it fails or takes too long. */
async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  const { promise: tooLate, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), noAnswerMilliseconds);
  try {
    return await Promise.race([work.catch(() => undefined), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads at most once a second, however often it is called. */
function eachSecond<T>(look: () => Promise<T>): () => Promise<T> {
  let looked = -Infinity;
  let last: Promise<T> | undefined;
  return () => {
    if (!last || performance.now() - looked > lookedMilliseconds) {
      looked = performance.now();
      last = look();
    }
    return last;
  };
}

/** Reads what other releases stored. Pages do not need the database: without a quick answer they are this release's. */
export function openWebReleases(db: Db): WebReleases {
  const paths = eachSecond(() => inTime(findPaths(db)));
  return {
    asset: async (path) => {
      if (!isAssetPath(path)) return undefined;
      // anyone may request any name
      const known = await paths();
      return known?.has(path) === false ? undefined : findAsset(db, path);
    },
    page: eachSecond(() => inTime(findPage(db))),
  };
}
