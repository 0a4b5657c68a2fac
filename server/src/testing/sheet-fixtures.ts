import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { ZipFile } from 'yazl';
import { openRows } from '../spreadsheets/open-rows.ts';
import { SheetRefused } from '../spreadsheets/refusal.ts';
import { shapeRows } from '../spreadsheets/shape.ts';
import { SHEET_LIMITS, type SheetFormat, type SheetLimits, type SheetRow } from '../spreadsheets/sheet.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export type Parts = Record<string, string | Buffer>;

/** A function that writes files to a folder of this test file, which is removed with it. */
export function temporaryFiles(): (content: string | Buffer) => string {
  const directory = mkdtempSync(join(tmpdir(), 'tenure-sheets-'));
  let count = 0;
  afterAll(() => rmSync(directory, { recursive: true }));
  return (content) => {
    const path = join(directory, String(++count));
    writeFileSync(path, content);
    return path;
  };
}

interface ReadResult {
  header: string[];
  dropped: string[];
  rows: SheetRow[];
}

/** Reads a file in this thread, which has the same result as in a separate one, only faster. */
export async function readWhole(
  path: string,
  format: SheetFormat,
  narrower: Partial<SheetLimits> = {},
): Promise<ReadResult> {
  const limits = { ...SHEET_LIMITS, ...narrower };
  const result: ReadResult = { header: [], dropped: [], rows: [] };
  for await (const part of shapeRows(await openRows(path, format, limits), limits)) {
    if (Array.isArray(part)) result.rows.push(...part);
    else Object.assign(result, part);
  }
  return result;
}

export async function refusalOf(reading: Promise<unknown>): Promise<string> {
  const error = await reading.then(
    () => 'was read',
    (reason: unknown) => reason,
  );
  if (error instanceof SheetRefused) return error.code;
  throw new Error('Expected a refusal.', { cause: error });
}

export async function zipOf(parts: Parts, compress = true): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), name, { compress });
  zip.end();
  return buffer(zip.outputStream);
}

/** The parts of a workbook with one sheet; `changes` replaces or adds some. */
export function workbookParts(sheet_data: string, changes: Parts = {}): Parts {
  return {
    '[Content_Types].xml': '<Types><Override ContentType="application/xml" PartName="/xl/workbook.xml"/></Types>',
    'xl/_rels/workbook.xml.rels':
      `<Relationships><Relationship Id="rId7" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>` +
      '</Relationships>',
    'xl/workbook.xml':
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="People" sheetId="1" r:id="rId7"/></sheets>` +
      '</workbook>',
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${sheet_data}</sheetData></worksheet>`,
    ...changes,
  };
}

export function row(...cells: string[]): string {
  return `<row>${cells.join('')}</row>`;
}

export function inline(text: string): string {
  return `<c t="inlineStr"><is><t>${text}</t></is></c>`;
}

/** A zip in which every occurrence of a byte sequence is replaced by another of the same length. */
export function patched(zip: Buffer, from: string, to: string): Buffer {
  if (from.length !== to.length || !zip.includes(from, 0, 'latin1')) throw new Error('Nothing to patch.');
  return Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1');
}
