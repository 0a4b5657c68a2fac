import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import subsetFont from 'subset-font';
import { facesFor } from './faces.ts';
import type { Face, FaceOf, Style } from './faces.ts';
import { asDrawn, linesOf } from './lines.ts';
import type { Line } from './lines.ts';
import { colours, looks } from './looks.ts';
import type { Look, LookName } from './looks.ts';
import type { Block, Head, Sheet } from './sheet.ts';

/** Draws sheets on A4 pages. */

const margin = 64;
const labelWidth = 150;
const markWidth = 260;
/** The largest logo on paper, in points. */
const logoSize = { width: 150, height: 46 } as const;
const textsOf = (block: Block): [LookName, string][] => {
  switch (block.kind) {
    case 'gap':
      return [];
    case 'descriptions':
      return block.rows.flatMap(([label, value]): [LookName, string][] => [
        ['label', label],
        ['value', value],
      ]);
    case 'table':
      return [
        ...block.head.map((cell): [LookName, string] => ['label', cell]),
        ...block.rows.flat().map((cell): [LookName, string] => ['value', cell]),
      ];
    case 'signature': {
      const said: [LookName, string][] = [
        ['value', block.caption],
        ['note', block.note],
      ];
      return typeof block.mark === 'string' ? [['mark', block.mark], ...said] : said;
    }
    default:
      return [[block.kind, block.text]];
  }
};

const footerOf = ({ foot = [], footer }: Sheet): string[] => [...foot, footer];

const headTexts = (head: Head | undefined): [LookName, string][] =>
  head
    ? [
        ['heading', head.name],
        ['note', head.address ?? ''],
      ]
    : [];

type Doc = PDFKit.PDFDocument;
type Pen = { doc: Doc; faces: (text: string, style: Style) => FaceOf; y: number; rise: number };

/** Embeds only the used characters of each font face. */
async function openFaces(doc: Doc, sheet: Sheet, faces: Pen['faces']): Promise<void> {
  const used = new Map<string, { face: Face; characters: Set<string> }>();
  const texts: [LookName, string][] = [
    ...headTexts(sheet.head),
    ...sheet.blocks.flatMap(textsOf),
    ['note', `${footerOf(sheet).join('')}0123456789`],
  ];
  for (const [look, text] of texts) {
    const faceOf = faces(text, looks[look].style);
    for (const character of asDrawn(text)) {
      const face = faceOf(character.codePointAt(0) ?? 0);
      const { characters } = used.get(face.name) ?? { characters: new Set() };
      used.set(face.name, { face, characters: characters.add(character) });
    }
  }
  for (const { face, characters } of used.values()) {
    // right-to-left text is drawn with mirrored brackets
    const text = `${[...characters].join('')} ()[]{}<>«»`;
    const axes = face.axes && { variationAxes: face.axes };
    const font = await subsetFont(await readFile(face.path), text, { targetFormat: 'sfnt', ...axes });
    doc.registerFont(face.name, font);
  }
}

function linesIn(pen: Pen, text: string, { style, size }: Look, width: number): Line[] {
  const measure = (face: Face, piece: string) => pen.doc.font(face.name).fontSize(size).widthOfString(piece);
  return linesOf(text, { faceOf: pen.faces(text, style), measure, width });
}

const heightOf = (lines: readonly Line[], { size }: Look) => lines.length * size * 1.45;

/** Starts a new page if `height` does not fit on the current one. */
function makeRoom(pen: Pen, height: number): void {
  if (pen.y + height <= pen.doc.page.height - margin - 20 - pen.rise) return;
  pen.doc.addPage();
  pen.y = margin;
}

type Area = { x: number; width: number };

function drawLine({ doc, y }: Pen, line: Line, { size, colour }: Look, { x, width }: Area): void {
  let at = line.isRightToLeft ? x + width - line.width : x;
  for (const { text, face, width: advance } of line.pieces) {
    doc.font(face.name).fontSize(size).fillColor(colour);
    if (text.trim() !== '') doc.text(text, at, y + size * 1.1, { lineBreak: false, baseline: 'alphabetic' });
    at += advance;
  }
}

