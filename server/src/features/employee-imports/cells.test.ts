import { sentencesOf } from '../../testing/sentences.ts';
import { expect, test } from 'vitest';
import { readDate } from '../../imports/dates.ts';
import type { DateFormat } from '../../imports/dates.ts';
import { readMeanings, readValues, withDefaults } from './cells.ts';
import { meaningOf } from '../../imports/cells.ts';

test('a blank cell keeps the field, a single dash clears it, an escaped dash is a dash', () => {
  expect(['', '  ', '-', ' - ', "'-", ' Ann ', "''-"].map(meaningOf)).toEqual([
    undefined,
    undefined,
    null,
    null,
    '-',
    'Ann',
    "'-",
  ]);
  expect(
    readMeanings(
      ['Ann', ''],
      new Map([
        ['first_name', 0],
        ['last_name', 1],
        ['grade', 7],
      ] as const),
    ),
  ).toEqual({
    first_name: 'Ann',
  });
});

test.each<[DateFormat, string, string]>([
  ['YYYY-MM-DD', '2026-2-3', '2026-02-03'],
  ['YYYY/MM/DD', '2026/02/03', '2026-02-03'],
  ['YYYYMMDD', '20260203', '2026-02-03'],
  ['DDMMYYYY', '03022026', '2026-02-03'],
  ['DD/MM/YYYY', '3/2/2026', '2026-02-03'],
  ['MM/DD/YYYY', '2/3/2026', '2026-02-03'],
  ['DD.MM.YYYY', '03.02.2026', '2026-02-03'],
  ['DD-MM-YYYY', '03-02-2026', '2026-02-03'],
  ['DD-MM-YYYY', '2026-02-03', '2026-02-03'],
  ['DD/MM/YYYY', '03.02.2026', '03.02.2026'],
  ['DD/MM/YYYY', '3/2/26', '2026-02-03'],
  ['MM/DD/YYYY', '2/3/49', '2049-02-03'],
  ['DD.MM.YYYY', '3.2.50', '1950-02-03'],
  ['DD-MM-YYYY', '03-02-99', '1999-02-03'],
  ['DD.MM.YYYY', '3.2.026', '3.2.026'],
  ['YYYY-MM-DD', '26-02-03', '26-02-03'],
])('dates in the form %s: %s', (format, text, day) => {
  expect(readDate(text, format)).toBe(day);
});

test('the last day of the calendar is no day', () => {
  const days = { joining_date: '1.2.2020', last_working_date: '31.12.9999' };
  expect(readValues(days, 'DD.MM.YYYY')).toEqual({ sent: { joining_date: '2020-02-01' }, errors: {} });
});

test('values are read like form input; choices in any case, with spaces or hyphens', () => {
  const { sent, errors } = readValues(
    { email: 'Ann@Example.COM', gender: 'F', employment_type: 'Part-Time', marital_status: 'SINGLE', grade: null },
    'YYYY-MM-DD',
  );
  expect(errors).toEqual({});
  expect(sent).toEqual({
    email: 'ann@example.com',
    gender: 'female',
    employment_type: 'part_time',
    marital_status: 'single',
    grade: null,
  });
});

test('an invalid value is reported under the name of its field', () => {
  const { sent, errors } = readValues(
    {
      email: 'nowhere',
      first_name: 'x'.repeat(101),
      last_name: null,
      joining_date: '31/02/2026',
      employee_number: 'a b',
      gender: 'x',
      phone: 'no',
      employment_type: null,
      nationality: 'a\u0000b',
    },
    'DD/MM/YYYY',
  );
  expect(sent).toEqual({});
  expect(sentencesOf(errors)).toEqual({
    email: ['The email field must be a valid email address.'],
    first_name: ['The first name field must not be greater than 100 characters.'],
    last_name: ['The last name field is required.'],
    joining_date: ['The start date field must be a valid date.'],
    employee_number: ['The employee number field format is invalid.'],
    gender: ['“x” isn’t an option. Use one of: Male, Female, Other.'],
    phone: expect.any(Array),
    employment_type: ['The employment type field is required.'],
    nationality: ['The nationality field contains invalid characters.'],
  });
});

test('a date in another format is answered with the format of the file', () => {
  const { errors } = readValues({ joining_date: '12.03.2024' }, 'YYYY-MM-DD');
  expect(sentencesOf(errors)).toEqual({ joining_date: ['“12.03.2024” isn’t a date in the format YYYY-MM-DD.'] });
});

test('defaults fill blank cells, unless the file contradicts them', () => {
  const defaults = { entity_id: 3, grade: 'T1', job_title: 'Clerk', department: 'Sales' };
  expect(withDefaults({ entity: 'Acme', grade: null, department_id: '4' }, defaults)).toEqual({
    entity: 'Acme',
    grade: null,
    job_title: 'Clerk',
    department_id: '4',
  });
});
