import { text } from '@tenure/contract';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { detectDelimiter } from './csv-read.ts';
import { readWhole, refusalOf, temporaryFiles } from '../testing/sheet-fixtures.ts';

const file = temporaryFiles();
const read = (content: string | Buffer) => readWhole(file(content), 'csv');
const SPECTRUM = new URL('../../../node_modules/csv-spectrum/', import.meta.url);

describe('csv-spectrum', () => {
  const names = readdirSync(new URL('csvs', SPECTRUM)).map((name) => name.replace('.csv', ''));
  // Its JSON differs from its CSV in a telephone number, so a separate test reads it.
  const agreed = names.filter((name) => name !== 'location_coordinates');

  async function readSpectrum(name: string): Promise<Record<string, string>[]> {
    const { header, rows } = await read(readFileSync(new URL(`csvs/${name}.csv`, SPECTRUM)));
    return rows.map(({ cells }) => Object.fromEntries(header.map((key, index) => [key, cells[index]!])));
  }

  test.each(agreed)('%s reads as its JSON says', async (name) => {
    const expected: unknown = JSON.parse(readFileSync(new URL(`json/${name}.json`, SPECTRUM), 'utf8'));
    expect(await readSpectrum(name)).toEqual(expected);
  });

  test('location_coordinates keeps the quotes inside its cells', async () => {
    const [place] = await readSpectrum('location_coordinates');
    expect(place!['Location Coordinates']).toMatch(/36'37\.8"N.*2'17\.9"W$/);
  });
});

describe('encodings and delimiters', () => {
  test('UTF-8 reads the same with and without a byte order mark', async () => {
    const text = 'name,city\nZoë,Hà Nội 🌸\n';
    const expected = { header: ['name', 'city'], rows: [{ row: 2, cells: ['Zoë', 'Hà Nội 🌸'] }] };
    expect(await read(text)).toMatchObject(expected);
    expect(await read(`\uFEFF${text}`)).toMatchObject(expected);
  });

  test.each([
    ['Windows-1252', Buffer.from('name\nZo\u00EB\n', 'latin1')],
    ['UTF-16 with a byte order mark', Buffer.from('\uFEFFname\nZoë\n', 'utf16le')],
    ['UTF-16 without one', Buffer.from('name\nZoe\n', 'utf16le')],
    ['UTF-8 that ends inside a character', Buffer.from('name\nZoë').subarray(0, -1)],
  ])('%s is refused', async (_, content) => {
    expect(await refusalOf(read(content))).toBe('not_utf8');
  });

  test.each([',', ';', '\t'])('%j is found in the header line', async (delimiter) => {
    const { header, rows } = await read(
      ['a', 'b', 'c'].join(delimiter) + '\n' + ['1', 'x, y; z', '3'].map((cell) => `"${cell}"`).join(delimiter),
    );
    expect(header).toEqual(['a', 'b', 'c']);
    expect(rows[0]!.cells).toEqual(['1', 'x, y; z', '3']);
  });

  test('delimiters inside quotes and below the header do not count', () => {
    expect(detectDelimiter('"a,b,c";d\n1,2,3,4,5')).toBe(';');
    expect(detectDelimiter('\uFEFF\r\nname\r\na;b')).toBe(',');
  });
});

describe('rows', () => {
  test('quotes that do not enclose a cell are text', async () => {
    const { rows } = await read('a,b\n5\'10" tall,"x" y\n');
    expect(rows[0]!.cells).toEqual(['5\'10" tall', '"x" y']);
  });

  test('each row carries the physical line it starts on', async () => {
    const { header, rows } = await read('a,"b\r\nb"\r\n\r\n1,"x\ny\n\nz"\n2,y\r,\n3,z\n');
    expect(header).toEqual(['a', 'b\r\nb']);
    expect(rows.map(({ row, cells }) => [row, cells[0]])).toEqual([
      [4, '1'],
      [8, '2'],
      [10, '3'],
    ]);
  });

  test('short rows are filled up, blank rows left out, and cells beyond the header counted', async () => {
    const { rows } = await read('a,b\n1\n , \n1,2,3,,4\n');
    expect(rows).toEqual([
      { row: 2, cells: ['1', ''], formulas: [], surplus: 0 },
      { row: 4, cells: ['1', '2'], formulas: [], surplus: 2 },
    ]);
  });

  test('our own escape is removed and a foreign apostrophe kept', async () => {
    const { rows } = await read(`a,b,c,d\n'=1+1,'+84,'tis,'-\n`);
    expect(rows[0]!.cells).toEqual(['=1+1', '+84', "'tis", "'-"]);
  });

  test('headings that JavaScript treats specially are dropped together with their cells', async () => {
    const { header, dropped, rows } = await read('__proto__,name,constructor,Prototype\n1,Ann,2,3\n');
    expect({ header, dropped }).toEqual({ header: ['name'], dropped: ['__proto__', 'constructor', 'Prototype'] });
    expect(rows).toEqual([{ row: 2, cells: ['Ann'], formulas: [], surplus: 0 }]);
  });

  test.each(['employees-107.csv', 'employees-1000.csv'])('%s is read whole', async (name) => {
    const path = fileURLToPath(new URL(`../testing/data/${name}`, import.meta.url));
    const lines = readFileSync(path, 'utf8').trimEnd().split('\r\n');
    const { header, rows } = await readWhole(path, 'csv');
    expect(header).toEqual(lines[0]!.split(','));
    expect(rows.map(({ cells }) => cells.join(','))).toEqual(lines.slice(1));
    expect(rows.at(-1)!.row).toBe(lines.length);
  });
});

describe('refusals', () => {
  test.each([
    ['an empty file', '', 'empty'],
    ['a file of blank lines', '\uFEFF\n,,\n \n', 'empty'],
    ['a header without rows', 'a,b\n', 'no_rows'],
    ['a heading twice, in whatever case', 'a,Email,email \n1,2,3', 'header_twice'],
    ['a column without a heading', 'a,,c\n1,2,3', 'header_missing'],
    ['201 columns', `${Array.from({ length: 201 }, (_, index) => `c${index}`).join(',')}\n1`, 'too_many_columns'],
    ['a quote that is never closed', 'a,b\n1,"2\n3,4\n', 'malformed'],
    ['a quote that is never closed in a large file', `a,b\n1,"${'x,y\n'.repeat(400_000)}`, 'malformed'],
    ['a cell longer than a spreadsheet allows', `a\n${'x'.repeat(32_768)}\n`, 'cell_too_long'],
  ])('%s', async (_, content, code) => {
    expect(await refusalOf(read(content))).toBe(code);
  });

  test('a damaged row is named by the line it starts on', async () => {
    const reason = text('files.quote_not_closed', { line: 5 });
    await expect(read('a,b\r\n"x\r\ny",1\r\n2,3\r\n1,"2\r\n3,4\r\n')).rejects.toMatchObject({ reason });
  });

  test('200,000 rows are read and one more is refused', async () => {
    const content = `number\n${'7\n'.repeat(200_000)}`;
    expect((await read(content)).rows).toHaveLength(200_000);
    expect(await refusalOf(read(`${content}7\n`))).toBe('too_many_rows');
  });
});