function drawText(pen: Pen, text: string, name: LookName, place: Area): void {
  const look = looks[name];
  const lines = linesIn(pen, text, look, place.width);
  for (const [index, line] of lines.entries()) {
    // the first two lines stay together, as do the last two
    const isPair = lines.length > 1 && (index === 0 || index === lines.length - 2);
    makeRoom(pen, heightOf(isPair ? lines.slice(0, 2) : [line], look));
    drawLine(pen, line, look, place);
    pen.y += look.size * 1.45;
  }
  pen.y += look.after;
}

const fullWidth = (doc: Doc): Area => ({ x: margin, width: doc.page.width - 2 * margin });

function drawDescription(pen: Pen, [label, value]: readonly [string, string]): void {
  const { x, width } = fullWidth(pen.doc);
  // the label stays with the start of its value
  const heights = [
    heightOf(linesIn(pen, label, looks.label, labelWidth - 12), looks.label),
    heightOf(linesIn(pen, value, looks.value, width - labelWidth).slice(0, 2), looks.value),
  ];
  makeRoom(pen, Math.max(...heights));
  const top = pen.y;
  drawText(pen, label, 'label', { x, width: labelWidth - 12 });
  const below = pen.y;
  pen.y = top;
  drawText(pen, value, 'value', { x: x + labelWidth, width: width - labelWidth });
  // a long value may have continued on the next page
  pen.y = pen.y < top ? pen.y : Math.max(pen.y, below);
}

type Table = Extract<Block, { kind: 'table' }>;

const gutter = 10;

/** Draws the cells of a row side by side, kept together on a page, with a line below. */
function drawRow(pen: Pen, { shares }: Table, cells: readonly string[], name: 'label' | 'value'): void {
  const { x, width } = fullWidth(pen.doc);
  const whole = shares.reduce((sum, share) => sum + share, 0);
  let at = x;
  for (const [index, cell] of cells.entries()) {
    const wide = (width * (shares[index] ?? 0)) / whole;
    const top = pen.y;
    drawText(pen, cell, name, { x: at, width: wide - gutter });
    pen.y = top;
    at += wide;
  }
  pen.y += rowHeight(pen, { shares }, cells, name);
  pen.doc
    .moveTo(x, pen.y)
    .lineTo(x + width, pen.y)
    .lineWidth(0.5)
    .strokeColor(colours.line)
    .stroke();
  pen.y += 4;
}

function rowHeight(pen: Pen, { shares }: Pick<Table, 'shares'>, cells: readonly string[], name: 'label' | 'value') {
  const { width } = fullWidth(pen.doc);
  const whole = shares.reduce((sum, share) => sum + share, 0);
  const look = looks[name];
  const heights = cells.map((cell, index) =>
    heightOf(linesIn(pen, cell, look, (width * (shares[index] ?? 0)) / whole - gutter), look),
  );
  return Math.max(0, ...heights) + look.after;
}

function drawTable(pen: Pen, table: Table): void {
  const headHeight = rowHeight(pen, table, table.head, 'label') + 4;
  for (const [index, cells] of table.rows.entries()) {
    const page = pen.doc.bufferedPageRange().count;
    makeRoom(pen, rowHeight(pen, table, cells, 'value') + (index === 0 ? headHeight : 4));
    const isNewPage = pen.doc.bufferedPageRange().count > page;
    if (index === 0 || isNewPage) drawRow(pen, table, table.head, 'label');
    drawRow(pen, table, cells, 'value');
  }
  pen.y += 8;
}

function drawSignature(pen: Pen, { mark, caption, note }: Extract<Block, { kind: 'signature' }>): void {
  const { x, width } = fullWidth(pen.doc);
  makeRoom(pen, 110);
  if (typeof mark === 'string') drawText(pen, mark, 'mark', { x, width: markWidth });
  else {
    pen.doc.image(Buffer.from(mark), x, pen.y, { fit: [markWidth - 20, 56], valign: 'bottom' });
    pen.y += 58;
  }
  pen.doc
    .moveTo(x, pen.y)
    .lineTo(x + markWidth, pen.y)
    .lineWidth(0.7)
    .strokeColor(colours.line)
    .stroke();
  pen.y += 4;
  drawText(pen, caption, 'value', { x, width });
  drawText(pen, note, 'note', { x, width });
  pen.y += 6;
}

