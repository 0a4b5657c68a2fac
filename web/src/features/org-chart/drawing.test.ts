import { expect, test } from 'vitest';
import { cutText, drawingOf } from './drawing.ts';
import { layoutOf } from './layout.ts';
import { pixelRatio, svgOf } from './picture.ts';
import { growForest } from './tree.ts';

const node = (id: number, name: string, count = 0) => ({
  id,
  type: 'employee' as const,
  name,
  job_title: 'Head of <Purchasing> & "Sales"',
  department: { id: 4, name: 'Purchasing' },
  entity: null,
  profile_picture_url: null,
  parent_id: null,
  children_count: count,
  people_count: null,
  children: [],
});
const forest = growForest({ nodes: [node(1, 'Omar Diaz', 2)], has_more: false }, false, {
  families: new Map([['employee-1', { nodes: [node(2, 'Ida Berg'), node(3, 'Lena Park')], has_more: false }]]),
  isOpen: () => true,
});
const measure = (text: string, size: number) => text.length * size * 0.5;
const drawing = drawingOf(layoutOf(forest), measure, { counts: ({ below }) => (below > 0 ? `${below} reports` : '') });
const file = new DOMParser().parseFromString(svgOf(drawing, 'Organisation chart'), 'image/svg+xml');

test('the picture holds every visible node, with job title, department and count', () => {
  const texts = [...file.querySelectorAll('text')].map(({ textContent }) => textContent);
  for (const text of ['Omar Diaz', 'Ida Berg', 'Lena Park', 'OD', 'Purchasing', '2 reports'])
    expect(texts).toContain(text);
  expect(file.querySelector('title')?.textContent).toBe('Organisation chart');
});

test('the picture is a well-formed, self-contained SVG: no style, no script, no external address', () => {
  expect(file.querySelector('parsererror')).toBeNull();
  expect(file.querySelectorAll('style, script, image, foreignObject, [href], [style]')).toHaveLength(0);
});

test('every shape is inside the picture', () => {
  for (const shape of drawing.shapes) {
    if (shape.kind !== 'rect') continue;
    expect(shape.x).toBeGreaterThanOrEqual(0);
    expect(shape.y + shape.height).toBeLessThanOrEqual(drawing.height);
    expect(shape.x + shape.width).toBeLessThanOrEqual(drawing.width);
  }
});

test('a text that is too long ends with an ellipsis and fits', () => {
  const width = (text: string) => text.length * 10;
  expect(cutText('Head of Purchasing', 200, width)).toBe('Head of Purchasing');
  expect(cutText('Head of Purchasing', 90, width)).toBe('Head of…');
  expect(cutText('Head', 0, width)).toBe('…');
});

test('a picture has a pixel ratio of two, and less if it would be too large', () => {
  expect(pixelRatio({ width: 800, height: 600 })).toBe(2);
  expect(pixelRatio({ width: 100_000, height: 1_000 }) * 100_000).toBeLessThanOrEqual(16_000);
  const wide = { width: 15_000, height: 15_000 };
  expect(pixelRatio(wide) ** 2 * wide.width * wide.height).toBeLessThanOrEqual(120_000_001);
});
