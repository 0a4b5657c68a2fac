import { text } from '@tenure/contract';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { openPictures } from './pictures.ts';
import type { Picture } from './pictures.ts';
import type { Refused } from './detect.ts';
import { sampleFiles } from '../testing/file-samples.ts';
import { NoTurn } from './turns.ts';

const refused = { refusal: text('validation.image') };
const pictures = openPictures();
let samples: Awaited<ReturnType<typeof sampleFiles>>;

beforeAll(async () => {
  samples = await sampleFiles();
});

function made(answer: Picture | Refused): Picture {
  if ('refusal' in answer) throw new Error(answer.refusal.key);
  return answer;
}

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c62828' } });

/** Left half red, right half blue; rotated by a quarter when shown, with a place and a camera in its EXIF. */
const photograph = () =>
  plain(800, 600)
    .composite([
      { input: { create: { width: 400, height: 600, channels: 3, background: '#1565c0' } }, left: 400, top: 0 },
    ])
    .withExif({
      IFD0: { Model: 'Secret Camera', Copyright: 'Lena Park' },
      IFD3: { GPSLatitude: '47/1 22/1 0/1', GPSLatitudeRef: 'N', GPSLongitude: '8/1 32/1 0/1', GPSLongitudeRef: 'E' },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- Secret Camera --></x:xmpmeta>')
    .withIccProfile('p3')
    .withMetadata({ orientation: 6 });

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A black PNG of a few kilobytes; complete up to 40 million pixels, beyond that truncated. */
function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0], 8);
  const data = deflateSync(Buffer.alloc(Math.min((width + 1) * height, 40_000_000)), { level: 1 });
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('a profile picture', () => {
  test.each(['png', 'jpg', 'webp'] as const)('sent as %s becomes WebP of the same size', async (kind) => {
    const { bytes, ...rest } = made(await pictures.profilePicture(samples[kind]));
    expect(rest).toEqual({ mime_type: 'image/webp', extension: 'webp', width: 40, height: 20 });
    expect((await sharp(bytes).metadata()).format).toBe('webp');
  });

  test.each([
    [2_000, 1_000, 512, 256],
    [300, 3_000, 51, 512],
    [512, 512, 512, 512],
    [1, 1, 1, 1],
  ])('of %i × %i becomes %i × %i', async (width, height, newWidth, newHeight) => {
    const sent = await plain(width, height).png().toBuffer();
    expect(made(await pictures.profilePicture(sent))).toMatchObject({ width: newWidth, height: newHeight });
  });

  test.each(['jpeg', 'webp', 'png'] as const)('loses place, camera and names sent in %s', async (format) => {
    const sent = await photograph().toFormat(format).toBuffer();
    const before = await sharp(sent).metadata();
    expect(before.exif?.toString('latin1')).toContain('Secret Camera');
    expect(before.orientation).toBe(6);

    const { bytes } = made(await pictures.profilePicture(sent));
    const after = await sharp(bytes).metadata();
    for (const kind of ['exif', 'xmp', 'iptc', 'icc', 'orientation', 'comments'] as const)
      expect(after[kind]).toBeUndefined();
    expect(bytes.toString('latin1')).not.toMatch(/EXIF|XMP|Secret|Lena/);
  });

  test('is upright afterwards', async () => {
    const sent = await photograph().jpeg().toBuffer();
    const { bytes, width, height } = made(await pictures.profilePicture(sent));
    expect([width, height]).toEqual([384, 512]);
    const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    const [red, , blue] = data.subarray(0, 3);
    expect(red).toBeGreaterThan(blue ?? 255);
  });

  test('loses data behind its end', async () => {
    const sent = Buffer.concat([samples.png, Buffer.from('<script>alert(1)</script>')]);
    const { bytes } = made(await pictures.profilePicture(sent));
    expect(bytes.toString('latin1')).not.toContain('script');
  });

  test('may have 32 million pixels', async () => {
    expect(made(await pictures.profilePicture(blackPng(8_000, 4_000)))).toMatchObject({ width: 512, height: 256 });
  });

  test.each([
    [8_000, 4_001],
    [50_000, 50_000],
    [2_147_483_647, 2_147_483_647],
  ])('is refused when its header declares %i × %i', async (width, height) => {
    expect(await pictures.profilePicture(blackPng(width, height))).toEqual(refused);
  });

  test('that is no picture or truncated is refused', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    const cut = (await photograph().png().toBuffer()).subarray(0, 900);
    for (const sent of [svg, samples.gif, samples.pdf, samples.csv, Buffer.alloc(0), Buffer.alloc(99), cut])
      expect(await pictures.profilePicture(sent)).toEqual(refused);
  });

  test('is refused with a time to retry when too many are queued', async () => {
    const busy = openPictures({ running: 1, waiting: 1, waitMs: 5_000 });
    const answers = await Promise.allSettled([1, 2, 3].map(() => busy.profilePicture(samples.png)));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(answers[2]).toMatchObject({ reason: expect.any(NoTurn) });
  });
});

describe('a drawn signature', () => {
  const sheet = (background: string, width = 600, height = 200) =>
    sharp({ create: { width, height, channels: 4, background } });

  test('stays a PNG, transparent where nothing is drawn', async () => {
    const line = { create: { width: 200, height: 4, channels: 4, background: '#1e2a78' } } as const;
    const sent = await sheet('#0000')
      .composite([{ input: line, left: 50, top: 90 }])
      .withExif({ IFD0: { Model: 'Secret Tablet' } })
      .png()
      .toBuffer();
    const { bytes, ...rest } = made(await pictures.signature(sent));
    expect(rest).toEqual({ mime_type: 'image/png', extension: 'png', width: 600, height: 200 });
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', hasAlpha: true });
    expect(bytes.toString('latin1')).not.toContain('Secret');
  });

  test.each(['#0000', '#ffff', '#000f', '#1e2a78ff', '#ffffff80'])('of only %s is empty', async (colour) => {
    const sent = await sheet(colour).png().toBuffer();
    expect(await pictures.signature(sent)).toEqual({ refusal: text('signatures.empty') });
  });

  test('is refused before it is decoded when it promises more than 8 million points', async () => {
    const tooMany = { refusal: text('signatures.too_many_pixels', { millions: 8 }) };
    for (const [width, height] of [
      [4_000, 2_001],
      [50_000, 50_000],
      [2_147_483_647, 2_147_483_647],
    ] as const)
      expect(await pictures.signature(blackPng(width, height))).toEqual(tooMany);
  });

  test('of another type is refused', async () => {
    for (const kind of ['jpg', 'webp', 'gif'] as const)
      expect(await pictures.signature(samples[kind])).toEqual(refused);
  });
});
