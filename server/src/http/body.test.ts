import { text } from '@tenure/contract';
import { say } from './errors.ts';
import * as fs from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../files/store.ts';
import type { FileStore } from '../files/store.ts';
import { readMultipart } from './body.ts';

let root: string;
let store: FileStore;

beforeEach(async () => {
  root = await fs.mkdtemp(join(tmpdir(), 'tenure-body-'));
  store = await openStore(root);
});
afterEach(() => fs.rm(root, { recursive: true }));

const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
const field = (name: string, value: string) =>
  `\r\n--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
// like browsers send a part with a type
const json = (value: string) =>
  `\r\n--b\r\nContent-Disposition: form-data; name="notes"; filename="blob"\r\nContent-Type: application/json\r\n\r\n${value}`;
const whole = `${head}${'x'.repeat(99_000)}${field('title', 'Offer')}\r\n--b--\r\n`;
const end = '\r\n--b--\r\n';

/** The result of reading the body when the sender sends `sent` of `length` bytes and hangs up, or waits. */
async function outcome(sent: string, { length = sent.length, hangUp = false } = {}) {
  const read = Promise.withResolvers<unknown>();
  const server = createServer((request) => {
    void readMultipart(request, 'attachment', store).then(read.resolve, read.resolve);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n${sent}`,
  );
  if (hangUp) setTimeout(() => socket.destroy(), 30);
  const result = await read.promise;
  socket.destroy();
  // a body that is not read completely keeps its connection
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return result;
}

const filesOnTheirWay = () => fs.readdir(join(root, 'incoming'));

describe('a form with a file', () => {
  test('is read with its fields, its file and the name of the file', async () => {
    const body = await outcome(whole);
    expect(body).toMatchObject({ input: { title: 'Offer' }, file: { size: 99_000, file_name: 'a.pdf' } });
    expect(await filesOnTheirWay()).toHaveLength(1);
  });

  test.each([0, 1, head.length, 50_000, 98_900, 99_150, whole.length])(
    'cut off after %i bytes leaves no file',
    async (bytes) => {
      const result = await outcome(whole.slice(0, bytes), { length: whole.length + 1, hangUp: true });
      expect(result).toBeInstanceOf(Error);
      await expect.poll(filesOnTheirWay).toEqual([]);
    },
  );

  test('refused for a field that is too long leaves no file', async () => {
    const result = await outcome(`${head}abc${field('title', 'x'.repeat(65_537))}${end}`);
    expect(result).toMatchObject({ status: 413 });
    await expect.poll(filesOnTheirWay).toEqual([]);
  });

  test('refused for too many fields leaves no file', async () => {
    const fields = Array.from({ length: 201 }, (_, index) => field(`f${index}`, 'x')).join('');
    expect(await outcome(`${head}abc${fields}${end}`)).toMatchObject({ status: 413 });
    await expect.poll(filesOnTheirWay).toEqual([]);
  });

  test('refused for a file above its limit leaves no file, and says what the limit is', async () => {
    const result = await outcome(`${head}${'x'.repeat(10 * 1_024 * 1_024 + 1)}${end}`);
    const file = [say('file', text('validation.kilobytes', { most: 10_240 }))];
    expect(result).toMatchObject({ status: 413, body: { errors: { file } } });
    await expect.poll(filesOnTheirWay).toEqual([]);
  });

  test.each([
    ['an unwanted file', `${head.replace('name="file"', 'name="other"')}${'x'.repeat(12 * 1_024 * 1_024)}${end}`],
    ['many fields', `${Array.from({ length: 190 }, (_, n) => field(`f${n}`, 'x'.repeat(65_000))).join('')}${end}`],
    ['a typed field', `${head}abc${json('x'.repeat(65_537))}${end}`],
  ])('refused for too many bytes in %s leaves no file', async (_name, sent) => {
    expect(await outcome(sent)).toMatchObject({ status: 413 });
    await expect.poll(filesOnTheirWay).toEqual([]);
  });

  test.each([`${head}abc`, `${head}abc\r\n--`, head])('that ends inside its file has no file', async (sent) => {
    expect(await outcome(sent)).toMatchObject({ file: null, input: {} });
    await expect.poll(filesOnTheirWay).toEqual([]);
  });

  test('under another name than `file` is read without it', async () => {
    const sent = whole.replace('name="file"', 'name="other"');
    expect(await outcome(sent)).toMatchObject({ file: null, input: { title: 'Offer' } });
    expect(await outcome(sent.slice(0, 5_000))).toMatchObject({ file: null });
    expect(await filesOnTheirWay()).toEqual([]);
  });
});
