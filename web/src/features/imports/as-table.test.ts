import { expect, test } from 'vitest';
import fc from 'fast-check';
import { asTable } from './as-table.ts';

test('a list of SAP: bars as a frame and between columns, lines of dashes, titles above', () => {
  const list = [
    '\uFEFFPersonalliste   30.11.2026',
    '-----------------------------------------',
    '|Pers.Nr.|Nachname        |Vorn.  |Eintr.|',
    '|--------|----------------|-------|------|',
    '|00004711|Glowacki, Dr.   |Marek  |010415|',
    '|00004712|"Huber"; geb. K |Lea    |      |',
    '-----------------------------------------',
    '2 Personen',
  ].join('\r\n');
  expect(asTable(list)).toEqual({
    isByPlace: false,
    text: [
      '"Personalliste   30.11.2026"',
      '',
      '"Pers.Nr.";"Nachname";"Vorn.";"Eintr."',
      '',
      '"00004711";"Glowacki, Dr.";"Marek";"010415"',
      '"00004712";"""Huber""; geb. K";"Lea";""',
      '',
      '"2 Personen"',
    ].join('\n'),
  });
  expect(asTable('Name|First name|Mail\nLee|Ann|ann@a.example')?.text).toBe(
    '"Name";"First name";"Mail"\n"Lee";"Ann";"ann@a.example"',
  );
});

/** Lines whose cells start at the same positions; the last column is right-aligned. */
function atPlaces(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)) + 1);
  const last = widths.length - 1;
  const padded = (cell: string, column: number) =>
    column === last ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(padded).join('').trimEnd()).join('\r\n');
}
const asCsv = (rows: readonly (readonly string[])[]) =>
  rows.map((row) => row.map((cell) => `"${cell}"`).join(';')).join('\n');

test('the file of a payroll program: each column at its place, below a title', () => {
  const rows = [
    ['PNR', 'NACHNAME', 'VORNAME', 'EINTRITT', 'STUNDEN'],
    ['00301', 'von Iversen', 'Stine', '01.04.2018', '40,0'],
    ['00302', 'Jansen, Dr.', 'Okke', '', '5'],
    ['00303', 'Kröger', 'Ida Luise', '17.11.2024', '38,5'],
  ];
  const title = 'LOHNBÜRO NORD   MANDANT 00815';
  expect(asTable(`${title}\r\n\r\n${atPlaces(rows)}\r\n`)).toEqual({
    isByPlace: true,
    text: `"${title}"\n\n${asCsv(rows)}\n`,
  });
});

const word = fc.stringMatching(/^[A-Za-zäöüß0-9.]{1,12}$/).filter((one) => /[\p{L}\p{N}]/u.test(one));

test('a sum below the columns is a row of one cell, which is no person', () => {
  const rows = [
    ['NR', 'NAME', 'ORT'],
    ['1', 'Iversen', 'Kiel'],
    ['2', 'Jansen', 'Husum'],
  ];
  expect(asTable(`${atPlaces(rows)}\nAnzahl: zwei Personen`)?.text).toBe(`${asCsv(rows)}\n"Anzahl: zwei Personen"`);
});

test('any table at places is read as it is', () => {
  const cell = fc.option(word, { nil: '' });
  const table = fc.integer({ min: 3, max: 6 }).chain((columns) => {
    const row = fc.tuple(word, ...Array.from({ length: columns - 1 }, () => cell));
    const headings = fc.uniqueArray(word, { minLength: columns, maxLength: columns });
    return fc.tuple(headings, fc.array(row, { minLength: 2, maxLength: 8 }));
  });
  fc.assert(
    fc.property(table, ([headings, rows]) => {
      const all = [headings, ...rows];
      expect(asTable(atPlaces(all))?.text).toBe(asCsv(all));
    }),
  );
});

test.each([
  ['separated values', 'Name,Mail,Team\nLee Ann,a@a.example,Red Blue\nKay Bob,b@b.example,Red Blue'],
  ['separated values below a title', 'Staff of dock\nName;Mail;Team\nAda;a@a.example;Red\nBo;b@b.example;Blue'],
  ['bars inside of cells', 'Name,Teams,Mail\nLee,red|blue|green,a@a.example\nKay,red|blue|green,b@b.example'],
  [
    'separated values above lines of text',
    'Name,Mail,Team\nAda,a@a.example,Red\nRead this\nOne two three four\nA bcd efghi jklm\nAb cd efghi jklm',
  ],
  ['tabs', 'Name\tFirst name\tMail\nLee\tAnn\ta@a.example\nKay\tBob\tb@b.example'],
  ['one column', 'Name\nAnn Lee\nBob Kay\nCy Orr'],
  ['headings alone', 'Name First Mail'],
  ['an empty file', ''],
])('%s are no such list', (_, text) => {
  expect(asTable(text)).toBeUndefined();
});
