import type { Drawing, Measure, Shape } from './drawing.ts';

export const font = "'Inter Variable', Inter, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
const short = (number: number) => String(Math.round(number * 10) / 10);

function element(shape: Shape): string {
  switch (shape.kind) {
    case 'rect':
      return `<rect x="${short(shape.x)}" y="${short(shape.y)}" width="${short(shape.width)}" height="${short(shape.height)}" rx="${shape.radius}" fill="${shape.fill}" stroke="${shape.line}"/>`;
    case 'circle':
      return `<circle cx="${short(shape.x)}" cy="${short(shape.y)}" r="${shape.radius}" fill="${shape.fill}"/>`;
    case 'path':
      return `<path d="${shape.d}" fill="none" stroke="${shape.line}" stroke-width="1.5"/>`;
    case 'text':
      return `<text x="${short(shape.x)}" y="${short(shape.y)}" font-size="${shape.size}" font-weight="${shape.weight}" fill="${shape.fill}" text-anchor="${shape.anchor}">${escaped(shape.text)}</text>`;
  }
}

/** A drawing as a self-contained SVG file. */
export function svgOf({ width, height, shapes }: Drawing, title: string): string {
  const [w, h] = [short(width), short(height)];
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" font-family="${font}">`;
  return `${head}<title>${escaped(title)}</title>${shapes.map(element).join('')}</svg>`;
}

function paint(context: CanvasRenderingContext2D, shape: Shape): void {
  if (shape.kind === 'text') {
    context.font = `${shape.weight} ${shape.size}px ${font}`;
    context.textAlign = shape.anchor === 'middle' ? 'center' : 'left';
    context.fillStyle = shape.fill;
    context.fillText(shape.text, shape.x, shape.y);
    return;
  }
  const path = shape.kind === 'path' ? new Path2D(shape.d) : new Path2D();
  if (shape.kind === 'rect') path.roundRect(shape.x, shape.y, shape.width, shape.height, shape.radius);
  if (shape.kind === 'circle') path.arc(shape.x, shape.y, shape.radius, 0, 2 * Math.PI);
  if (shape.kind !== 'path') {
    context.fillStyle = shape.fill;
    context.fill(path);
  }
  if (shape.kind === 'circle') return;
  context.strokeStyle = shape.line;
  context.lineWidth = shape.kind === 'path' ? 1.5 : 1;
  context.stroke(path);
}

// The longest side, in pixels, that every browser can render as one picture.
const longestSide = 16_000;
const maxPixels = 120_000_000;

/** The pixel ratio of a picture: two, or less if it would get too large. */
export const pixelRatio = ({ width, height }: Pick<Drawing, 'width' | 'height'>): number =>
  Math.min(2, longestSide / Math.max(width, height), Math.sqrt(maxPixels / (width * height)));

/** A drawing as a PNG, rendered in the browser. */
export async function pngOf(drawing: Drawing): Promise<Blob> {
  const ratio = pixelRatio(drawing);
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.ceil(drawing.width * ratio), Math.ceil(drawing.height * ratio)];
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser draws no pictures.');
  context.scale(ratio, ratio);
  for (const shape of drawing.shapes) paint(context, shape);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is too large.'))), 'image/png'),
  );
}

/** Measures texts on a canvas; without one, estimates their width. */
export function textMeasure(): Measure {
  const context = document.createElement('canvas').getContext('2d');
  return (text, size, weight) => {
    if (!context) return text.length * size * 0.56;
    context.font = `${weight} ${size}px ${font}`;
    return context.measureText(text).width;
  };
}
