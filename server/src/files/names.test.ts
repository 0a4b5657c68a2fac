import { basename, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { extensionOf, storedFileName } from './names.ts';

const depths = ['../', '..\\', '/', 'C:\\', '....//', '..%2f..\\', '\\\\host\\share\\', './', '/../', '.././/'];
const targets = ['etc/passwd', 'boot.ini', '..', '.', '', 'a/..', 'report.pdf', '.env', 'x\\y.png', 'kept/0'];
const traversals = depths.flatMap((step) =>
  [1, 8].flatMap((times) => targets.map((target) => step.repeat(times) + target)),
);

describe('the name of an uploaded file', () => {
  test('keeps no part of a path, in 200 spellings', () => {
    expect(traversals).toHaveLength(200);
    const names = traversals.map(storedFileName);
    expect(names.filter((name) => /[/\\]|^\.*$/.test(name) || basename(normalize(name)) !== name)).toEqual([]);
  });

  test.each([
    ['contract.pdf', 'contract.pdf'],
    ['Zeugnis für Jürgen Groß.pdf', 'Zeugnis für Jürgen Groß.pdf'],
    ['契約書 (最終版).docx', '契約書 (最終版).docx'],
    [`it's "quoted"; filename=x.pdf`, `it's "quoted"; filename=x.pdf`],
    ['C:\\Users\\lena\\offer.pdf', 'offer.pdf'],
    ['%2e%2e%2fpasswd', '%2e%2e%2fpasswd'],
    ['  spaced.pdf  ', 'spaced.pdf'],
    ['two\r\nlines.pdf', 'twolines.pdf'],
    ['nul\0.pdf', 'nul.pdf'],
    ['\u202efdp.exe', 'fdp.exe'],
    ['__proto__', '__proto__'],
    ['', 'file'],
    ['..', 'file'],
    ['folder/', 'file'],
    ['\u202e\0', 'file'],
  ])('%j is stored as %j', (sent, stored) => {
    expect(storedFileName(sent)).toBe(stored);
  });

  test('has at most 255 characters and then keeps its extension', () => {
    expect(storedFileName(`${'a'.repeat(251)}.pdf`)).toBe(`${'a'.repeat(251)}.pdf`);
    expect(storedFileName(`${'a'.repeat(252)}.pdf`)).toBe(`${'a'.repeat(251)}.pdf`);
    expect(storedFileName(`a.${'b'.repeat(400)}`)).toHaveLength(255);
  });

  test('is never truncated inside a character', () => {
    const name = storedFileName(`${'🦊'.repeat(255)}.pdf`);
    expect(name.isWellFormed()).toBe(true);
    expect(name).toMatch(/^🦊+\.pdf$/u);
    expect(name.length).toBeLessThanOrEqual(255);
    expect(storedFileName('half\ud83e.pdf').isWellFormed()).toBe(true);
  });

  test.each([
    ['a.PDF', 'pdf'],
    ['a.tar.gz', 'gz'],
    ['a.pdf.', ''],
    ['.pdf', ''],
    ['pdf', ''],
    ['a.pdf:evil.exe', 'exe'],
  ])('%j ends in %j', (name, extension) => {
    expect(extensionOf(name)).toBe(extension);
  });
});
