import sharp from 'sharp';
import { expect, test } from 'vitest';
import { letterheadOf } from '../../brand/read.ts';
import { startApp } from '../../testing/app.ts';
import { sampleFiles } from '../../testing/file-samples.ts';

const { as, make, deps, owner } = await startApp();
const samples = await sampleFiles();
const admin = await as((await make.employee({ roles: ['Admin'] })).user_id);
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const guest = await as();
const { id: north } = await make.entity({ name: 'North Ltd' });
const { id: south } = await make.entity({ name: 'South Ltd' });
const northHr = await as(
  (await make.employee({ entity_id: north, roles: [{ role: 'HR', entity_ids: [north] }] })).user_id,
);
const worker = await as((await make.employee({ entity_id: north })).user_id);
const other = await as((await make.employee({ entity_id: south })).user_id);
const png = { name: 'logo.png', content: samples.png };
const wide = { name: 'wide.jpg', content: await sharp(samples.jpeg).resize(1_600, 400, { fit: 'fill' }).toBuffer() };
const settings = '/api/brand/settings';
const of = (id: number) => `/api/entities/${id}/brand`;
const removedKeys = async () =>
  (await owner.query<{ file_key: string }>('select file_key from removed_files')).rows.map((row) => row.file_key);
const nothing = { name: null, accent: null, logo: null };

test('without a brand everything is that of Tenure', async () => {
  expect((await guest.get('/api/brand')).body.data).toEqual(nothing);
  expect((await worker.get('/api/brand/own')).body.data).toEqual(nothing);
  expect((await guest.get('/api/brand/logo')).status).toBe(404);
  expect((await admin.get(settings)).body.data).toMatchObject({ ...nothing, revision: 1 });
});

test('administrators set name, colour and logo, and the page to sign in shows them', async () => {
  const set = await admin.put(settings, { name: 'Acme People', accent: '#8a1c4a', revision: 1 });
  expect([set.status, set.body.data]).toMatchObject([200, { name: 'Acme People', accent: '#8a1c4a', revision: 2 }]);
  const logo = await admin.upload(`${settings}/logo`, wide);
  expect([logo.status, logo.body.data.logo]).toMatchObject([200, { width: 640, height: 160 }]);
  const shown = (await guest.get('/api/brand')).body.data;
  expect(shown).toEqual({ name: 'Acme People', accent: '#8a1c4a', logo: logo.body.data.logo });
  const { rows } = await owner.query(
    `select action, subject_label, changes from audit_log where subject_type = 'brand' order by id`,
  );
  expect(rows).toEqual([
    {
      action: 'brand.updated',
      subject_label: null,
      changes: { name: { from: null, to: 'Acme People' }, accent: { from: null, to: '#8a1c4a' } },
    },
    { action: 'brand.logo_set', subject_label: null, changes: {} },
  ]);
});

test('the logo is a PNG that browsers keep, and carries no cookies', async () => {
  const { url } = (await guest.get('/api/brand')).body.data.logo;
  const final = await guest.get(url);
  expect([final.status, final.headers['content-type'], final.setCookies]).toEqual([200, 'image/png', []]);
  expect(final.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(await sharp(final.bytes).metadata()).toMatchObject({ format: 'png', width: 640, height: 160 });
  const plain = await guest.get('/api/brand/logo');
  expect(plain.headers['cache-control']).toBe('public, no-cache');
  const etag = String(plain.headers.etag);
  const again = await guest.get('/api/brand/logo', { 'if-none-match': etag });
  expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, etag]);
  expect((await guest.get(url.replace(/v=.*/, 'v=older'))).headers['cache-control']).toBe('public, no-cache');
});

test('only administrators change the brand of the installation', async () => {
  for (const who of [hr, northHr, worker]) {
    expect((await who.get(settings)).status).toBe(403);
    expect((await who.put(settings, { name: 'Mine' })).status).toBe(403);
    expect((await who.upload(`${settings}/logo`, png)).status).toBe(403);
    expect((await who.delete(`${settings}/logo`)).status).toBe(403);
    expect((await who.delete(settings)).status).toBe(403);
  }
  expect((await guest.get('/api/brand')).body.data.name).toBe('Acme People');
});

