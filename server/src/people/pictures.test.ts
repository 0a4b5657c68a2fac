import sharp from 'sharp';
import { expect, test } from 'vitest';
import { sampleFiles } from '../testing/file-samples.ts';
import { startApp } from '../testing/app.ts';

const { as, make, deps, owner } = await startApp();
const samples = await sampleFiles();
const lena = await make.employee({ employee_number: 'A/7' });
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const own = await as(lena.user_id);
const path = (id: number) => `/api/employees/${id}/profile-picture`;
const png = { name: 'me.png', content: samples.png };
const keys = async () => {
  const { rows } = await owner.query<{ picture_key: string | null }>('select picture_key from employees order by id');
  return rows.map((row) => row.picture_key);
};

test('a picture is re-encoded, shown to readers of the person, replaced and removed', async () => {
  expect((await hr.get(path(lena.id))).status).toBe(404);
  const camera = sharp(samples.jpeg).withExif({ IFD0: { Copyright: 'camera of the boss' } });
  const set = await hr.upload(path(lena.id), { name: 'me.JPG', content: await camera.toBuffer() });
  expect([set.status, set.body.data.profile_picture_url]).toEqual([200, path(lena.id)]);
  const shown = await own.get(path(lena.id));
  expect([shown.status, shown.headers['content-type'], shown.headers['content-disposition']]).toEqual([
    200,
    'image/webp',
    `attachment; filename="A-7.webp"; filename*=UTF-8''A-7.webp`,
  ]);
  expect(shown.bytes.toString('latin1')).not.toContain('camera of the boss');
  expect(await sharp(shown.bytes).metadata()).toMatchObject({ format: 'webp', width: 40, height: 20 });
  const [first] = (await keys()).filter((key) => key !== null);
  expect((await hr.upload(path(lena.id), png)).status).toBe(200);
  expect((await hr.delete(path(lena.id))).status).toBe(204);
  expect((await hr.delete(path(lena.id))).status).toBe(204);
  expect((await own.get(path(lena.id))).status).toBe(404);
  const removed = await deps.db.selectFrom('removed_files').select('file_key').execute();
  expect(removed.map((row) => row.file_key)).toContain(first);
  expect(removed).toHaveLength(2);
});

test.each([
  ['no picture', { name: 'me.png', content: 'hello' }],
  ['a GIF', { name: 'me.gif', content: samples.gif }],
  ['a PDF as PNG', { name: 'me.png', content: samples.pdf }],
  ['a picture that breaks off', { name: 'me.png', content: samples.png.subarray(0, 40) }],
])('%s is refused', async (_name, file) => {
  const before = await keys();
  const answer = await hr.upload(path(lena.id), file);
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['file']]);
  expect(await keys()).toEqual(before);
});

test('2 MB are enough', async () => {
  const answer = await hr.upload(path(lena.id), { name: 'me.png', content: Buffer.alloc(2 * 1_024 * 1_024 + 1) });
  expect(answer.status).toBe(413);
});

test("people set their own picture in their profile; only HR in scope sets other people's", async () => {
  const other = await make.employee();
  const admin = await make.employee({ roles: ['Admin'] });
  const before = await keys();
  expect((await own.upload(path(other.id), png)).status).toBe(403);
  expect((await own.get(path(other.id))).status).toBe(404);
  expect((await hr.upload(path(admin.id), png)).status).toBe(403);
  expect((await hr.delete(path(admin.id))).status).toBe(403);
  const limited = await as((await make.employee({ roles: [{ role: 'HR', entity_ids: [other.entity_id] }] })).user_id);
  expect((await limited.upload(path(lena.id), png)).status).toBe(404);
  expect(await keys()).toEqual([...before, null]);
  const set = await own.upload('/api/profile/picture', png);
  expect([set.status, set.body.data.employee.profile_picture_url]).toEqual([200, path(lena.id)]);
  expect((await own.get('/api/me')).body.data.user.profile_picture_url).toBe(path(lena.id));
  expect((await own.delete('/api/profile/picture')).status).toBe(204);
  expect((await own.get('/api/profile')).body.data.employee.profile_picture_url).toBeNull();
  const account = await as((await make.admin()).user_id);
  expect((await account.upload('/api/profile/picture', png)).status).toBe(404);
});
