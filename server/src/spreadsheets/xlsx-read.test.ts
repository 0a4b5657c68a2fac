import { text } from '@tenure/contract';
import { describe, expect, test } from 'vitest';
import {
  inline,
  readWhole,
  refusalOf,
  row,
  temporaryFiles,
  workbookParts,
  zipOf,
  type Parts,
} from '../testing/sheet-fixtures.ts';

const file = temporaryFiles();
const STYLES =
  '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/><numFmt numFmtId="165" formatCode="00000"/>' +
  '<numFmt numFmtId="166" formatCode="[$-407]00000;@"/></numFmts>' +
  '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
  '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs></styleSheet>';
const ROWS = row(inline('name')) + row(inline('Ann'));

async function read(sheet_data: string, changes?: Parts) {
  return readWhole(file(await zipOf(workbookParts(sheet_data, changes))), 'xlsx');
}

/** The only cell of a sheet with one column, as read. */
async function readCell(cell: string, changes?: Parts): Promise<string> {
  const { rows } = await read(row(inline('value')) + row(cell), changes);
  return rows[0]!.cells[0]!;
}

describe('cells', () => {
  test.each([
    ['an inline text', inline('a &lt; b &#233;'), 'a < b é'],
    [
      'a text in several runs',
      '<c t="inlineStr"><is><r><t>An</t></r><r><t>na</t></r><rPh><t>x</t></rPh></is></c>',
      'Anna',
    ],
    ['a text with an escaped character', inline('a_x000D_b'), 'a\rb'],
    ['a text as a formula gives it', '<c t="str"><v>typed</v></c>', 'typed'],
    ['a CDATA section', inline('<![CDATA[<b>]]>'), '<b>'],
    ['a number', '<c><v>0.30000000000000004</v></c>', '0.3'],
    ['a true boolean', '<c t="b"><v>1</v></c>', 'true'],
    ['a false boolean', '<c t="b"><v>0</v></c>', 'false'],
    ['an error', '<c t="e"><v>#REF!</v></c>', '#REF!'],
    ['a date by a built-in format', '<c s="1"><v>45000</v></c>', '2023-03-15'],
    ['a date by a format of the file', '<c s="2"><v>45000</v></c>', '2023-03-15'],
    ['a number beside dates', '<c s="0"><v>45000</v></c>', '45000'],
    ['a number with zeros before it', '<c s="3"><v>1067</v></c>', '01067'],
    ['a postcode', '<c s="4"><v>1067</v></c>', '01067'],
    ['a longer number than its format', '<c s="3"><v>1234567</v></c>', '1234567'],
    ['a fraction or a debt in such a format', '<c s="3"><v>-10.5</v></c>', '-10.5'],
    ['an ISO date', '<c t="d"><v>2023-03-15T00:00:00</v></c>', '2023-03-15'],
    ['a text that begins like a formula', inline("'=1+1"), "'=1+1"],
  ])('%s', async (_, cell, expected) => {
    expect(await readCell(cell, { 'xl/styles.xml': STYLES })).toBe(expected);
  });

  test('texts that cells share', async () => {
    const shared =
      '<sst><si><t>name</t></si><si><t xml:space="preserve"> Zoë 🌸 </t></si>' +
      '<si><r><t>Hà </t></r><r><t>Nội</t></r><rPh sb="0" eb="1"><t>kana</t></rPh></si></sst>';
    const cells = [0, 1, 2].map((index) => row(`<c t="s"><v>${index}</v></c>`)).join('');
    const { header, rows } = await read(cells, { 'xl/sharedStrings.xml': shared });
    expect([header, ...rows.map((line) => line.cells)]).toEqual([['name'], [' Zoë 🌸 '], ['Hà Nội']]);
  });

  test('dates of the 1904 system', async () => {
    const { 'xl/workbook.xml': plain } = workbookParts('');
    const workbook = String(plain).replace('<sheets>', '<workbookPr date1904="1"/><sheets>');
    expect(await readCell('<c s="1"><v>43538</v></c>', { 'xl/styles.xml': STYLES, 'xl/workbook.xml': workbook })).toBe(
      '2023-03-15',
    );
  });

  test('a formula is pointed out with the value stored beside it, and never evaluated', async () => {
    const { rows } = await read(
      row(inline('a'), inline('b'), inline('c')) +
        row(inline('x'), '<c><f>1+1</f><v>3</v></c>', '<c t="str"><f t="shared" si="0"/><v>HYPERLINK</v></c>'),
    );
    expect(rows).toEqual([{ row: 2, cells: ['x', '3', 'HYPERLINK'], formulas: [1, 2], surplus: 0 }]);
  });
});