test('a company has its own brand and letterhead; its people see it over that of the installation', async () => {
  const { revision } = (await northHr.get(of(north))).body.data;
  const letterhead = {
    letter_address: 'Kai 1\n20457 Hamburg',
    letter_registration: 'HRB 1234 · Hamburg',
    letter_footer: 'north.example',
  };
  const set = await northHr.put(of(north), { accent: '#0055aa', ...letterhead, revision });
  expect([set.status, set.body.data]).toMatchObject([
    200,
    { name: null, accent: '#0055aa', ...letterhead, may_change: true, installation: { name: 'Acme People' } },
  ]);
  const own = (await worker.get('/api/brand/own')).body.data;
  expect(own).toMatchObject({ name: 'Acme People', accent: '#0055aa', logo: { width: 640 } });
  expect((await other.get('/api/brand/own')).body.data.accent).toBe('#8a1c4a');
  expect((await guest.get('/api/brand')).body.data.accent).toBe('#8a1c4a');
  expect(await letterheadOf(deps, north)).toMatchObject({
    name: 'North Ltd',
    accent: '#0055aa',
    address: letterhead.letter_address,
    registration: letterhead.letter_registration,
    footer: letterhead.letter_footer,
    logo: { width: 640, height: 160 },
  });
  expect(await letterheadOf(deps, south)).toMatchObject({ name: 'South Ltd', accent: '#8a1c4a', footer: null });
});

test('the logo of a company is for its people and those who see the company', async () => {
  expect((await northHr.upload(`${of(north)}/logo`, png)).body.data.logo).toMatchObject({ width: 40, height: 20 });
  const { url } = (await worker.get('/api/brand/own')).body.data.logo;
  expect(url).toMatch(new RegExp(`^/api/entities/${north}/brand/logo\\?v=[0-9a-f]{16}$`));
  for (const who of [worker, northHr, hr]) {
    const answer = await who.get(url);
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'private, max-age=31536000, immutable']);
    expect(answer.setCookies).toEqual([]);
  }
  expect((await other.get(url)).status).toBe(404);
  expect((await guest.get(url)).status).toBe(401);
  expect((await worker.get(`${of(south)}/brand/logo`)).status).toBe(404);
});

test('only users who may change the company change its brand', async () => {
  for (const [who, id, status] of [
    [worker, north, 403],
    [northHr, south, 404],
    [other, south, 403],
  ] as const) {
    expect((await who.get(of(id))).status).toBe(status);
    expect((await who.put(of(id), { name: 'Mine' })).status).toBe(status);
    expect((await who.upload(`${of(id)}/logo`, png)).status).toBe(status);
    expect((await who.delete(`${of(id)}/logo`)).status).toBe(status);
    expect((await who.delete(of(id))).status).toBe(status);
  }
  expect((await hr.get(of(south))).body.data).toMatchObject({ name: null, logo: null });
});

test.each([
  ['no picture', { name: 'a.png', content: 'hello' }],
  ['an SVG', { name: 'a.svg', content: '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>' }],
  ['an SVG as PNG', { name: 'a.png', content: '<svg xmlns="http://www.w3.org/2000/svg"/>' }],
  ['a GIF', { name: 'a.gif', content: samples.gif }],
  ['a picture that breaks off', { name: 'a.png', content: samples.png.subarray(0, 40) }],
])('%s is no logo', async (_name, file) => {
  const answer = await admin.upload(`${settings}/logo`, file);
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['file']]);
});

test.each(['red', '#FFFFFF', '#fff', '#12345;', '#0c6b63ff'])('the colour %s is refused', async (accent) => {
  const answer = await admin.put(settings, { accent });
  const errors = { accent: ['Enter a colour as # and six digits, such as #0c6b63.'] };
  expect([answer.status, answer.body.errors]).toEqual([422, errors]);
});

test.each([
  [{ name: 'x' }, 'name'],
  [{ name: 'x'.repeat(61) }, 'name'],
])('%o is refused', async (body, field) => {
  const answer = await admin.put(settings, body);
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
});

test('another revision is a conflict', async () => {
  const answer = await admin.put(settings, { name: 'Older', revision: 1 });
  expect([answer.status, answer.body.revision]).toEqual([422, 3]);
});

test('a reset clears everything, and replaced logos go with the removed files', async () => {
  const { rows } = await owner.query<{ logo_key: string }>('select logo_key from brands where logo_key is not null');
  expect(rows).toHaveLength(2);
  expect((await admin.delete(settings)).status).toBe(204);
  expect((await admin.delete(settings)).status).toBe(204);
  expect((await guest.get('/api/brand')).body.data).toEqual(nothing);
  expect((await northHr.delete(`${of(north)}/logo`)).status).toBe(204);
  expect((await northHr.delete(of(north))).status).toBe(204);
  expect((await northHr.get(of(north))).body.data).toMatchObject({ ...nothing, letter_address: null });
  expect((await removedKeys()).sort()).toEqual(rows.map((row) => row.logo_key).sort());
});

test('a deleted company takes its logo along', async () => {
  const { id: empty } = await make.entity({ name: 'Empty Ltd' });
  await admin.upload(`${of(empty)}/logo`, png);
  const before = await removedKeys();
  expect((await admin.delete(`/api/entities/${empty}`)).status).toBe(204);
  expect(await removedKeys()).toHaveLength(before.length + 1);
});
