import { asTable } from './as-table.ts';

/** A chosen file in the form that the service reads, and whether its encoding or its columns were a guess. */
export type Readable = { file: File; isGuessed: boolean; isByPlace: boolean };

export const asItIs = (file: File): Readable => ({ file, isGuessed: false, isByPlace: false });

const decode = (bytes: ArrayBuffer, encoding: string, fatal = false) =>
  new TextDecoder(encoding, { fatal }).decode(bytes);

/** The mark at the beginning of UTF-16 text, as “Unicode text” of Excel and exports of SAP have it. */
function markOf(bytes: ArrayBuffer): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** A text in UTF-8, and as CSV if it is a list. */
function inUtf8(text: string, { name }: File, isGuessed: boolean): Readable {
  const list = asTable(text);
  const file = new File([list?.text ?? text], name.replace(/\.txt$/i, '.csv'), { type: 'text/csv' });
  return { file, isGuessed, isByPlace: list?.isByPlace ?? false };
}

/**
 * A text file as CSV in UTF-8. Excel and payroll programs also write UTF-16, which says so, and Windows-1252, which is
 * what a text that is no UTF-8 is taken for. One that is UTF-8 in other places is damaged and stays, for the service to
 * refuse.
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
