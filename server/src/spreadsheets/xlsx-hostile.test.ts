import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  inline,
  patched,
  readWhole,
  refusalOf,
  row,
  temporaryFiles,
  workbookParts,
  zipOf,
  type Parts,
} from '../testing/sheet-fixtures.ts';

const file = temporaryFiles();
const ROWS = row(inline('name')) + row(inline('Ann'));
const SHEET = 'xl/worksheets/sheet1.xml';
const MEBIBYTE = 1024 * 1024;
// Two megabytes that do not compress by a factor of a hundred.
const ENDLESS = Array.from({ length: 350_000 }, (_, index) => index).join('');

const refusal = (content: string | Buffer) => refusalOf(readWhole(file(content), 'xlsx'));
const refusalOfParts = async (changes: Parts) => refusal(await zipOf(workbookParts(ROWS, changes)));

test('the workbook that the files below spoil is read', async () => {
  const { header, rows } = await readWhole(file(await zipOf(workbookParts(ROWS))), 'xlsx');
  expect([header, rows]).toEqual([['name'], [{ row: 2, cells: ['Ann'], formulas: [], surplus: 0 }]]);
});

describe('containers', () => {
  test.each([
    ['an empty file', Buffer.alloc(0), 'empty'],
    ['a CSV file', Buffer.from('a,b\n1,2\n'), 'not_a_workbook'],
    ['an OLE container, as password protection makes it', Buffer.from('D0CF11E0A1B11AE1', 'hex'), 'encrypted'],
    ['zip bytes without a directory', Buffer.from('PK\u0003\u0004 and nothing else'), 'malformed'],
  ])('%s', async (_, content, code) => {
    expect(await refusal(content)).toBe(code);
  });

  test('a zip that is no workbook', async () => {
    expect(await refusal(await zipOf({ 'readme.txt': 'hello' }))).toBe('not_a_workbook');
  });

  test('a zip cut off anywhere', async () => {
    const zip = await zipOf(workbookParts(ROWS));
    for (const share of [0.1, 0.5, 0.9, 0.99]) {
      expect(await refusal(zip.subarray(0, Math.floor(zip.length * share)))).toBe('malformed');
    }
  });

  test('a part whose bytes were changed', async () => {
    const zip = await zipOf(workbookParts(ROWS), false);
    expect(await refusal(patched(zip, '<t>Ann</t>', '<t>Eve</t>'))).toBe('malformed');
  });

  test.each([
    ['a path that climbs', '../evil.xml'],
    ['an absolute path', '/root/a.xml'],
    ['a path with a drive', 'C:/root.xml'],
    ['a path with backslashes', 'a\\..\\b.xml'],
  ])('%s', async (_, name) => {
    const placeholder = 'p'.repeat(name.length);
    const zip = await zipOf(workbookParts(ROWS, { [placeholder]: 'x' }));
    expect(await refusal(patched(zip, placeholder, name))).toBe('malformed');
  });

  test('a part twice, in whatever case', async () => {
    const name = 'xl/worksheets/sheeX1.xml';
    const zip = await zipOf(workbookParts(ROWS, { [name]: '<worksheet/>' }));
    expect(await refusal(patched(zip, name, SHEET))).toBe('unsafe');
    expect(await refusal(patched(zip, name, SHEET.replace('sheet1', 'SHEET1')))).toBe('unsafe');
  });

  test('an encrypted part', async () => {
    const zip = await zipOf(workbookParts(ROWS));
    const directory = zip.indexOf('PK\u0001\u0002', 0, 'latin1');
    zip.writeUInt16LE(zip.readUInt16LE(directory + 8) | 1, directory + 8);
    expect(await refusal(zip)).toBe('encrypted');
  });

  test('more parts than a workbook has', async () => {
    const names = Array.from({ length: 2_001 }, (_, index) => [`xl/media/${index}.xml`, '']);
    expect(await refusalOfParts(Object.fromEntries(names) as Parts)).toBe('too_large');
  });

  test.each([
    ['a macro project', { 'xl/vbaProject.bin': 'x' }],
    ['macro sheets of old', { 'xl/macrosheets/sheet1.xml': 'x' }],
    [
      'the content type of a workbook with macros',
      {
        '[Content_Types].xml':
          '<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/></Types>',
      },
    ],
  ] as [string, Parts][])('%s', async (_, parts) => {
    expect(await refusalOfParts(parts)).toBe('macros');
  });
});

