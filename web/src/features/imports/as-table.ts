/** The most lines above the headings of a list, such as its title, the date and the name of the office. */
const maxTitles = 20;
/** The most lines below it, such as the number of people and who printed it. */
const maxSums = 2;

type Lines = readonly string[];
/** The start and the exclusive end of a column. */
type Place = readonly [from: number, to: number];

const count = (line: string, separator: string) => line.split(separator).length - 1;
const quoted = (cell: string) => `"${cell.trim().replaceAll('"', '""')}"`;
const asRow = (cells: Lines) => cells.map(quoted).join(';');

/** The cells between bars; bars at both ends of a line are the frame of the list. */
function betweenBars(line: string): Lines {
  const cells = line.trim().split('|');
  const isFramed = cells.length > 2 && cells[0] === '' && cells.at(-1) === '';
  return isFramed ? cells.slice(1, -1) : cells;
}

/** Are the columns separated by bars? Then each row has as many as the headings, and more than other separators. */
function hasBars(filled: Lines): boolean {
  const at = filled.slice(0, maxTitles + 1).findIndex((line) => count(line, '|') >= 2);
  if (at < 0 || at + 1 === filled.length) return false;
  const [headings = '', ...rows] = filled.slice(at);
  const bars = count(headings, '|');
  return (
    [',', ';', '\t'].every((other) => count(headings, other) < bars) &&
    rows.every((row) => [0, bars].includes(count(row, '|')))
  );
}

/** The positions of the columns: between two columns, every line is blank. */
function placesOf(lines: Lines): Place[] {
  const longest = lines.reduce((most, { length }) => Math.max(most, length), 0);
  const isUsed = (place: number) => lines.some((line) => (line[place] ?? ' ') !== ' ');
  const shadow = Array.from({ length: longest }, (_, place) => (isUsed(place) ? 'x' : ' ')).join('');
  return [...shadow.matchAll(/x+/g)].map(({ index, 0: column }) => [index, index + column.length]);
}

/** The columns of a list, and its lines from the headings to the exclusive end of its rows. */
type Found = { places: Place[]; from: number; to: number };

/** Finds at least three columns that all have a heading, skipping titles above and totals below. */
function findPlaces(filled: Lines): Found | undefined {
  for (let from = 0; from <= maxTitles; from += 1) {
    const headings = filled[from] ?? '';
    if (/[;\t|]|,.*,/.test(headings)) return undefined;
    if (headings.includes(',')) continue;
    for (let to = filled.length; to >= filled.length - maxSums && to - from >= 3; to -= 1) {
      const places = placesOf(filled.slice(from, to));
      const hasHeadings = places.every(([first, last]) => headings.slice(first, last).trim() !== '');
      if (places.length >= 3 && hasHeadings) return { places, from, to };
    }
  }
  return undefined;
}

/** A list as CSV; `isByPlace` if its columns were found only by their positions. */
export type Table = { text: string; isByPlace: boolean };

/**
 * A list as programs print it: columns are separated by bars, as in SAP lists, or start at the same position in every
 * line, as in files from payroll programs. Undefined for any other text. Each row keeps its line number, which errors
 * refer to; titles and totals become rows with one cell.
 */
export function asTable(text: string): Table | undefined {
  // lines of dashes and the like are borders between rows
  const lines = text.split(/\r\n|\n|\r/).map((line) => (/[\p{L}\p{N}]/u.test(line) ? line.replace('\uFEFF', '') : ''));
  const filled = lines.filter((line) => line !== '');
  const write = (cellsOf: (line: string, index: number) => Lines) => {
    let index = -1;
    return lines.map((line) => (line === '' ? '' : asRow(cellsOf(line, (index += 1))))).join('\n');
  };
  if (hasBars(filled)) return { text: write(betweenBars), isByPlace: false };
  const found = findPlaces(filled);
  if (!found) return undefined;
  const cut = (line: string) => found.places.map(([from, to]) => line.slice(from, to));
  const isCut = (index: number) => index >= found.from && index < found.to;
  return { text: write((line, index) => (isCut(index) ? cut(line) : [line])), isByPlace: true };
}
