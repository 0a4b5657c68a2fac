import { readFile } from 'node:fs/promises';
import PDFDocument from 'pdfkit';
import sharp from 'sharp';
import subsetFont from 'subset-font';
import { extractText, getDocumentProxy, getMeta } from 'unpdf';
import { expect, test } from 'vitest';
import { drawSheet } from './draw.ts';
import { facesFor } from './faces.ts';
import type { Style } from './faces.ts';
import type { Block, Sheet } from './sheet.ts';

const names = {
  arabic: 'محمد عبد الله الحسيني',
  hebrew: 'שרה כהן',
  chinese: '王小明',
  japanese: 'やまだ太郎',
  korean: '김철수',
  european: 'Zoë Łukasz Đặng Ελένη Иванов',
};

const sheetOf = (...blocks: Block[]): Sheet => ({
  title: 'Confirmation',
  author: 'Acme Foods Ltd',
  language: 'en',
  country: null,
  footer: 'Page {page} of {pages}',
  blocks,
});

async function pagesOf(sheet: Sheet): Promise<string[]> {
  const bytes = await drawSheet(sheet);
  return (await extractText(await getDocumentProxy(new Uint8Array(bytes)))).text;
}

/** The glyph numbers of a text in its own fonts, as written on a page; 0 is the empty box. */
async function glyphsOf(text: string, style: Style): Promise<number[]> {
  // where the library keeps its output
  const doc = new PDFDocument() as unknown as {
    font: (source: Buffer) => { _font: { encode: (text: string) => [string[]] } };
  };
  const glyphs: number[] = [];
  for (const character of text.replaceAll(' ', '')) {
    const { path, axes } = facesFor(text, style)(character.codePointAt(0) ?? 0);
    const font = await subsetFont(await readFile(path), `${character} `, {
      targetFormat: 'sfnt',
      ...(axes && { variationAxes: axes }),
    });
    glyphs.push(
      ...doc
        .font(font)
        ._font.encode(character)[0]
        .map((id) => Number.parseInt(id, 16)),
    );
  }
  return glyphs;
}

test.each(Object.entries(names))('an %s name has a glyph for every character, in each style', async (_script, name) => {
  for (const style of ['plain', 'strong', 'script'] as const) expect(await glyphsOf(name, style)).not.toContain(0);
});

test('a character of no font family shows as an empty box and breaks nothing', async () => {
  expect(await glyphsOf('\u{1f9ff}', 'plain')).toEqual([0]);
  expect((await pagesOf(sheetOf({ kind: 'text', text: 'A \u{1f9ff} B' })))[0]).toMatch(/A .*B/);
});

test('names can be extracted from the pages', async () => {
  // Arabic letters share glyphs, which PDF readers confuse
  const read = Object.values(names).filter((name) => name !== names.arabic);
  const rows = read.map((name) => ['Name', `\u2068${name}\u2069`] as const);
  const [page = ''] = await pagesOf(sheetOf({ kind: 'descriptions', rows }));
  for (const name of read) for (const word of name.split(' ')) expect(page).toContain(word);
});

test('a PDF has a title, an author and a language', async () => {
  const { info } = await getMeta(await getDocumentProxy(new Uint8Array(await drawSheet(sheetOf()))));
  expect(info).toMatchObject({ Title: 'Confirmation', Author: 'Acme Foods Ltd', Language: 'en' });
});

test('long texts continue over pages, each with its number', async () => {
  const pages = await pagesOf(sheetOf({ kind: 'text', text: 'word '.repeat(3_000) }));
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.join(' ').match(/word/g)).toHaveLength(3_000);
  for (const [index, page] of pages.entries()) expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
});

test('a long value beside its label continues over pages, and what follows comes after it', async () => {
  const long = ['Comment', 'word '.repeat(2_000)] as const;
  const pages = await pagesOf(sheetOf({ kind: 'descriptions', rows: [long, ['Last', 'the end']] }));
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.at(-1)).toContain('the end');
});

test('a page never ends or begins with a single line of a text, nor ends with a label alone', async () => {
  for (let above = 28; above < 40; above += 1) {
    const filler: Block[] = Array.from({ length: above }, () => ({ kind: 'gap' }));
    const blocks: Block[] = [
      { kind: 'text', text: 'Comment first\nsecond\nthird' },
      { kind: 'descriptions', rows: [['Comment', 'first\nsecond\nthird']] },
    ];
    for (const block of blocks) {
      const pages = await pagesOf(sheetOf(...filler, block, { kind: 'text', text: 'end' }));
      const together = pages.filter((page) => /first\s+second\s+third/.test(page));
      expect(together).toHaveLength(1);
      expect(together[0]).toContain('Comment');
    }
  }
});

