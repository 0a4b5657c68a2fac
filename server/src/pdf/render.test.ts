import { expect, test } from 'vitest';
import { renderPdf } from './render.ts';
import type { Block, Sheet } from './sheet.ts';

const sheetOf = (...blocks: Block[]): Sheet => ({
  title: 'Letter',
  author: 'Acme Foods Ltd',
  language: 'en',
  country: null,
  footer: '{page}',
  blocks,
});
const isPdf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 5)).toString() === '%PDF-';

test('a sheet that cannot be drawn is an error, and later sheets are drawn', async () => {
  const broken = sheetOf({ kind: 'signature', mark: new Uint8Array([1, 2, 3]), caption: '', note: '' });
  await expect(renderPdf(broken, 1)).rejects.toThrow('Unknown image format');
  expect(isPdf(await renderPdf(sheetOf({ kind: 'text', text: 'Dear all' }), 1))).toBe(true);
});

test('simultaneous requests are drawn one after the other without blocking the process', async () => {
  const sheets = Array.from({ length: 5 }, (_, user) =>
    renderPdf(sheetOf({ kind: 'text', text: '王小明 محمد علي' }), user),
  );
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  for (const bytes of await Promise.all(sheets)) expect(isPdf(bytes)).toBe(true);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
});

test('a request beyond the queue is refused with a time to retry', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 60 }, (_, user) => renderPdf(sheetOf(), user)));
  const refused = answers.filter((answer) => answer.status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]?.reason).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
});

test('a user has one sheet drawn at a time', async () => {
  const [first, second] = await Promise.allSettled([renderPdf(sheetOf(), 7), renderPdf(sheetOf(), 7)]);
  expect([first?.status, second?.status]).toEqual(['fulfilled', 'rejected']);
  expect(second).toMatchObject({ reason: { status: 503, headers: { 'retry-after': '1' } } });
  expect(isPdf(await renderPdf(sheetOf(), 7))).toBe(true);
});
