import { text } from '@tenure/contract/texts';
import { SheetRefused } from './refusal.ts';
import type { Archive } from './xlsx-archive.ts';
import { isDateFormat } from './xlsx-values.ts';
import { parseXml } from './xlsx-xml.ts';

// What describes a workbook is small, however many rows it has.
const DESCRIPTION_BYTES = 16 * 1024 * 1024;
const SHEET_PART = /^xl\/worksheets\/[\w-]+\.xml$/i;

export interface Workbook {
  /** Name of the part that holds the first worksheet. */
  sheet: string;
  date1904: boolean;
  /** By the style number of a cell: whether its number is a date. */
  date_styles: boolean[];
}

export async function readWorkbook(archive: Archive): Promise<Workbook> {
  await refuseMacros(archive);
  const worksheets = await readWorksheets(archive);
  let sheet: string | undefined;
  let date1904 = false;
  await parseXml(archive.part('xl/workbook.xml', DESCRIPTION_BYTES), {
    open: (name, attributes) => {
      if (name === 'workbookPr') date1904 = isTrue(attributes['date1904']);
      else if (name === 'sheet') sheet ??= worksheets.get(relationOf(attributes));
    },
  });
  if (sheet === undefined || !archive.has(sheet)) {
    throw new SheetRefused('not_a_workbook', text('files.no_worksheet'));
  }
  return { sheet, date1904, date_styles: await readDateStyles(archive) };
}

async function refuseMacros(archive: Archive): Promise<void> {
  await parseXml(archive.part('[Content_Types].xml', DESCRIPTION_BYTES), {
    open: (_, attributes) => {
      if (/macroEnabled|vbaProject/i.test(attributes['ContentType'] ?? '')) {
        throw new SheetRefused('macros', text('files.macros'));
      }
    },
  });
}

/** Worksheet parts by relation; other parts (charts, dialogs, links to other files) are no sheets to read. */
async function readWorksheets(archive: Archive): Promise<Map<string, string>> {
  const worksheets = new Map<string, string>();
  await parseXml(archive.part('xl/_rels/workbook.xml.rels', DESCRIPTION_BYTES), {
    open: (name, { Id, Type, Target, TargetMode }) => {
      if (name !== 'Relationship' || Id === undefined || Target === undefined) return;
      if (!Type?.endsWith('/worksheet') || TargetMode === 'External') return;
      const part = Target.startsWith('/') ? Target.slice(1) : `xl/${Target.replace(/^\.\//, '')}`;
      if (SHEET_PART.test(part)) worksheets.set(Id, part);
    },
  });
  return worksheets;
}

function relationOf(attributes: Readonly<Record<string, string>>): string {
  // The prefix of the relationships namespace is the writer's choice.
  const key = Object.keys(attributes).find((name) => name.endsWith(':id'));
  return key === undefined ? '' : attributes[key]!;
}

async function readDateStyles(archive: Archive): Promise<boolean[]> {
  const styles: boolean[] = [];
  if (!archive.has('xl/styles.xml')) return styles;
  const codes = new Map<number, string>();
  let in_cell_formats = false;
  await parseXml(archive.part('xl/styles.xml', DESCRIPTION_BYTES), {
    open: (name, attributes) => {
      const id = Number(attributes['numFmtId']);
      if (name === 'numFmt') codes.set(id, attributes['formatCode'] ?? '');
      else if (name === 'cellXfs') in_cell_formats = true;
      else if (name === 'xf' && in_cell_formats) styles.push(isDateFormat(id, codes.get(id)));
    },
    close: (name) => {
      if (name === 'cellXfs') in_cell_formats = false;
    },
  });
  return styles;
}

function isTrue(text: string | undefined): boolean {
  return text === '1' || text === 'true';
}
