import { initials } from '../../ui/PersonAvatar.tsx';
import { boundsOf, card, linesOf, type Placed } from './layout.ts';
import type { Branch } from './tree.ts';

/** The shapes of a picture of the chart, which print, SVG and canvas all support. */
export type Shape =
  | { kind: 'rect'; x: number; y: number; width: number; height: number; radius: number; fill: string; line: string }
  | { kind: 'circle'; x: number; y: number; radius: number; fill: string }
  | { kind: 'path'; d: string; line: string }
  | {
      kind: 'text';
      x: number;
      y: number;
      text: string;
      size: number;
      weight: number;
      fill: string;
      anchor: 'start' | 'middle';
    };
export type Drawing = { width: number; height: number; shapes: Shape[] };

/** Measures the width of a text in pixels. */
export type Measure = (text: string, size: number, weight: number) => number;
type Words = { counts: (branch: Branch) => string };

// A picture has the light colours, since it is printed.
const paper = '#ffffff';
const colours = {
  ink: '#1f1d1b',
  soft: '#5c5750',
  line: '#e6e2db',
  stem: '#b5aea3',
  tint: '#e2f3f0',
  accent: '#0c6b63',
};
const margin = 32;
const picture = 19;
const textStart = 14 + 2 * picture + 11;
const textWidth = card.width - textStart - 12;

/** The text, shortened with an ellipsis to fit `room` pixels. */
export function cutText(text: string, maxWidth: number, width: (text: string) => number): string {
  if (width(text) <= maxWidth) return text;
  const letters = Array.from(text);
  while (letters.length > 0 && width(`${letters.join('').trimEnd()}…`) > maxWidth) letters.pop();
  return `${letters.join('').trimEnd()}…`;
}

const linesUnder = (branch: Branch, { counts }: Words): string[] =>
  (branch.kind === 'employee' ? [branch.line, branch.group?.name, counts(branch)] : [counts(branch)]).filter(
    (line) => line !== null && line !== undefined && line !== '',
  ) as string[];

function cardShapes({ branch, x, y }: Placed, measure: Measure, words: Words): Shape[] {
  const lines = linesUnder(branch, words);
  const step = 16;
  const first = y + card.height / 2 - (lines.length * step) / 2 + 5;
  const written = (text: string, row: number): Shape => {
    const [size, weight] = row === 0 ? [13.5, 570] : [11.5, 400];
    const shown = cutText(text, textWidth, (part) => measure(part, size, weight));
    const fill = row === 0 ? colours.ink : colours.soft;
    return { kind: 'text', x: x + textStart, y: first + row * step, text: shown, size, weight, fill, anchor: 'start' };
  };
  const middle = { x: x + 14 + picture, y: y + card.height / 2 };
  const fill = branch.kind === 'entity' ? colours.tint : paper;
  return [
    { kind: 'rect', x, y, width: card.width, height: card.height, radius: 12, fill, line: colours.line },
    { kind: 'circle', ...middle, radius: picture, fill: branch.kind === 'entity' ? paper : colours.tint },
    {
      kind: 'text',
      x: middle.x,
      y: middle.y + 5,
      text: initials(branch.name),
      size: 14,
      weight: 600,
      fill: colours.accent,
      anchor: 'middle',
    },
    ...[branch.name, ...lines].map(written),
  ];
}

/** Draws the visible chart at full size, with a margin. */
export function drawingOf(placed: readonly Placed[], measure: Measure, words: Words): Drawing {
  const bounds = boundsOf(placed);
  const moved = placed.map((one) => ({
    ...one,
    x: one.x - bounds.x + margin,
    y: one.y - bounds.y + margin,
    stem: one.stem - bounds.x + margin,
  }));
  const [width, height] = [bounds.width + 2 * margin, bounds.height + 2 * margin];
  return {
    width,
    height,
    shapes: [
      { kind: 'rect', x: 0, y: 0, width, height, radius: 0, fill: paper, line: paper },
      { kind: 'path', d: linesOf(moved), line: colours.stem },
      ...moved.flatMap((one) => cardShapes(one, measure, words)),
    ],
  };
}
