import { columnLetters } from './xlsx-values.ts';
import type { SheetColumn } from './sheet-write.ts';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const DEFAULT_WIDTH = 18;

export const HEADER_STYLE = 1;

export const ROOT_RELATIONS = relationships([`${OFFICE}/officeDocument`, 'xl/workbook.xml']);

/** Style 0 is plain, style 1 the bold header. */
export const STYLES =
  `${DECLARATION}<styleSheet xmlns="${MAIN}">` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

export function contentTypes(sheets: number): string {
  const parts = [
    override('/xl/workbook.xml', `${TYPES}.sheet.main+xml`),
    override('/xl/styles.xml', `${TYPES}.styles+xml`),
    ...upTo(sheets, (sheet) => override(`/xl/worksheets/sheet${sheet}.xml`, `${TYPES}.worksheet+xml`)),
  ];
  return (
    `${DECLARATION}<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${parts.join('')}</Types>`
  );
}

export function workbook(sheet_name: string, sheets: number): string {
  const list = upTo(sheets, (sheet) => {
    const name = sheet === 1 ? sheet_name : `${sheet_name} ${sheet}`;
    return `<sheet name="${name}" sheetId="${sheet}" r:id="rId${sheet}"/>`;
  });
  return `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${list.join('')}</sheets></workbook>`;
}

export function workbookRelations(sheets: number): string {
  const worksheets = upTo(sheets, (sheet) => [`${OFFICE}/worksheet`, `worksheets/sheet${sheet}.xml`] as const);
  return relationships(...worksheets, [`${OFFICE}/styles`, 'styles.xml']);
}

/** A worksheet's XML before its rows: the header stays visible, and columns have a readable width. */
export function sheetStart(columns: readonly SheetColumn[]): string {
  const widths = columns.map(({ width }, index) => {
    return `<col min="${index + 1}" max="${index + 1}" width="${width ?? DEFAULT_WIDTH}" customWidth="1"/>`;
  });
  return (
    `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${widths.join('')}</cols><sheetData>`
  );
}

/** A worksheet's XML after its rows. */
export function sheetEnd(columns: number, rows: number): string {
  return `</sheetData><autoFilter ref="A1:${columnLetters(columns - 1)}${rows}"/></worksheet>`;
}

function relationships(...targets: (readonly [type: string, target: string])[]): string {
  const list = targets.map(([type, target], index) => {
    return `<Relationship Id="rId${index + 1}" Type="${type}" Target="${target}"/>`;
  });
  return `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${list.join('')}</Relationships>`;
}

function override(part: string, type: string): string {
  return `<Override PartName="${part}" ContentType="${type}"/>`;
}

function upTo<T>(count: number, make: (number: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index + 1));
}
