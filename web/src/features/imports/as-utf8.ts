import { asTable } from './as-table.ts';

/** A chosen file in the form that the service reads, and whether its encoding or its columns were guessed. */
export type Readable = { file: File; isGuessed: boolean; isByPlace: boolean };

export const asItIs = (file: File): Readable => ({ file, isGuessed: false, isByPlace: false });

const decode = (bytes: ArrayBuffer, encoding: string, fatal = false) =>
  new TextDecoder(encoding, { fatal }).decode(bytes);

/** The byte order mark of UTF-16 text, as in Excel's “Unicode text” and SAP exports. */
function markOf(bytes: ArrayBuffer): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** A text in UTF-8, converted to CSV if it is a list. */
function inUtf8(text: string, { name }: File, isGuessed: boolean): Readable {
  const list = asTable(text);
  const file = new File([list?.text ?? text], name.replace(/\.txt$/i, '.csv'), { type: 'text/csv' });
  return { file, isGuessed, isByPlace: list?.isByPlace ?? false };
}

/**
 * Converts a text file to CSV in UTF-8. Excel and payroll programs also write UTF-16, which has a mark, and
 * Windows-1252, which is assumed for any text that is not UTF-8. A file that is partly UTF-8 is damaged and stays
 * unchanged, so that the service refuses it.
 */
export async function asUtf8(file: File): Promise<Readable> {
  if (!/\.(csv|txt)$/i.test(file.name)) return asItIs(file);
  const bytes = await file.arrayBuffer();
  const mark = markOf(bytes);
  if (mark) return inUtf8(decode(bytes, mark), file, false);
  try {
    return inUtf8(decode(bytes, 'utf-8', true), file, false);
  } catch {
    const isPartlyUtf8 = /[^\p{ASCII}\ufffd]/u.test(decode(bytes, 'utf-8'));
    return isPartlyUtf8 || new Uint8Array(bytes).includes(0)
      ? asItIs(file)
      : inUtf8(decode(bytes, 'windows-1252'), file, true);
  }
}