test('a heading stays with the signature and with the row of a table that follow it', async () => {
  const long = 'Improve the way in which orders of customers are taken, '.repeat(3);
  const followers: Block[] = [
    { kind: 'signature', mark: 'Lena', caption: 'Lena Park follows', note: 'typed' },
    {
      kind: 'table',
      shares: [6, 2, 2, 2, 2],
      head: ['KPI', '1', '2', '3', '4'],
      rows: [[`${long} follows`, '', '', '', '']],
    },
  ];
  for (const block of followers) {
    for (let above = 38; above < 50; above += 1) {
      const filler: Block[] = Array.from({ length: above }, () => ({ kind: 'gap' }));
      const pages = await pagesOf(sheetOf(...filler, { kind: 'heading', text: 'Heading' }, block));
      const together = pages.filter((page) => page.includes('follows'));
      expect(together).toHaveLength(1);
      expect(together[0]).toContain('Heading');
    }
  }
});

test('a drawn signature is an image on the page, a typed one is text', async () => {
  const line = { create: { width: 200, height: 6, channels: 4, background: '#1e2a78' } } as const;
  const mark = await sharp({ create: { width: 600, height: 200, channels: 4, background: '#0000' } })
    .composite([{ input: line, left: 60, top: 90 }])
    .png()
    .toBuffer();
  const bytes = await drawSheet(
    sheetOf(
      { kind: 'signature', mark, caption: 'Omar Diaz', note: 'drawn' },
      { kind: 'signature', mark: 'Lena Park', caption: 'Lena Park', note: 'typed' },
    ),
  );
  expect(Buffer.from(bytes).toString('latin1')).toContain('/Subtype /Image');
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  expect(text.match(/Lena Park/g)).toHaveLength(2);
});

test('a table repeats its head on each page and keeps a row together', async () => {
  const rows = Array.from({ length: 60 }, (_, index) => [`Item ${index}`, 'x '.repeat(60), '4']);
  const pages = await pagesOf(sheetOf({ kind: 'table', shares: [2, 3, 1], head: ['KPI', 'Words', 'Score'], rows }));
  expect(pages.length).toBeGreaterThan(1);
  for (const page of pages) expect(page.match(/KPI/g)).toHaveLength(1);
  expect(pages.join(' ').match(/Item \d+/g)).toHaveLength(60);
});

test('a letterhead stands on the first page, and its foot on each', async () => {
  const logo = await sharp({ create: { width: 300, height: 100, channels: 4, background: '#0c6b63' } })
    .png()
    .toBuffer();
  const paragraphs = Array.from({ length: 40 }, (): Block => ({
    kind: 'text',
    text: 'A line of a letter. '.repeat(20),
  }));
  const sheet: Sheet = {
    ...sheetOf(...paragraphs),
    head: {
      name: 'Acme Foods Ltd',
      address: '1 Mill Road\nLeeds',
      accent: '#0c6b63',
      logo: { bytes: logo, width: 300, height: 100 },
    },
    foot: ['Companies House 123', 'Board: Ida Berg'],
  };
  const pages = await pagesOf(sheet);
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.map((page) => page.includes('Acme Foods Ltd'))).toEqual(pages.map((_, index) => index === 0));
  for (const page of pages) for (const line of sheet.foot ?? []) expect(page).toContain(line);
  expect(Buffer.from(await drawSheet(sheet)).toString('latin1')).toContain('/Subtype /Image');
});

test('a company without a logo has its name and address at the head', async () => {
  const head = { name: 'Acme Foods Ltd', address: null, accent: null, logo: null };
  const [page] = await pagesOf({ ...sheetOf({ kind: 'text', text: 'Hello.' }), head });
  expect(page).toMatch(/Acme Foods Ltd.*Hello\./s);
});

test.each([0x200b, 0x2000, 0x2002, 0x2009, 0x200a, 0x202f, 0xa0, 0x200d, 0x2060, 0xfeff])(
  'the invisible character %i between letters stops no document',
  async (code) => {
    const text = `Zoe${String.fromCodePoint(code)}Park`;
    const rows: [string, string][] = [[text, text]];
    const [page] = await pagesOf(
      sheetOf(
        { kind: 'title', text },
        { kind: 'heading', text },
        { kind: 'descriptions', rows },
        { kind: 'signature', mark: text, caption: text, note: text },
      ),
    );
    expect(page).toMatch(/Zoe\s?Park/);
  },
);
