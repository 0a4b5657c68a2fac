import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';

const folder = await mkdtemp(join(tmpdir(), 'tenure-web-'));
afterAll(() => rm(folder, { recursive: true }));

const built: Record<string, string> = {
  'index.html': `<!doctype html><title>Tenure</title>${'<!-- -->'.repeat(200)}`,
  'routes.json': JSON.stringify(['/', '/login', '/employees', '/employees/:id', '/imports/new']),
  'boot.js': 'boot()',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'assets/index-a1b2c3.js': `main(${'1,'.repeat(2_000)}0)`,
  'assets/index-a1b2c3.js.map': '{}',
  'assets/index-a1b2c3.css': 'a{}',
  // compressed files differ from the plain one here, so that a response shows which was sent
  'assets/chunk-d4e5f6.js': 'chunk()',
  'assets/chunk-d4e5f6.js.br': 'made with the build',
  'assets/chunk-d4e5f6.js.gz': 'made with the build, too',
  '.vite/manifest.json': '{}',
  '.env': 'APP_KEY=secret',
};
for (const [name, text] of Object.entries(built)) {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), text);
}

const { as, make } = await startApp({}, { webFolder: folder });
const guest = await as();
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const json = { message: 'Not found.' };
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; object-src 'none'; frame-ancestors 'none'";

describe('pages', () => {
  test.each([
    '/',
    '/login',
    '/employees',
    '/employees/7',
    '/employees/',
    '/imports/new',
    '/employees?page=2',
    '/employees/%C3%BC',
  ])('%s is the application', async (path) => {
    for (const headers of [browser, { accept: '*/*' }]) {
      const answer = await guest.get(path, headers);
      expect([answer.status, answer.bytes.toString()]).toEqual([200, built['index.html']]);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': policy,
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': 'camera=(), microphone=(), geolocation=()',
        'x-frame-options': 'DENY',
      });
      expect(answer.setCookies).toEqual([]);
    }
  });

  test('HEAD works, other methods do not', async () => {
    const head = await guest.send('HEAD', '/employees');
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([
      200,
      0,
      String(built['index.html']?.length),
    ]);
    for (const path of ['/employees', '/boot.js']) {
      const post = await guest.post(path, {});
      expect([post.status, post.body, post.headers.allow]).toEqual([
        405,
        { message: 'Method not allowed.' },
        'GET, HEAD',
      ]);
      expect((await guest.send('OPTIONS', path)).headers.allow).toBe('GET, HEAD');
    }
    expect((await guest.post('/login', {})).status).toBe(422);
  });

  test.each([
    '/.env',
    '/.git/HEAD',
    '/package.json',
    '/routes.json',
    '/index.html',
    '/.vite/manifest.json',
    '/assets/index-a1b2c3.js.map',
    '/assets/',
    '/assets',
    '/storage/x',
    '/nothing',
    '/Employees',
    '/employees/7/x',
    '/employees//7',
    '/assets/..%2findex.html',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/etc/passwd',
    '/server/src/config.ts',
    '/wp-login.php',
    '/docs/api/assets/other.js',
  ])('%s is not there', async (path) => {
    const program = await guest.get(path, { accept: '*/*' });
    expect([program.status, program.body]).toEqual([404, json]);
    const page = await guest.get(path, browser);
    expect([page.status, page.bytes.toString()]).toEqual([404, built['index.html']]);
    expect(page.headers['content-security-policy']).toBe(policy);
  });

  test.each(['/api/nothing', '/api', '/sanctum/x', '/api/me.css', '/logout'])('%s is never a page', async (path) => {
    const answer = await guest.get(path, browser);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.status).toBeGreaterThanOrEqual(400);
  });

  test('the switch of an environment in the query changes nothing', async () => {
    const person = await as((await make.employee()).user_id);
    for (const query of ['?env=development', '?debug=1', '?APP_ENV=local', '?XDEBUG_SESSION=1'])
      expect((await person.get(`/api/me${query}`)).bytes).toEqual((await person.get('/api/me')).bytes);
  });
});

describe('files of the build', () => {
  test('with a hash in their name are kept for ever', async () => {
    const answer = await guest.get('/assets/index-a1b2c3.js');
    expect([answer.status, answer.bytes.toString()]).toEqual([200, built['assets/index-a1b2c3.js']]);
    expect(answer.headers).toMatchObject({
      'content-type': expect.stringMatching(/^(text|application)\/javascript/),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect((await guest.get('/assets/index-a1b2c3.css')).headers['content-type']).toMatch(/^text\/css/);
  });

  test('without one are asked for again', async () => {
    expect((await guest.get('/boot.js')).headers['cache-control']).toBe('no-cache');
    const icon = await guest.get('/favicon.svg');
    expect([icon.status, icon.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(icon.headers['content-security-policy']).toContain("default-src 'none'");
  });

  test('are compressed', async () => {
    for (const path of ['/assets/index-a1b2c3.js', '/employees']) {
      const answer = await guest.get(path, { 'accept-encoding': 'br' });
      expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual(['br', 'accept-encoding']);
    }
  });

  test('that were compressed with the build are sent as they lie there, and have no address of their own', async () => {
    for (const [encodings, chosen, ending] of [
      ['gzip, deflate, br', 'br', 'br'],
      ['gzip, deflate', 'gzip', 'gz'],
    ] as const) {
      const answer = await guest.get('/assets/chunk-d4e5f6.js', { 'accept-encoding': encodings });
      expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([chosen, 'accept-encoding']);
      expect(answer.headers).toMatchObject({
        'content-type': expect.stringMatching(/^(text|application)\/javascript/),
        'cache-control': 'public, max-age=31536000, immutable',
      });
      expect(answer.bytes.toString('latin1')).toBe(built[`assets/chunk-d4e5f6.js.${ending}`]);
      expect((await guest.get(`/assets/chunk-d4e5f6.js.${ending}`)).status).toBe(404);
    }
    const plain = await guest.get('/assets/chunk-d4e5f6.js', { 'accept-encoding': 'identity' });
    expect([plain.headers['content-encoding'], plain.bytes.toString()]).toEqual([undefined, 'chunk()']);
  });
});

test('without a build pages are 404 in JSON, and the API works', async () => {
  const bare = await startApp({}, { webFolder: join(folder, 'absent') });
  const client = await bare.as((await bare.make.employee()).user_id);
  for (const path of ['/', '/login', '/employees']) {
    const answer = await client.get(path, browser);
    expect([answer.status, answer.body]).toEqual([404, json]);
  }
  expect((await client.get('/api/me')).status).toBe(200);
});
