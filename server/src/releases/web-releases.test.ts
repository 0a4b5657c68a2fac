import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { connect } from '../db/connect.ts';
import { startApp } from '../testing/app.ts';
import { openWebReleases, storeWebRelease } from './web-releases.ts';

const scratch = await mkdtemp(join(tmpdir(), 'tenure-web-releases-'));
afterAll(() => rm(scratch, { recursive: true }));

const script = (name: string) => `/* ${name} */ main(${'1,'.repeat(2_000)}0)`;

/** A build of the browser application. */
async function build(name: string) {
  const folder = join(scratch, name);
  const files = {
    'index.html': `<!doctype html><title>Tenure</title><script src="/assets/${name}.js"></script>`,
    'routes.json': '["/", "/login"]',
    [`assets/${name}.js`]: script(name),
    [`assets/${name}.js.map`]: '{}',
    [`assets/${name}.js.br`]: 'made with the build',
    [`assets/${name}.css`]: 'a{}',
    [`assets/de/${name}.js`]: 'texts()',
    [`assets/${name}.woff2`]: 'font',
    [`assets/${name}.exe`]: 'program',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return { folder, page: files['index.html'] };
}

const own = await build('own');
const { as, owner, deps, database } = await startApp({}, { webFolder: own.folder });
const guest = await as();

/** Stores a release like its start does; a later one has more migrations. */
async function store(name: string, migrations: number) {
  const { folder, page } = await build(name);
  await storeWebRelease(database.ownerUrl, { name, migrations, contracts: [], page }, folder);
  return page;
}

const stored = async () =>
  (await owner.query<{ release: string }>('select release from web_releases order by release')).rows.map(
    ({ release }) => release,
  );

const add = (release: string, role = 'api', seconds = 0) =>
  owner.query(
    `insert into processes (id, release, role, host, contracts, last_seen_at)
     values (gen_random_uuid(), $1, $2, 'one', '{}', now() - make_interval(secs => $3))`,
    [release, role, seconds],
  );

beforeEach(() => owner.query('truncate processes, web_releases, web_assets'));

describe('a file of another release', () => {
  test('is answered as one of this release is', async () => {
    await store('other', 1);
    for (const [name, type] of [
      ['other.js', 'application/javascript; charset=utf-8'],
      ['other.css', 'text/css; charset=utf-8'],
      ['other.woff2', 'font/woff2'],
    ]) {
      const answer = await guest.get(`/assets/${name}`);
      const like = await guest.get(`/assets/${name?.replace('other', 'own')}`);
      expect([answer.status, like.status]).toEqual([200, 200]);
      expect(answer.headers).toMatchObject({
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
      });
      for (const header of ['cache-control', 'content-security-policy', 'content-type', 'vary'])
        expect(answer.headers[header], header).toBe(like.headers[header]);
    }
    expect((await guest.get('/assets/other.js')).bytes.toString()).toBe(script('other'));
    expect((await guest.get('/assets/de/other.js')).bytes.toString()).toBe('texts()');
    const head = await guest.send('HEAD', '/assets/other.js');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
  });

  test('is compressed', async () => {
    await store('other', 1);
    for (const encoding of ['br', 'gzip']) {
      const { headers, bytes } = await guest.get('/assets/other.js', { 'accept-encoding': encoding });
      expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'accept-encoding']);
      expect(bytes.length).toBeLessThan(script('other').length / 10);
    }
  });

  test.each([
    '/assets/none.js',
    '/assets/other.js.map',
    '/assets/other.js.br',
    '/assets/other.exe',
    '/other.js',
    '/assets/',
    '/assets/x/other.js',
    `/assets/${'x'.repeat(200)}.js`,
  ])('%s is not there', async (path) => {
    await store('other', 1);
    const { status, body } = await guest.get(path, { accept: '*/*' });
    expect([status, body]).toEqual([404, { message: 'Not found.' }]);
  });

  test('cannot be planted by the application', async () => {
    await store('other', 1);
    for (const change of [
      `insert into web_assets (path, release, body) values ('/assets/x.js', 'other', 'x')`,
      `update web_assets set body = 'x'`,
      `update web_releases set page = 'x'`,
    ])
      await expect(deps.pool.query(change)).rejects.toMatchObject({ code: '42501' });
  });
});

test('three releases are kept, and one that a process still has', async () => {
  await store('a', 1);
  await store('b', 2);
  await add('b');
  for (const [index, name] of ['c', 'd', 'e'].entries()) await store(name, 3 + index);
  expect(await stored()).toEqual(['b', 'c', 'd', 'e']);
  // the names are read once a second
  await expect.poll(async () => (await guest.get('/assets/b.js')).status).toBe(200);
  expect((await guest.get('/assets/a.js')).status).toBe(404);
});

test('names that no release has do not reach the database again and again', async () => {
  await store('a', 1);
  const { db } = connect({ url: database.appUrl, max: 1 });
  const { asset } = openWebReleases(db);
  expect((await asset('/assets/a.js'))?.toString()).toBe(script('a'));
  await db.destroy();
  expect(await asset('/assets/none.js')).toBeUndefined();
  await expect(asset('/assets/a.js')).rejects.toThrow('driver has already been destroyed');
});

test('a release that is stored already is left as it is, and one without a build stores nothing', async () => {
  await store('a', 1);
  await owner.query("delete from web_assets where path = '/assets/a.css'");
  await store('a', 1);
  expect((await owner.query('select from web_assets')).rows).toHaveLength(4);
  await storeWebRelease(database.ownerUrl, { name: 'b', migrations: 1, contracts: [], page: null });
  expect(await stored()).toEqual(['a']);
});

describe('the page', () => {
  const page = () => openWebReleases(deps.db).page();

  test('is that of the oldest release whose API is there', async () => {
    const [newer, older] = [await store('newer', 9), await store('older', 8)];
    expect(await page()).toBeUndefined();
    await add('newer');
    expect(await page()).toBe(newer);
    await add('older', 'worker');
    await add('older', 'api', 61);
    expect(await page()).toBe(newer);
    await add('older', 'all');
    expect(await page()).toBe(older);
    const answer = await guest.get('/login', { accept: 'text/html' });
    expect(answer.bytes.toString()).toContain('<script src="/assets/older.js"></script>');
    expect((await guest.get('/nothing', { accept: 'text/html' })).bytes.toString()).toContain('/assets/older.js');
  });

  test('is that of the release that was here first where both have the same migrations', async () => {
    const first = await store('b', 8);
    await owner.query("update web_releases set stored_at = now() - interval '1 day'");
    await store('a', 8);
    for (const name of ['a', 'b']) await add(name);
    expect(await page()).toBe(first);
  });

  test('is its own without a database, or where nothing is stored', async () => {
    await add('unknown');
    expect(await page()).toBeUndefined();
    const { db } = connect({ url: 'postgres://nobody@127.0.0.1:1/none', max: 1 });
    expect(await openWebReleases(db).page()).toBeUndefined();
  });
});
