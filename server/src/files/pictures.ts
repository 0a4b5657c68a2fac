import { messages, text } from '@tenure/contract';
import type sharpModule from 'sharp';
import { usableProcessors } from '../usable-processors.ts';
import type { Refused } from './detect.ts';
import { fileTypes } from './limits.ts';
import { openTurns } from './turns.ts';
import type { TurnLimits } from './turns.ts';

export type Picture = {
  bytes: Buffer;
  mime_type: string;
  extension: 'webp' | 'png';
  width: number;
  height: number;
};

export type Pictures = {
  /** Returns at most 512 pixels a side, upright, WebP, without metadata. */
  profilePicture: (sent: Uint8Array) => Promise<Picture | Refused>;
  /** Returns a PNG of at most 1,600 by 800 pixels for a drawn signature that is visible on paper. */
  signature: (sent: Uint8Array) => Promise<Picture | Refused>;
  /** Returns a PNG of at most 640 by 320 pixels without metadata. */
  logo: (sent: Uint8Array) => Promise<Picture | Refused>;
};

type Form = { from: readonly string[]; pixels: number; width: number; height: number; to: Picture['extension'] };

/** More than the pixels of phone pictures of 2 MB; decoding a picture of this size takes about 128 MB. */
export const MAX_PIXELS = 32_000_000;
export const MAX_SIGNATURE_PIXELS = 8_000_000;
export const DECODE_SECONDS = 10;

const portrait: Form = { from: ['jpeg', 'png', 'webp'], pixels: MAX_PIXELS, width: 512, height: 512, to: 'webp' };
const mark: Form = { from: ['jpeg', 'png'], pixels: MAX_PIXELS, width: 640, height: 320, to: 'png' };
const drawing: Form = { from: ['png'], pixels: MAX_SIGNATURE_PIXELS, width: 1_600, height: 800, to: 'png' };
const emptyDrawing: Refused = { refusal: text('signatures.empty') };
const tooManyPixels: Refused = {
  refusal: text('signatures.too_many_pixels', { millions: MAX_SIGNATURE_PIXELS / 1_000_000 }),
};

/** Parallel and queued pictures, and their maximum wait. */
export const pictureTurns: TurnLimits = { running: 1, waiting: 16, waitMs: 5_000 };

/** Re-encodes pictures, a few at a time; rejects with `NoTurn` when too many are queued. */
export function openPictures(limits = pictureTurns): Pictures {
  const inTurn = openTurns(limits);
  return {
    profilePicture: (sent) => inTurn(() => remake(sent, portrait)),
    signature: (sent) => inTurn(() => redraw(sent)),
    logo: (sent) => inTurn(() => remake(sent, mark)),
  };
}

let loaded: Promise<typeof sharpModule> | undefined;

/** The decoder, loaded with the first picture, for the accepted formats only. */
export function loadSharp(): Promise<typeof sharpModule> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] });
    sharp.cache(false);
    // otherwise it would use all cores of the machine
    sharp.concurrency(Math.min(sharp.concurrency(), usableProcessors()));
    return sharp;
  });
  return loaded;
}

// All failures in here are caused by the bytes: input and result are in memory.
async function remake(sent: Uint8Array, { from, pixels, width, height, to }: Form): Promise<Picture | Refused> {
  const sharp = await loadSharp();
  try {
    const image = sharp(sent, { limitInputPixels: pixels, failOn: 'error' });
    const { format } = await image.metadata();
    if (!from.includes(format)) return { refusal: messages.image };
    const { data, info } = await image
      .autoOrient()
      .resize({ width, height, fit: 'inside', withoutEnlargement: true })
      .toFormat(to)
      .timeout({ seconds: DECODE_SECONDS })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, mime_type: fileTypes[to], extension: to, width: info.width, height: info.height };
  } catch {
    return { refusal: messages.image };
  }
}

/** The size in pixels declared by a PNG header, read before decoding; 0 for anything else. */
function promisedPixels(sent: Uint8Array): number {
  const head = new DataView(sent.buffer, sent.byteOffset, sent.byteLength);
  return head.byteLength > 24 && head.getUint32(0) === 0x89504e47 ? head.getUint32(16) * head.getUint32(20) : 0;
}

/** True when every pixel of the picture looks the same on white paper. */
async function isBlank(png: Uint8Array): Promise<boolean> {
  const sharp = await loadSharp();
  const points = await sharp(png).flatten({ background: '#fff' }).greyscale().raw().toBuffer();
  return points.every((point) => point === points[0]);
}

async function redraw(sent: Uint8Array): Promise<Picture | Refused> {
  if (promisedPixels(sent) > MAX_SIGNATURE_PIXELS) return tooManyPixels;
  const picture = await remake(sent, drawing);
  if ('refusal' in picture) return picture;
  return (await isBlank(picture.bytes)) ? emptyDrawing : picture;
}
