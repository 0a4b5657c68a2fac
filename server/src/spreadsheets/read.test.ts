import { text } from '@tenure/contract';
import { readdir, readlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, test } from 'vitest';
import { readSheet } from './read.ts';
import { inline, refusalOf, row, temporaryFiles, workbookParts, zipOf } from '../testing/sheet-fixtures.ts';
import type { SheetRow } from './sheet.ts';

const file = temporaryFiles();
const LINES = 20_000;
const large = `number,name\n${Array.from({ length: LINES }, (_, index) => `${index},Person ${index}\n`).join('')}`;

const started: Worker[] = [];
const remember = (worker: Worker) => started.push(worker);
process.on('worker', remember);
afterAll(() => process.off('worker', remember));

/** Threads of this file that are still running. */
function running(): number {
  return started.filter((worker) => worker.threadId >= 0).length;
}

async function drain(batches: AsyncIterable<SheetRow[]>): Promise<SheetRow[]> {
  const rows: SheetRow[] = [];
  for await (const batch of batches) rows.push(...batch);
  return rows;
}

describe('reading in a thread', () => {
  test('a CSV file arrives as a header and batches, in order', async () => {
    await using sheet = await readSheet(file(large), 'csv');
    expect(sheet.header).toEqual(['number', 'name']);
    const rows = await drain(sheet.batches);
    expect(rows).toHaveLength(LINES);
    expect(rows.every(({ row, cells }, index) => row === index + 2 && cells[0] === String(index))).toBe(true);
  });

  test('an XLSX workbook arrives the same way', async () => {
    const zip = await zipOf(workbookParts(row(inline('name')) + row(inline('Ann'))));
    await using sheet = await readSheet(file(zip), 'xlsx');
    expect([sheet.header, (await drain(sheet.batches))[0]!.cells]).toEqual([['name'], ['Ann']]);
  });

  test('a refusal of the header arrives before any row, and one of a row after the rows before it', async () => {
    expect(await refusalOf(readSheet(file('a,a\n1,2\n'), 'csv'))).toBe('header_twice');
    await using sheet = await readSheet(file(`${large}x,"`), 'csv');
    let count = 0;
    const walking = (async () => {
      for await (const batch of sheet.batches) count += batch.length;
    })();
    await expect(walking).rejects.toMatchObject({ reason: text('files.quote_not_closed', { line: LINES + 2 }) });
    expect(count).toBeGreaterThan(LINES - 1_001);
  });

  test('a file that is not there is an error, not a refusal', async () => {
    await expect(readSheet('/nowhere/at/all.csv', 'csv')).rejects.toThrow('ENOENT');
  });

  test('a file that needs more time than allowed is refused', async () => {
    const reading = async () => {
      await using sheet = await readSheet(file(large), 'csv', { limits: { working_milliseconds: 1 } });
      return drain(sheet.batches);
    };
    expect(await refusalOf(reading())).toBe('timeout');
  });

  test('the time a slow consumer takes is not counted', async () => {
    // few rows, so that reading alone is far from the limit on a busy machine
    const lines = large.slice(0, large.indexOf('\n4000,') + 1);
    await using sheet = await readSheet(file(lines), 'csv', { limits: { working_milliseconds: 3_000 } });
    let batches = 0;
    const started_at = performance.now();
    for await (const batch of sheet.batches) {
      if (batch.length > 0 && ++batches <= 6) await delay(600);
    }
    expect(batches).toBeGreaterThan(6);
    expect(performance.now() - started_at).toBeGreaterThan(3_000);
  });
});

describe('stopping', () => {
  test('leaving the loop early stops the thread', async () => {
    const sheet = await readSheet(file(large), 'csv');
    for await (const batch of sheet.batches) {
      expect([batch.length, running()]).toEqual([500, 1]);
      break;
    }
    expect(running()).toBe(0);
  });

  test('a sheet without a reader is closed with its scope', async () => {
    {
      await using sheet = await readSheet(file(large), 'csv');
      expect(sheet.header).toHaveLength(2);
      expect(running()).toBe(1);
    }
    expect(running()).toBe(0);
  });

  test('aborting rejects with the reason and stops the thread', async () => {
    const abort = new AbortController();
    const sheet = await readSheet(file(large), 'csv', { signal: abort.signal });
    const walking = (async () => {
      for await (const batch of sheet.batches) abort.abort(new Error(`Gone after ${batch.length} rows.`));
    })();
    await expect(walking).rejects.toThrow('Gone after 500 rows.');
    expect(running()).toBe(0);
    await expect(readSheet(file(large), 'csv', { signal: abort.signal })).rejects.toThrow('Gone after 500 rows.');
  });

  test.runIf(process.platform === 'linux')('leaves no file open, at whatever moment it comes', async () => {
    const path = file(large);
    const isOpen = async () => {
      const names = await readdir('/proc/self/fd');
      const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
      return targets.includes(path);
    };
    for (let round = 0; round < 12; round += 1)
      await Promise.all(
        Array.from({ length: 4 }, async (_, index) => {
          const abort = new AbortController();
          const reading = readSheet(path, 'csv', { signal: abort.signal });
          await delay(30 + (round * 4 + index) * 3);
          abort.abort();
          await reading.then((sheet) => sheet.close()).catch(() => undefined);
        }),
      );
    expect([running(), await isOpen()]).toEqual([0, false]);
  });
});