describe('rows and sheets', () => {
  test('rows and cells keep their places across gaps', async () => {
    const { header, rows } = await read(
      `<row r="2"><c r="A2" t="str"><v>a</v></c><c r="B2" t="str"><v>b</v></c></row>` +
        `<row r="5"><c r="B5"><v>1</v></c><c r="D5"><v>2</v></c><c r="GS5"><v>3</v></c></row>` +
        `<row r="6" spans="1:2"/><row><c><v>4</v></c></row>`,
    );
    expect(header).toEqual(['a', 'b']);
    expect(rows).toEqual([
      { row: 5, cells: ['', '1'], formulas: [], surplus: 2 },
      { row: 7, cells: ['4', ''], formulas: [], surplus: 0 },
    ]);
  });

  test('the first worksheet is read, whatever its part is called and whatever stands before it', async () => {
    const { header } = await read('', {
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="r1" Type="x/chartsheet" Target="chartsheets/sheet1.xml"/>' +
        '<Relationship Id="r2" Type="x/worksheet" Target="/xl/worksheets/sheet9.xml"/>' +
        '<Relationship Id="r3" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
      'xl/workbook.xml':
        '<x:workbook xmlns:x="y" xmlns:q="z"><x:sheets><x:sheet q:id="r1"/><x:sheet q:id="r2"/><x:sheet q:id="r3"/>' +
        '</x:sheets></x:workbook>',
      'xl/worksheets/sheet9.xml': `<x:worksheet xmlns:x="y"><x:sheetData><x:row><x:c t="str"><x:v>ninth</x:v></x:c></x:row>
        <x:row><x:c><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
    });
    expect(header).toEqual(['ninth']);
  });

  const sheets = (states: readonly string[], contents: readonly string[]): Parts => ({
    'xl/_rels/workbook.xml.rels': `<Relationships>${contents.map((_, n) => `<Relationship Id="r${n}" Type="x/worksheet" Target="worksheets/s${n}.xml"/>`).join('')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns:r="z"><sheets>${contents.map((_, n) => `<sheet name="Sheet ${n}" ${states[n] ? `state="${states[n]}"` : ''} r:id="r${n}"/>`).join('')}</sheets></workbook>`,
    ...Object.fromEntries(
      contents.map((content, n) => [
        `xl/worksheets/s${n}.xml`,
        `<worksheet><sheetData>${content}</sheetData></worksheet>`,
      ]),
    ),
  });

  test('hidden sheets are passed over, unless there are no others', async () => {
    const lists = row(inline('choices')) + row(inline('x'));
    const read = async (states: string[]) =>
      (await readWhole(file(await zipOf(workbookParts('', sheets(states, [lists, lists, ROWS])))), 'xlsx')).header;
    expect(await read(['hidden', 'veryHidden'])).toEqual(['name']);
    expect(await read(['visible', 'hidden', 'hidden'])).toEqual(['choices']);
    expect(await read(['hidden', 'hidden', 'hidden'])).toEqual(['choices']);
  });

  test.each([
    ['without rows', ''],
    ['with a title alone', row(inline('Please fill in'))],
  ])('a first sheet %s is named where there are other visible ones', async (_, first) => {
    const reading = async (contents: string[], states: string[] = []) =>
      readWhole(file(await zipOf(workbookParts('', sheets(states, contents)))), 'xlsx').then(
        () => null,
        ({ code, reason }) => [code, reason],
      );
    expect(await reading([first, ROWS])).toEqual(['no_rows', text('files.no_rows_in_sheet', { sheet: 'Sheet 0' })]);
    const alone = await reading([first]);
    expect(alone).toEqual([first === '' ? 'empty' : 'no_rows', expect.anything()]);
    // a hidden sheet contains choices, not rows
    expect(await reading([first, ROWS], ['', 'hidden'])).toEqual(alone);
  });

  test('a part outside the worksheets is not read, wherever the workbook points', async () => {
    const rels = (target: string, mode = 'Internal') =>
      `<Relationships><Relationship Id="rId7" Type="x/worksheet" Target="${target}" TargetMode="${mode}"/></Relationships>`;
    for (const target of [
      '../../etc/passwd',
      'file:///etc/passwd',
      '/xl/worksheets/../../secret.xml',
      'worksheets/absent.xml',
    ]) {
      const parts = { 'xl/_rels/workbook.xml.rels': rels(target) };
      expect(await refusalOf(read(ROWS, parts))).toBe('not_a_workbook');
    }
    const external = { 'xl/_rels/workbook.xml.rels': rels('worksheets/sheet1.xml', 'External') };
    expect(await refusalOf(read(ROWS, external))).toBe('not_a_workbook');
  });

  test.each([
    ['no rows at all', '', 'empty'],
    ['a header only', row(inline('a')), 'no_rows'],
    ['a heading twice', row(inline('a'), inline('A ')) + row(inline('1')), 'header_twice'],
    ['a column without a heading', row(inline('a'), '<c/>', inline('c')) + row(inline('1')), 'header_missing'],
    ['201 columns', row('<c r="A1"><v>1</v></c><c r="GS1"><v>2</v></c>') + row(inline('1')), 'too_many_columns'],
    ['a text that is not there', row(inline('a')) + row('<c t="s"><v>0</v></c>'), 'malformed'],
    ['rows out of order', `<row r="3">${inline('a')}</row><row r="3">${inline('b')}</row>`, 'malformed'],
    ['a cell without a place', row('<c r="1"><v>1</v></c>'), 'malformed'],
    ['a cell longer than a spreadsheet allows', row(inline('a')) + row(inline('x'.repeat(32_768))), 'cell_too_long'],
  ])('%s is refused', async (_, sheet_data, code) => {
    expect(await refusalOf(read(sheet_data))).toBe(code);
  });

  test('200,001 rows are refused', async () => {
    const data =
      row(inline('a')) + Array.from({ length: 200_001 }, (_, index) => `<row><c><v>${index}</v></c></row>`).join('');
    expect(await refusalOf(read(data))).toBe('too_many_rows');
  });
});
