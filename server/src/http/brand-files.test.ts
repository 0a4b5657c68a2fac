import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { sampleFiles } from '../testing/file-samples.ts';
import { mailServer } from '../testing/mail-server.ts';

const folder = await mkdtemp(join(tmpdir(), 'tenure-web-'));
afterAll(() => rm(folder, { recursive: true }));
const index =
  '<!doctype html><html><head><title>Tenure</title><link rel="icon" href="/favicon.svg" type="image/svg+xml" /></head></html>';
await writeFile(join(folder, 'index.html'), index);
await writeFile(join(folder, 'routes.json'), '["/"]');

const { as, make, deps, owner } = await startApp({}, { webFolder: folder });
const samples = await sampleFiles();
const admin = await as((await make.employee({ roles: ['Admin'] })).user_id);
const guest = await as();
const page = async () => (await guest.get('/')).bytes.toString();
const settings = '/api/brand/settings';

test('without a brand the page and the manifest are those of Tenure', async () => {
  const text = await page();
  expect(text).toContain('<title>Tenure</title>');
  expect(text).toContain('href="/favicon.svg"');
  expect(text).toContain('<link rel="manifest" href="/manifest.webmanifest">');
  expect(text).not.toMatch(/brand\.css|meta name="brand"/);
  const manifest = await guest.get('/manifest.webmanifest');
  expect([manifest.headers['content-type'], manifest.headers['cache-control']]).toEqual([
    'application/manifest+json',
    'no-cache',
  ]);
  expect(JSON.parse(manifest.bytes.toString())).toMatchObject({
    name: 'Tenure',
    short_name: 'Tenure',
    start_url: '/',
    display: 'standalone',
    theme_color: '#0c6b63',
  });
});

test('every icon of the manifest has the size it says', async () => {
  const { icons } = JSON.parse((await guest.get('/manifest.webmanifest')).bytes.toString()) as {
    icons: { src: string; sizes: string; purpose: string }[];
  };
  expect(icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ]);
  for (const { src, sizes, purpose } of icons) {
    const icon = await guest.get(src);
    expect([icon.headers['content-type'], icon.headers['cache-control']]).toEqual([
      'image/png',
      'public, max-age=31536000, immutable',
    ]);
    const { width, height } = await sharp(icon.bytes).metadata();
    expect(`${width}x${height}`).toBe(sizes);
    const pixels = await sharp(icon.bytes).ensureAlpha().raw().toBuffer();
    expect(pixels[3]).toBe(purpose === 'maskable' ? 255 : 0);
  }
});

test('the page has the brand before its first paint, and nothing of it is mark-up', async () => {
  const name = '</title><script>"A&B';
  await admin.put(settings, { name, accent: '#8a1c4a' });
  const { logo } = (await admin.upload(`${settings}/logo`, { name: 'a.png', content: samples.png })).body.data;
  const text = await page();
  expect(text).toContain('<title>&lt;/title&gt;&lt;script&gt;&quot;A&amp;B</title>');
  expect(text).toContain('<link rel="stylesheet" href="/brand.css?accent=8a1c4a">');
  expect(text).not.toContain('<script>');
  const [, content = ''] = /<meta name="brand" content="([^"]*)">/.exec(text) ?? [];
  const plain = content
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  expect(JSON.parse(plain)).toEqual({ name, accent: '#8a1c4a', logo });
  const [, icon = ''] = /<link rel="icon" href="([^"]*)"/.exec(text) ?? [];
  expect((await guest.get(icon)).headers['content-type']).toBe('image/png');
  await admin.put(settings, { name: 'Acme People Hub' });
  const manifest = JSON.parse((await guest.get('/manifest.webmanifest')).bytes.toString());
  expect(manifest).toMatchObject({ name: 'Acme People Hub', short_name: 'Acme', theme_color: '#8a1c4a' });
});

test('a known manifest or icon is not sent again', async () => {
  for (const path of ['/manifest.webmanifest', '/brand/icon-192.png']) {
    const { headers } = await guest.get(path);
    const again = await guest.get(path, { 'if-none-match': String(headers.etag) });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  }
});

test('the colours are a style sheet of their own, for a colour and nothing else', async () => {
  const answer = await guest.get('/brand.css?accent=8a1c4a');
  expect([answer.status, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
    200,
    'text/css; charset=utf-8',
    'public, max-age=31536000, immutable',
  ]);
  expect(answer.bytes.toString()).toContain('--accent:#8a1c4a');
  for (const wrong of ['', '?accent=', '?accent=red', '?accent=8a1c4a;}', '?accent=8A1C4A'])
    expect((await guest.get(`/brand.css${wrong}`)).status).toBe(404);
  expect((await guest.post('/brand.css', {})).status).toBe(405);
});

test('mails have the name and the logo of the company of their reader', async () => {
  const { received, deliver } = await mailServer();
  const { id } = await make.entity();
  const reader = await make.employee({ entity_id: id });
  await admin.put(`/api/entities/${id}/brand`, { name: 'Acme "Süd"' });
  await owner.query('delete from notifications');
  const { rows } = await owner.query<{ id: number }>("select id::int from roles where name = 'TeamLead'");
  await admin.put(`/api/employees/${reader.id}/roles`, { assignments: [{ role_id: rows[0]?.id }] });
  await deliver(deps);
  expect(received).toHaveLength(1);
  expect(received[0]?.source).toMatch(/^From: =\?UTF-8\?|^From: .*no-reply@acme\.example/m);
  expect(received[0]?.source).toContain('cid:logo');
  expect(received[0]?.source).toContain('Acme "Süd"');
});
