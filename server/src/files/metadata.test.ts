import sharp from 'sharp';
import { expect, test } from 'vitest';
import { withoutMetadata } from './metadata.ts';
import type { PictureType } from './metadata.ts';
import { talkativePicture as talkative } from '../testing/file-samples.ts';

const types: PictureType[] = ['image/jpeg', 'image/png', 'image/webp'];
const stored = (picture: Buffer) => sharp(picture).raw().toBuffer();
const shown = (picture: Buffer) => sharp(picture).autoOrient().raw().toBuffer({ resolveWithObject: true });

test.each(types.flatMap((type) => [1, 3, 6, 8].map((turn) => [type, turn] as const)))(
  '%s with orientation %i keeps its pixels and loses its metadata',
  async (type, turn) => {
    const before = await talkative(type, turn);
    expect(before.toString('latin1')).toMatch(/Secret/);
    const after = withoutMetadata(before, type) ?? Buffer.alloc(0);
    expect(after.toString('latin1')).not.toMatch(/Secret|GPS|xmp/i);
    const { exif, xmp, iptc, orientation, icc } = await sharp(after).metadata();
    expect([xmp, iptc]).toEqual([undefined, undefined]);
    expect(exif === undefined || exif.length <= 32).toBe(true);
    expect(orientation ?? 1).toBe(turn);
    expect(icc).toEqual((await sharp(before).metadata()).icc);
    // all pixels and the orientation are unchanged
    expect(await stored(after)).toEqual(await stored(before));
    expect(await shown(after)).toEqual(await shown(before));
    expect(withoutMetadata(after, type)).toEqual(after);
  },
);

test.each(types)('%s without metadata stays as it is, byte for byte', async (type) => {
  const format = type.split('/')[1] as 'jpeg' | 'png' | 'webp';
  const plain = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#1565c0' } })
    .toFormat(format)
    .toBuffer();
  expect(withoutMetadata(plain, type)).toEqual(plain);
});

test('comments, notes, times and trailing data are removed too', async () => {
  const jpeg = await talkative('image/jpeg', 1);
  const note = Buffer.from('Secret comment');
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, note.length + 2]), note]);
  const iptc = Buffer.concat([Buffer.from([0xff, 0xed, 0, note.length + 2]), note]);
  const noted = Buffer.concat([jpeg.subarray(0, 2), comment, iptc, jpeg.subarray(2), Buffer.from('Secret tail')]);
  expect(withoutMetadata(noted, 'image/jpeg')?.toString('latin1')).not.toContain('Secret');
  const png = await talkative('image/png', 1);
  const text = Buffer.concat([Buffer.from([0, 0, 0, note.length]), Buffer.from('tEXt'), note, Buffer.alloc(4)]);
  const written = Buffer.concat([png.subarray(0, 33), text, png.subarray(33), Buffer.from('Secret tail')]);
  expect(withoutMetadata(written, 'image/png')?.toString('latin1')).not.toContain('Secret');
});

test('an animation stays animated', async () => {
  const frames = Buffer.from(Array.from({ length: 8 * 16 * 3 }, (_, n) => (n * 7) % 256));
  const moving = await sharp(frames, { raw: { width: 8, height: 16, channels: 3, pageHeight: 8 } })
    .webp({ lossless: true, delay: [100, 100], loop: 0 })
    .toBuffer();
  const after = withoutMetadata(moving, 'image/webp') ?? Buffer.alloc(0);
  expect((await sharp(after, { animated: true }).metadata()).pages).toBe(2);
  expect(await sharp(after, { animated: true }).raw().toBuffer()).toEqual(
    await sharp(moving, { animated: true }).raw().toBuffer(),
  );
});

test.each(types)('%s that is truncated or has any byte changed gives a picture or null', async (type) => {
  const whole = await talkative(type, 6);
  for (let at = 0; at < whole.length; at += 7) {
    expect(() => withoutMetadata(whole.subarray(0, at), type)).not.toThrow();
    const changed = Buffer.from(whole);
    changed[at] = 0xff - (changed[at] ?? 0);
    const after = withoutMetadata(changed, type);
    expect(after === null || after.length <= changed.length + 64).toBe(true);
  }
});
