import { describe, expect, test } from 'vitest';
import { facesFor } from './faces.ts';
import type { Face } from './faces.ts';
import { linesOf } from './lines.ts';

const isolated = (name: string) => `\u2068${name}\u2069`;

/** Every character is one unit wide. */
const lines = (text: string, width = 80) =>
  linesOf(text, { faceOf: facesFor(text, 'plain'), measure: (_face: Face, piece: string) => piece.length, width });
const seen = (text: string, width?: number) =>
  lines(text, width).map(({ pieces }) => pieces.map((piece) => piece.text).join(''));

describe('the visual order of a line', () => {
  test('is that of the text without right-to-left characters', () => {
    expect(seen('Lena Park, 2 May 2026')).toEqual(['Lena Park, 2 May 2026']);
  });

  test('reverses Arabic and Hebrew words, whose letters the font engine reverses', () => {
    expect(seen('from محمد علي on')).toEqual(['from علي محمد on']);
    expect(seen('from שרה כהן on')).toEqual(['from כהן שרה on']);
  });

  test('keeps the numbers after a name in place', () => {
    expect(seen(`Dear ${isolated('محمد علي')}, 2026: fine`)).toEqual(['Dear علي محمد, 2026: fine']);
    expect(seen(`${isolated('שרה כהן')} (A-13)`)).toEqual(['כהן שרה (A-13)']);
  });

  test('of a right-to-left text starts on the right with mirrored brackets', () => {
    const [line] = lines('שלום (עולם) Tenure 12');
    expect(line?.isRightToLeft).toBe(true);
    expect(line?.pieces.map(({ text }) => text)).toEqual(['Tenure', ' ', '12', ' ', '(', 'עולם', ')', ' ', 'שלום']);
  });

  test('contains no control characters', () => {
    expect(seen('a\u200eb\u200e c\u200bd\u2009e')).toEqual(['ab cd e']);
  });
});

describe('the lines of a text', () => {
  test('break between words, and inside a word that is wider than a line', () => {
    expect(seen('one two three four', 9)).toEqual(['one two', 'three', 'four']);
    expect(seen(`a ${'x'.repeat(25)} b`, 10)).toEqual(['a xxxxxxxx', 'xxxxxxxxxx', 'xxxxxxx b']);
  });

  test('break between ideographs, but not before closing punctuation', () => {
    expect(seen('王小明，您好。', 3)).toEqual(['王小', '明，您', '好。']);
  });

  test('include one line for each line feed, also empty ones', () => {
    expect(seen('one\n\ntwo\r\nthree')).toEqual(['one', '', 'two', 'three']);
  });

  test('compose a letter and its mark, as the fonts have them', () => {
    expect(seen('Zoe\u0308')).toEqual(['Zoë']);
  });

  test('of 5,000 characters take under a second', () => {
    const text = '王小明 and محمد علي met. '.repeat(250);
    const before = process.threadCpuUsage();
    expect(lines(text).length).toBeGreaterThan(50);
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(2_000);
  });
});

describe('the face of a character', () => {
  const families = (text: string, country?: string) =>
    Array.from(text, (one) => facesFor(text, 'plain', country)(one.codePointAt(0) ?? 0).name.split('/')[1]);

  test.each([
    ['Zoë Łukasz Đặng Ελένη Иван', 'noto-sans'],
    ['محمد', 'noto-sans-arabic'],
    ['שרה', 'noto-sans-hebrew'],
    ['王小明', 'noto-sans-sc'],
    ['やまだ太郎', 'noto-sans-jp'],
    ['김철수', 'noto-sans-kr'],
  ])('of %s is in %s', (text, family) => {
    expect(new Set(families(text.replaceAll(' ', '')))).toEqual(new Set([family]));
  });

  test('that countries draw differently is that of the country', () => {
    expect(families('直', 'JP')).toEqual(['noto-sans-jp']);
    expect(families('直', 'KR')).toEqual(['noto-sans-kr']);
    expect(families('直')).toEqual(['noto-sans-sc']);
  });
});
