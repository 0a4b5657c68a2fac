import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { orderIn, patternIn, readDay, regionOf } from './typed-day.ts';

const british = { locale: 'en-GB', order: orderIn('en-GB'), now: 2026 };
const american = { locale: 'en-GB', order: orderIn('en-US'), now: 2026 };
const german = { locale: 'de-DE', order: orderIn('de-DE'), now: 2026 };

describe('a typed day', () => {
  test.each([
    ['2/8/2026', british, '2026-08-02'],
    ['8/2/2026', american, '2026-08-02'],
    ['2.8.2026', german, '2026-08-02'],
    ['02 - 08 - 2026', british, '2026-08-02'],
    ['2026-08-02', american, '2026-08-02'],
    ['2026-8-2', british, '2026-08-02'],
    ['2 Aug 2026', british, '2026-08-02'],
    ['2 august 2026', british, '2026-08-02'],
    ['Aug 2, 2026', american, '2026-08-02'],
    ['2 Sept 2026', british, '2026-09-02'],
    ['2. März 2026', german, '2026-03-02'],
    ['2. Mai 2026', german, '2026-05-02'],
    ['29/2/2028', british, '2028-02-29'],
  ])('%s is read', (text, reader, day) => {
    expect(readDay(text, reader)).toBe(day);
  });

  test.each(['', '2', '2/8', '2/8/', '2/8/2', '2/8/20', '2/8/202', '2/8/20266', '30/2/2026', '29/2/2027', '0/8/2026'])(
    '%j is none while it is typed',
    (text) => expect(readDay(text, british)).toBeUndefined(),
  );

  test.each(['31/4/2026', '2/13/2026', '2 Ju 2026', '2 Foo 2026', '2 Aug', '1/2/3/2026', '002/8/2026', '2/8/0026'])(
    '%j is none',
    (text) => expect(readDay(text, { ...british, isDone: true })).toBeUndefined(),
  );

  test.each([
    ['2/8/26', '2026-08-02'],
    ['2/8/45', '2045-08-02'],
    ['2/8/46', '1946-08-02'],
    ['2/8/99', '1999-08-02'],
  ])('%s has a short year once it is complete', (text, day) => {
    expect(readDay(text, { ...british, isDone: true })).toBe(day);
  });

  test('every day comes back as it is written in any order, in digits and in words', () => {
    const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(day, fc.constantFrom('en-GB', 'en-US', 'de-DE', 'sv-SE', 'fr-FR'), (date, locale) => {
        const reader = { locale, order: orderIn(locale) };
        const iso = date.toISOString().slice(0, 10);
        for (const month of ['2-digit', 'long', 'short'] as const) {
          const style = { day: '2-digit', month, year: 'numeric', timeZone: 'UTC' } as const;
          expect(readDay(new Intl.DateTimeFormat(locale, style).format(date), reader)).toBe(iso);
        }
      }),
    );
  });
});

test('the browser says the region, if it speaks the language of the page', () => {
  expect(regionOf('en-GB', ['de-AT', 'en-US', 'en-GB'])).toBe('en-US');
  expect(regionOf('en-GB', ['en', 'de-DE'])).toBe('en-GB');
  expect(regionOf('de-DE', ['de-AT'])).toBe('de-AT');
});

test('the pattern shows how a day is typed', () => {
  const words = { day: 'dd', month: 'mm', year: 'yyyy' };
  expect(patternIn('en-GB', words)).toBe('dd/mm/yyyy');
  expect(patternIn('en-US', words)).toBe('mm/dd/yyyy');
  expect(patternIn('de-DE', { day: 'TT', month: 'MM', year: 'JJJJ' })).toBe('TT.MM.JJJJ');
  expect(orderIn('sv-SE')).toEqual(['year', 'month', 'day']);
});
