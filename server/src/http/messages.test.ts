import { messages, requiredFields } from '@tenure/contract';
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import {
  boolean,
  changes,
  date,
  email,
  id,
  integer,
  number,
  oneOf,
  password,
  pattern,
  phone,
  text,
} from '../../../contract/src/fields.ts';
import { inEnglish } from '../languages/languages.ts';
import { say } from './errors.ts';
import type { Message } from './errors.ts';
import { parseInput } from './validation.ts';

const english = (field: string, message: Message) => inEnglish(say(field, message));

/** The result of a schema for an input, with its messages in English. */
function parsedAs(schema: z.ZodObject, input: Record<string, unknown>) {
  const parsed = parseInput(schema, input);
  if ('value' in parsed) return parsed;
  const errors = Object.entries(parsed.errors).map(([field, said]) => [field, said.map(inEnglish)]);
  return { errors: Object.fromEntries(errors) as Record<string, string[]> };
}

/** The messages about one field with this value. */
function said(field: z.ZodType, value: unknown, name = 'start_date'): string[] {
  const parsed = parseInput(z.object({ [name]: field }), value === undefined ? {} : { [name]: value });
  return 'errors' in parsed ? Object.values(parsed.errors).flat().map(inEnglish) : [];
}
const got = (field: z.ZodType, value: unknown) => {
  const parsed = parseInput(z.object({ x: field }), { x: value });
  return 'value' in parsed ? parsed.value.x : parsed.errors;
};
const the = (rest: string) => [`The start date field ${rest}`];

describe('each rule has its words', () => {
  test.each<[string, z.ZodType, unknown, string[]]>([
    ['required', text(), undefined, the('is required.')],
    ['required, null', text(), null, the('is required.')],
    ['a password that is empty', password(), '', the('is required.')],
    ['string', text(), 7, the('must be a string.')],
    ['string, a list', text(), ['a'], the('must be a string.')],
    ['integer', integer(), 'abc', the('must be an integer.')],
    ['number', number(0, 10), 'abc', the('must be a number.')],
    ['array', z.array(text()), 'a', the('must be an array.')],
    ['boolean', boolean(), 'yes', the('must be true or false.')],
    ['email', email(), 'ada', the('must be a valid email address.')],
    ['enum', oneOf(['a', 'b']), 'c', ['The selected start date is invalid.']],
    ['enum, another type', oneOf(['a', 'b']), 7, ['The selected start date is invalid.']],
    ['fewest characters', text(10, 3), 'ab', the('must be at least 3 characters.')],
    ['least', integer(1, 9), 0, the('must be at least 1.')],
    ['fewest items', z.array(text()).min(1), [], the('must have at least 1 item.')],
    ['most characters', text(3), 'abcd', the('must not be greater than 3 characters.')],
    ['most', number(0, 9), 9.5, the('must not be greater than 9.')],
    ['most items', z.array(text()).max(1), ['a', 'b'], the('must not have more than 1 item.')],
    ['date', date(), '2026-02-30', the('must be a valid date.')],
    ['format', pattern(/^[a-z]*$/, 9), 'A', the('format is invalid.')],
    ['phone', phone(), 'abc', [...the('must be at least 5 characters.'), ...the('format is invalid.')]],
    ['invalid characters', text(), 'a\u0000', the('contains invalid characters.')],
  ])('%s', (_rule, field, value, expected) => {
    expect(said(field, value)).toEqual(expected);
  });

  test('and the rules of the service use the same ones', () => {
    const { after, afterOrEqual, before, beforeOrEqual } = messages;
    const dates = [after, afterOrEqual, before, beforeOrEqual].map((date) => english('start_date', date('2026-01-01')));
    const fixed = Object.entries(messages).flatMap(([name, message]) =>
      typeof message === 'function' ? [] : [`${name}: ${english('start_date', message)}`],
    );
    const filled = [...fixed, ...dates];
    expect(filled).toEqual(
      expect.arrayContaining([
        'taken: The start date has already been taken.',
        'selected: The selected start date is invalid.',
        'confirmed: The start date field confirmation does not match.',
        'prohibited: The start date field is prohibited.',
        'url: Enter a link that starts with https:// or http://.',
        'unavailable: This start date isn’t available. Select another one.',
        'uuid: The start date field must be a valid UUID.',
        'file: The start date field must be a file.',
        'image: The start date field must be an image.',
        'currentPassword: The password is incorrect.',
        'The start date field must be a date after 2026-01-01.',
        'The start date field must be a date after or equal to 2026-01-01.',
        'The start date field must be a date before 2026-01-01.',
        'The start date field must be a date before or equal to 2026-01-01.',
      ]),
    );
  });

  test('fields inside lists are named by their place', () => {
    const schema = z.object({ line_items: z.array(z.object({ unit_price: number(0, 9) })) });
    const parsed = parsedAs(schema, { line_items: [{ unit_price: 1 }, { unit_price: 'x' }, {}, 7] });
    expect(parsed).toEqual({
      errors: {
        'line_items.1.unit_price': ['The line items 2 unit price field must be a number.'],
        'line_items.2.unit_price': ['The line items 3 unit price field is required.'],
        'line_items.3': ['The line items 4 field must be an array.'],
      },
    });
  });

  test('all fields are checked at once, and every rule that fails reports', () => {
    const schema = z.object({ code: pattern(/^[A-Z]*$/, 3), name: text(5, 2), size: integer(1) });
    expect(parsedAs(schema, { code: 'abcd', name: 'a' })).toEqual({
      errors: {
        code: ['The code field must not be greater than 3 characters.', 'The code field format is invalid.'],
        name: ['The name field must be at least 2 characters.'],
        size: ['The size field is required.'],
      },
    });
  });
});

