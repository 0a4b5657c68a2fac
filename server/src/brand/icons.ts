import { accentsOf } from '@tenure/contract';
import type { Hex } from '@tenure/contract';
import { loadSharp } from '../files/pictures.ts';

/** What an icon shows: the logo, or a sign in the brand colour. */
export type IconOf = { logo: Buffer | null; accent: Hex; isTenure: boolean };
/** `maskable`: no rounded corners, and the sign inside the circle that every launcher keeps. */
export type IconForm = { size: number; maskable: boolean };

type Point = readonly [x: number, y: number];
/** The signed distance of a point from the edge of a shape, on a 32-unit square; negative inside. */
type Shape = (point: Point) => number;

const side = 32;
const centre = side / 2;
const stroke = 1.7;

const bar =
  ([ax, ay]: Point, [bx, by]: Point): Shape =>
  ([x, y]) => {
    const [dx, dy] = [bx - ax, by - ay];
    const along = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
    return Math.hypot(x - ax - along * dx, y - ay - along * dy) - stroke;
  };
const ring: Shape = ([x, y]) => Math.abs(Math.hypot(x - centre, y - centre) - 6.5) - stroke;
const [across, down] = [bar([8.5, 10], [23.5, 10]), bar([16, 10], [16, 23.5])];
const letter: Shape = (point) => Math.min(across(point), down(point));

const square =
  (radius: number): Shape =>
  ([x, y]) => {
    const [dx, dy] = [Math.abs(x - centre) - centre + radius, Math.abs(y - centre) - centre + radius];
    return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
  };

const channelsOf = (hex: string) => [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));

/** Draws an antialiased sign on a square of one colour. Returns RGBA. */
function drawn(size: number, { ground, sign }: { ground: Shape; sign: Shape | null }, fill: string): Buffer {
  const pixels = Buffer.alloc(size * size * 4);
  const scale = size / side;
  const covers = (distance: number) => Math.min(1, Math.max(0, 0.5 - distance * scale));
  const colour = channelsOf(fill);
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column < size; column += 1) {
      const point: Point = [(column + 0.5) / scale, (row + 0.5) / scale];
      const white = sign ? covers(sign(point)) : 0;
      const start = (row * size + column) * 4;
      for (const [index, channel] of colour.entries())
        pixels[start + index] = Math.round(channel * (1 - white) + 255 * white);
      pixels[start + 3] = Math.round(covers(ground(point)) * 255);
    }
  return pixels;
}

/** An icon of the application as a PNG. */
export async function drawIcon({ logo, accent, isTenure }: IconOf, { size, maskable }: IconForm): Promise<Buffer> {
  const sharp = await loadSharp();
  const ground = square(maskable ? 0.001 : 9);
  const raw = { width: size, height: size, channels: 4 } as const;
  if (!logo) {
    const sign = isTenure ? letter : ring;
    return sharp(drawn(size, { ground, sign }, accentsOf(accent).light.filled), { raw })
      .png()
      .toBuffer();
  }
  const inner = Math.round(size * (maskable ? 0.56 : 0.76));
  const shrunk = await sharp(logo).resize({ width: inner, height: inner, fit: 'inside' }).png().toBuffer();
  return sharp(drawn(size, { ground, sign: null }, '#ffffff'), { raw })
    .composite([{ input: shrunk }])
    .png()
    .toBuffer();
}
