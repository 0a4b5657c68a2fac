import { expect, test } from 'vitest';
import { asUtf8 } from './as-utf8.ts';

const text = 'Name;Ort\nMüller;Görlitz\n';
const latin = (value: string) => Uint8Array.from(value, (letter) => letter.charCodeAt(0));
const utf16 = (value: string, isLittle: boolean) => {
  const marked = `\uFEFF${value}`;
  const view = new DataView(new ArrayBuffer(marked.length * 2));
  for (let index = 0; index < marked.length; index += 1) view.setUint16(index * 2, marked.charCodeAt(index), isLittle);
  return view;
};
const read = async (content: BlobPart, name = 'staff.csv') => {
  const { file, isGuessed } = await asUtf8(new File([content], name));
  return [file.name, new TextDecoder().decode(await file.arrayBuffer()), isGuessed];
};

test('UTF-8 stays as it is, UTF-16 says that it is, and the rest is taken for Windows-1252', async () => {
  expect(await read(text)).toEqual(['staff.csv', text, false]);
  expect(await read(utf16(text, true))).toEqual(['staff.csv', text, false]);
  expect(await read(utf16(text, false), 'staff.txt')).toEqual(['staff.csv', text, false]);
  expect(await read(latin(text))).toEqual(['staff.csv', text, true]);
  expect(await read(latin('Preis\n5 \x80\n'), 'LOHN.TXT')).toEqual(['LOHN.csv', 'Preis\n5 €\n', true]);
  expect(await read('Name\nAnn\n', 'staff.txt')).toEqual(['staff.csv', 'Name\nAnn\n', false]);
});

test('a damaged UTF-8 file and one that is no text are left to the service', async () => {
  const damaged = new File([text, latin('\xfc')], 'staff.csv');
  expect(await asUtf8(damaged)).toEqual({ file: damaged, isGuessed: false, isByPlace: false });
  for (const [name, content] of [
    ['staff.csv', latin('\x00\xfc')],
    ['staff.xlsx', latin('PK\xfc')],
  ] as const) {
    const file = new File([content], name);
    expect(await asUtf8(file)).toEqual({ file, isGuessed: false, isByPlace: false });
  }
});