describe('what a type takes', () => {
  test.each<[string, z.ZodType, unknown[], unknown[]]>([
    [
      'integer',
      integer(),
      [5, '5', 5.0, 0, '0', -3, '-3', 2 ** 31 - 1, String(2 ** 31 - 1), -(2 ** 31)],
      [
        '05',
        5.5,
        '1e3',
        true,
        '',
        ' 5',
        '+5',
        '0x10',
        2 ** 31,
        String(2 ** 31),
        '5.0',
        NaN,
        Infinity,
        [5],
        {},
        '-0',
        '٥',
      ],
    ],
    ['id', id(), [1, '7', 2 ** 53 - 1], ['abc', 1.5, true, [1], '1e3', 2 ** 53]],
    [
      'number',
      number(-100, 100),
      [12.5, '12.50', 5, '5', -1, '-1.5', 0],
      ['NaN', NaN, Infinity, 'Infinity', '1e3', '.5', '5.', '05', '1,5', true, [1], {}, '0x1'],
    ],
    ['boolean', boolean(), [true, false, 1, 0, '1', '0', 'true', 'false'], ['yes', 'TRUE', 2, '2', '', [], {}, 'on']],
    [
      'date',
      date(),
      ['2026-11-21', '2024-02-29', '0001-01-01', '9999-12-31'],
      [
        '2026-02-29',
        '1900-02-29',
        '2026-13-01',
        '2026-00-10',
        '2026-11-31',
        '21.11.2026',
        'today',
        '2026-1-1',
        20261121,
        '2026-11-21T00:00:00Z',
        '0000-01-01',
        true,
        [],
        {},
        '٢٠٢٦-11-21',
      ],
    ],
    [
      'email',
      email(),
      ['a@b', 'ü@x.de', 'a.b+c@x.co.uk', "o'brien@x.de", `${'a'.repeat(180)}@x.example`],
      [
        'a@b..c',
        '@b',
        'a@',
        'a@@b',
        'a b@c',
        'a@b c',
        'a@.b',
        'a@b.',
        'a\n@b',
        `${'a'.repeat(190)}@x`,
        7,
        [],
        'a\u007f@b',
      ],
    ],
    ['enum', oneOf(['a', 'b']), ['a', 'b'], ['A', 'a ', 'c', 1, true, ['a'], {}]],
  ])('%s', (_type, field, good, bad) => {
    for (const value of good) expect([value, said(field, value)]).toEqual([value, []]);
    for (const value of bad) expect([value, said(field, value).length]).toEqual([value, 1]);
  });

  test('numbers in texts become numbers, and addresses small letters', () => {
    expect([got(integer(), '5'), got(number(0, 99), '12.50'), got(boolean(), '0')]).toEqual([5, 12.5, false]);
    expect(got(email(), 'Ada@EXAMPLE.com')).toBe('ada@example.com');
  });

  test('nothing is checked in a field that may be empty and is', () => {
    for (const value of [null, undefined]) expect(said(text(3, 2).nullish(), value)).toEqual([]);
    expect(said(integer(1).nullish(), null)).toEqual([]);
  });

  test('null where nothing is not allowed is of the wrong type', () => {
    const schema = z.object({ weight: integer().optional(), name: text().optional() });
    expect(parsedAs(schema, { weight: null, name: null })).toEqual({
      errors: { weight: ['The weight field must be an integer.'], name: ['The name field must be a string.'] },
    });
  });
});

test('an update may leave everything out, and empty nothing that a create demands', () => {
  const update = changes(z.object({ name: text(), note: text().nullish(), size: integer().optional() }), {
    force: boolean().optional(),
  });
  expect(requiredFields(update)).toEqual(['name']);
  expect(parsedAs(update, {})).toEqual({ value: {} });
  expect(parsedAs(update, { name: null, note: null })).toEqual({ errors: { name: ['The name field is required.'] } });
  expect(parsedAs(update, { note: null, unknown: 1 })).toEqual({ value: { note: null } });
});

test('a hundred kilobytes made to be slow are checked in no time', () => {
  // for this thread only, so that a busy machine makes nothing slower
  const before = process.threadCpuUsage();
  for (const field of [email(), phone(), date(), integer(), number(0, 1), pattern(/^[A-Za-z0-9._/-]*$/, 20)])
    for (const hostile of [
      'a'.repeat(100_000),
      `${'a.'.repeat(50_000)}@`,
      `a@${'a.'.repeat(50_000)}`,
      `${'1'.repeat(100_000)}x`,
      '@'.repeat(100_000),
    ])
      expect(said(field, hostile).length).toBeGreaterThan(0);
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(1_500);
});