describe('sizes', () => {
  test('a part that inflates more than a hundredfold', async () => {
    expect(await refusalOfParts({ [SHEET]: Buffer.alloc(8 * MEBIBYTE, ' ') })).toBe('too_large');
  });

  test('an unread part that inflates more than a hundredfold', async () => {
    expect(await refusalOfParts({ 'xl/media/image1.png': Buffer.alloc(8 * MEBIBYTE) })).toBe('too_large');
  });

  test('a description of the workbook that is larger than any is', async () => {
    const formats = Array.from({ length: 400_000 }, (_, id) => `<numFmt numFmtId="${id}" formatCode="0.${id}"/>`);
    const styles = `<styleSheet><numFmts>${formats.join('')}</numFmts></styleSheet>`;
    expect(await refusalOfParts({ 'xl/styles.xml': styles })).toBe('too_large');
  });

  test('parts that together unpack to more than 256 MiB', async () => {
    const zip = await zipOf(workbookParts(ROWS, { 'xl/media/image1.png': Buffer.alloc(MEBIBYTE) }), false);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(MEBIBYTE);
    const claimed = Buffer.alloc(4);
    claimed.writeUInt32LE(257 * MEBIBYTE);
    expect(await refusal(patched(zip, size.toString('latin1'), claimed.toString('latin1')))).toBe('too_large');
  });

  test('a part that inflates to more than it declares', async () => {
    const zip = await zipOf(workbookParts(ROWS, { [SHEET]: Buffer.alloc(8 * MEBIBYTE, ' ') }));
    const honest = Buffer.alloc(4);
    honest.writeUInt32LE(8 * MEBIBYTE);
    const lying = Buffer.alloc(4);
    lying.writeUInt32LE(1_000);
    expect(await refusal(patched(zip, honest.toString('latin1'), lying.toString('latin1')))).toBe('malformed');
  });

  test('limits can be narrower', async () => {
    const path = file(await zipOf(workbookParts(ROWS)));
    expect(await refusalOf(readWhole(path, 'xlsx', { unpacked_bytes: 500 }))).toBe('too_large');
  });

  test('refusing a bomb costs less than 64 MiB of memory', async () => {
    const path = file(await zipOf(workbookParts(ROWS, { [SHEET]: Buffer.alloc(200 * MEBIBYTE, ' ') })));
    const program = `
      import { readSheet } from ${JSON.stringify(new URL('read.ts', import.meta.url).href)};
      const before = process.memoryUsage.rss();
      let peak = before;
      const watch = setInterval(() => { peak = Math.max(peak, process.memoryUsage.rss()); }, 5);
      const code = await readSheet(${JSON.stringify(path)}, 'xlsx').catch((error) => error.code);
      clearInterval(watch);
      console.log(JSON.stringify({ code, bytes: peak - before }));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    const { code, bytes } = JSON.parse(stdout) as { code: string; bytes: number };
    expect(code).toBe('too_large');
    expect(bytes).toBeLessThan(64 * MEBIBYTE);
  });
});

describe('XML', () => {
  const worksheet = (prolog: string, text: string) =>
    `${prolog}<worksheet><sheetData>${row(inline('name'))}${row(inline(text))}</sheetData></worksheet>`;
  const LAUGHS = Array.from({ length: 9 }, (_, n) => `<!ENTITY lol${n + 1} "${`&lol${n};`.repeat(10)}">`).join('');

  test.each([
    ['an external entity', worksheet('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>', '&e;')],
    ['a billion laughs', worksheet(`<!DOCTYPE x [<!ENTITY lol0 "lol">${LAUGHS}]>`, '&lol9;')],
    ['an external document type', worksheet('<!DOCTYPE x SYSTEM "http://127.0.0.1:1/x.dtd">', 'Ann')],
    ['a bare document type', worksheet('<?xml version="1.0"?><!-- a --><!DOCTYPE worksheet>', 'Ann')],
  ])('%s', async (_, xml) => {
    expect(await refusalOfParts({ [SHEET]: xml })).toBe('unsafe');
  });

  test.each([
    'xl/workbook.xml',
    'xl/_rels/workbook.xml.rels',
    '[Content_Types].xml',
    'xl/sharedStrings.xml',
    'xl/styles.xml',
  ])('a document type in %s', async (part) => {
    const plain = workbookParts(ROWS)[part] ?? '<x/>';
    expect(await refusalOfParts({ [part]: `<!DOCTYPE x>${String(plain)}` })).toBe('unsafe');
  });

  test.each([
    ['an entity that was never declared', worksheet('', '&evil;')],
    ['a prolog in UTF-7', worksheet('<?xml version="1.0" encoding="UTF-7"?>', '+ADwAIQ-DOCTYPE')],
    ['a prolog in UTF-16', worksheet('<?xml version="1.0" encoding="UTF-16"?>', 'Ann')],
    ['bytes in UTF-16', Buffer.from(`\uFEFF${worksheet('<!DOCTYPE x>', 'Ann')}`, 'utf16le')],
    ['bytes in UTF-16 without a mark', Buffer.from(worksheet('<!DOCTYPE x>', 'Ann'), 'utf16le')],
    ['bytes in Windows-1252', Buffer.from(worksheet('', 'Zo\u00EB'), 'latin1')],
    ['an end that never comes', worksheet('', 'Ann').slice(0, -12)],
    ['endless nesting', '<a>'.repeat(100_000)],
    ['a comment without end', `<!--${ENDLESS}`],
    ['an attribute without end', `<worksheet a="${ENDLESS}`],
  ] as [string, string | Buffer][])('%s', async (_, xml) => {
    expect(await refusalOfParts({ [SHEET]: xml })).toBe('malformed');
  });

  test('headings that JavaScript treats specially change nothing', async () => {
    const sheet_data = row(inline('__proto__'), inline('name')) + row(inline('polluted'), inline('Ann'));
    const { header, dropped, rows } = await readWhole(file(await zipOf(workbookParts(sheet_data))), 'xlsx');
    expect({ header, dropped, cells: rows[0]!.cells }).toEqual({
      header: ['name'],
      dropped: ['__proto__'],
      cells: ['Ann'],
    });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