/** The height of a heading and the start of what follows, because it stays with a whole signature or row. */
const headingHeight = (next: Block | undefined) => (next?.kind === 'signature' || next?.kind === 'table' ? 140 : 60);

function drawBlock(pen: Pen, block: Block, next: Block | undefined): void {
  switch (block.kind) {
    case 'gap':
      pen.y += 14;
      break;
    case 'descriptions':
      for (const row of block.rows) drawDescription(pen, row);
      pen.y += 8;
      break;
    case 'table':
      drawTable(pen, block);
      break;
    case 'signature':
      drawSignature(pen, block);
      break;
    default:
      if (block.kind === 'heading') makeRoom(pen, headingHeight(next));
      drawText(pen, block.text, block.kind, fullWidth(pen.doc));
  }
}

/** The logo at the start of the line, name and address at its end; without a logo, the name is at the start. */
function drawHead(pen: Pen, { name, address, logo, accent }: Head): void {
  const { x, width } = fullWidth(pen.doc);
  const top = pen.y;
  const textWidth = logo ? width - logoSize.width - 24 : width;
  const place = { x: x + width - textWidth, width: textWidth };
  if (logo) {
    const scale = Math.min(logoSize.width / logo.width, logoSize.height / logo.height, 1);
    pen.doc.image(Buffer.from(logo.bytes), x, top, { width: logo.width * scale, height: logo.height * scale });
  }
  drawText(pen, name, 'heading', place);
  if (address) drawText(pen, address, 'note', place);
  pen.y = Math.max(pen.y, logo ? top + logoSize.height : top) + 6;
  pen.doc
    .moveTo(x, pen.y)
    .lineTo(x + width, pen.y)
    .lineWidth(1.2)
    .strokeColor(accent ?? colours.line)
    .stroke();
  pen.y += 24;
}

/** The last lines of all footers are at the same height; footer lines that are too long are wrapped. */
function drawFooters(pen: Pen, footer: readonly string[]): void {
  const { start, count } = pen.doc.bufferedPageRange();
  const place = fullWidth(pen.doc);
  const step = looks.note.size * 1.45;
  for (let page = 0; page < count; page += 1) {
    pen.doc.switchToPage(start + page);
    const texts = footer.map((text) => text.replace('{page}', String(page + 1)).replace('{pages}', String(count)));
    const lines = texts.flatMap((text) => linesIn(pen, text, looks.note, place.width));
    pen.y = pen.doc.page.height - margin + 8 + step - lines.length * step;
    for (const line of lines) {
      drawLine(pen, line, looks.note, place);
      pen.y += step;
    }
  }
}

/** The height that the footer takes above the margin. */
function footerRise(pen: Pen, footer: readonly string[]): number {
  const lines = footer.flatMap((text) => linesIn(pen, text, looks.note, fullWidth(pen.doc).width));
  return Math.max(0, lines.length - 1) * looks.note.size * 1.45;
}

/** @returns the PDF */
export async function drawSheet(sheet: Sheet): Promise<Uint8Array> {
  const { title, author, language, country } = sheet;
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: language,
    displayTitle: true,
    info: { Title: title, Author: author, Creator: 'Tenure', Producer: 'Tenure' },
  });
  const whole = buffer(doc);
  const pen: Pen = { doc, faces: (text, style) => facesFor(text, style, country), y: margin, rise: 0 };
  await openFaces(doc, sheet, pen.faces);
  pen.rise = footerRise(pen, footerOf(sheet));
  if (sheet.head) drawHead(pen, sheet.head);
  for (const [index, block] of sheet.blocks.entries()) drawBlock(pen, block, sheet.blocks[index + 1]);
  drawFooters(pen, footerOf(sheet));
  doc.end();
  return whole;
}
