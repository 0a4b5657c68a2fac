import { text } from '@tenure/contract/texts';
import { SheetRefused } from './refusal.ts';
import type { Archive } from './xlsx-archive.ts';
import { isDateFormat, zerosOf } from './xlsx-values.ts';
import { parseXml } from './xlsx-xml.ts';

// The parts that describe a workbook are small, however many rows it has.
const DESCRIPTION_BYTES = 16 * 1024 * 1024;
const SHEET_PART = /^xl\/worksheets\/[\w-]+\.xml$/i;

export interface Workbook {
  /** The first visible worksheet. */
  sheet: { name: string; part: string };
  /** Whether there are other visible worksheets, which are ignored. */
  has_others: boolean;
  date1904: boolean;
  /** By style number of a cell: whether its number is a date. */
  date_styles: boolean[];
  /** By style number of a cell: the minimum number of digits, 0 if the number is shown as it is. */
  zero_styles: number[];
}

export async function readWorkbook(archive: Archive): Promise<Workbook> {
  await refuseMacros(archive);
  const worksheets = await readWorksheets(archive);
  const sheets: { name: string; part: string; is_hidden: boolean }[] = [];
  let date1904 = false;
  await parseXml(archive.part('xl/workbook.xml', DESCRIPTION_BYTES), {
    open: (name, attributes) => {
      if (name === 'workbookPr') date1904 = isTrue(attributes['date1904']);
      else if (name !== 'sheet') return;
      const part = worksheets.get(relationOf(attributes));
      const is_hidden = /hidden/i.test(attributes['state'] ?? '');
      if (part !== undefined) sheets.push({ name: attributes['name'] ?? '', part, is_hidden });
    },
  });
  // hidden sheets contain the choices of lists, not rows
  const sheet = sheets.find(({ is_hidden }) => !is_hidden) ?? sheets[0];
  if (sheet === undefined || !archive.has(sheet.part)) {
    throw new SheetRefused('not_a_workbook', text('files.no_worksheet'));
  }
  return {
    sheet,
    has_others: sheets.some((one) => one !== sheet && !one.is_hidden),
    date1904,
    ...(await readStyles(archive)),
  };
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

/** Worksheet parts by relation; excludes other parts (charts, dialogs, links to other files). */
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
  // the writer chooses the prefix of the relationships namespace
  const key = Object.keys(attributes).find((name) => name.endsWith(':id'));
  return key === undefined ? '' : attributes[key]!;
}

async function readStyles(archive: Archive): Promise<Pick<Workbook, 'date_styles' | 'zero_styles'>> {
  const styles: Pick<Workbook, 'date_styles' | 'zero_styles'> = { date_styles: [], zero_styles: [] };
  if (!archive.has('xl/styles.xml')) return styles;
  const codes = new Map<number, string>();
  let in_cell_formats = false;
  await parseXml(archive.part('xl/styles.xml', DESCRIPTION_BYTES), {
    open: (name, attributes) => {
      const id = Number(attributes['numFmtId']);
      if (name === 'numFmt') codes.set(id, attributes['formatCode'] ?? '');
      else if (name === 'cellXfs') in_cell_formats = true;
      else if (name === 'xf' && in_cell_formats) {
        styles.date_styles.push(isDateFormat(id, codes.get(id)));
        styles.zero_styles.push(zerosOf(codes.get(id)));
      }
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
