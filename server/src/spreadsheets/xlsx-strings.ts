import { text } from '@tenure/contract/texts';
import { SheetRefused } from './refusal.ts';
import type { SheetLimits } from './sheet.ts';
import type { Archive } from './xlsx-archive.ts';
import { decodeText, LONGEST_ESCAPE } from './xlsx-values.ts';
import { parseXml } from './xlsx-xml.ts';

const BLOCK_BYTES = 4 * 1024 * 1024;
const MAX_BYTES = 128 * 1024 * 1024;
const MAX_STRINGS = 4 * 1024 * 1024;

export interface StringTable {
  add: (text: string) => void;
  get: (index: number) => string | undefined;
}

/** Texts by number, stored as UTF-8 outside the JavaScript heap: millions of them cost little more than their bytes. */
export function createStringTable(): StringTable {
  const blocks: Buffer[] = [];
  let starts = new Uint32Array(1024);
  let lengths = new Uint32Array(1024);
  let count = 0;
  let used = BLOCK_BYTES;

  function add(text: string): void {
    const length = Buffer.byteLength(text);
    if (used + length > BLOCK_BYTES) {
      if (length > BLOCK_BYTES || (blocks.length + 1) * BLOCK_BYTES > MAX_BYTES) throw tooLarge();
      blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES));
      used = 0;
    }
    if (count === starts.length) {
      if (count === MAX_STRINGS) throw tooLarge();
      starts = doubled(starts);
      lengths = doubled(lengths);
    }
    blocks.at(-1)!.write(text, used, 'utf8');
    starts[count] = (blocks.length - 1) * BLOCK_BYTES + used;
    lengths[count] = length;
    used += length;
    count++;
  }

  function get(index: number): string | undefined {
    if (!(index >= 0 && index < count)) return undefined;
    const start = starts[index]! % BLOCK_BYTES;
    return blocks[Math.floor(starts[index]! / BLOCK_BYTES)]!.toString('utf8', start, start + lengths[index]!);
  }

  return { add, get };
}

/** The texts that cells of a workbook share. A workbook without any lacks this part. */
export async function readSharedStrings(archive: Archive, limits: SheetLimits): Promise<StringTable> {
  const strings = createStringTable();
  if (!archive.has('xl/sharedStrings.xml')) return strings;
  let text = '';
  let inside = false;
  let phonetic = false;
  await parseXml(archive.part('xl/sharedStrings.xml'), {
    open: (name) => {
      if (name === 'si') text = '';
      else if (name === 'rPh') phonetic = true;
      else if (name === 't') inside = !phonetic;
    },
    text: (piece) => {
      if (inside) text += piece;
      if (text.length > limits.cell_characters * LONGEST_ESCAPE) throw tooLarge();
    },
    close: (name) => {
      if (name === 't') inside = false;
      else if (name === 'rPh') phonetic = false;
      else if (name === 'si') strings.add(decodeText(text));
    },
  });
  return strings;
}

function doubled(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}

function tooLarge(): SheetRefused {
  return new SheetRefused('too_large', text('files.too_much_text'));
}
