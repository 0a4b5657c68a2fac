import type { Viewport } from '@xyflow/react';
import { boundsOf, card, type Bounds, type Placed } from './layout.ts';

export const zoomRange = { least: 0.1, most: 1.6 };
const legible = { least: 0.65, most: 0.95 };
const margin = 32;

export type Size = { width: number; height: number };

/** The viewport that shows everything, at most at full size. */
export function viewOf(bounds: Bounds, size: Size): Viewport {
  const { width, height } = size;
  const zoom = Math.min((width - 2 * margin) / bounds.width, (height - 2 * margin) / bounds.height, 1);
  return topOf(bounds, size, Math.max(zoomRange.least, zoom));
}

function topOf(bounds: Bounds, { width, height }: Size, zoom: number): Viewport {
  const spare = (height - bounds.height * zoom) / 2;
  return {
    x: width / 2 - (bounds.x + bounds.width / 2) * zoom,
    y: Math.max(margin, Math.min(spare, 2 * margin)) - bounds.y * zoom,
    zoom,
  };
}

/** The initial viewport: readable size, from the top; centred on the first card if the chart is wider. */
export function firstView(placed: readonly Placed[], size: Size): Viewport {
  const bounds = boundsOf(placed);
  const fitting = (size.width - 2 * margin) / bounds.width;
  const whole = topOf(bounds, size, Math.min(legible.most, Math.max(legible.least, fitting)));
  const [first] = placed;
  const isWider = bounds.width * whole.zoom > size.width;
  return first && isWider ? { ...whole, x: size.width / 2 - (first.x + card.width / 2) * whole.zoom } : whole;
}

/** The viewport with this card in its middle. */
export const viewAt = ({ x, y }: Placed, { width, height }: Size, zoom: number): Viewport => ({
  x: width / 2 - (x + card.width / 2) * zoom,
  y: height / 2 - (y + card.height / 2) * zoom,
  zoom,
});

/** Is the whole card visible? */
export const isSeen = ({ x, y }: Placed, view: Viewport, { width, height }: Size): boolean => {
  const [left, top] = [x * view.zoom + view.x, y * view.zoom + view.y];
  return left >= 0 && top >= 0 && left + card.width * view.zoom <= width && top + card.height * view.zoom <= height;
};
