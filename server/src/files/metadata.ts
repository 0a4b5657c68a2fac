import { crc32 } from 'node:zlib';

/**
 * Removes metadata from a picture (place, camera, time, author, thumbnails, notes) without changing a pixel: drops
 * trailing data, and the JPEG segments, PNG chunks and WebP chunks that displaying it does not need. Keeps colour
 * profiles and the Exif orientation.
 */
export type PictureType = 'image/jpeg' | 'image/png' | 'image/webp';

export const isPictureType = (type: string): type is PictureType => type in strip;

/** The picture without its metadata; null if the content lacks the structure of its type. */
export function withoutMetadata(picture: Buffer, type: PictureType): Buffer | null {
  try {
    return strip[type](picture);
  } catch (error) {
    // a length that points beyond the end
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const orientationTag = 0x0112;
const upright = 1;

/** The orientation in a TIFF structure, as in Exif: 1 to 8; upright if it is missing or unreadable. */
function orientationOf(tiff: Buffer): number {
  const little = tiff.toString('latin1', 0, 2) === 'II';
  const u16 = (at: number) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const u32 = (at: number) => (little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  try {
    const directory = u32(4);
    for (let entry = 0; entry < u16(directory); entry += 1) {
      const at = directory + 2 + 12 * entry;
      if (u16(at) === orientationTag) return u16(at + 8) <= 8 ? Math.max(upright, u16(at + 8)) : upright;
    }
  } catch {
    return upright;
  }
  return upright;
}

/** A TIFF structure that contains only the orientation. */
function orientationOnly(orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('MM\0*', 'latin1');
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(1, 8);
  tiff.writeUInt16BE(orientationTag, 10);
  tiff.writeUInt16BE(3, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}

const exifHead = Buffer.from('Exif\0\0', 'latin1');
const beginsWith = (data: Buffer, text: string) => data.toString('latin1', 0, text.length) === text;
const behind = (data: Buffer, head: Buffer) => (data.indexOf(head) === 0 ? data.subarray(head.length) : data);

const jpeg = {
  soi: 0xd8,
  eoi: 0xd9,
  sos: 0xda,
  app0: 0xe0,
  app1: 0xe1,
  app2: 0xe2,
  app14: 0xee,
  app15: 0xef,
  com: 0xfe,
};

/**
 * True for segments a decoder needs: all except comments and application data other than JFIF, colour profile and
 * Adobe's.
 */
function isNeededSegment(marker: number, data: Buffer): boolean {
  if (marker === jpeg.com) return false;
  if (marker < jpeg.app0 || marker > jpeg.app15) return true;
  if (marker === jpeg.app0) return beginsWith(data, 'JFIF\0');
  return (
    (marker === jpeg.app2 && beginsWith(data, 'ICC_PROFILE\0')) || (marker === jpeg.app14 && beginsWith(data, 'Adobe'))
  );
}

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

/** The end of the compressed data that starts at `from`: the next foreign marker, or the end. */
function endOfScan(picture: Buffer, from: number): number {
  let at = picture.indexOf(0xff, from);
  while (at >= 0 && at + 1 < picture.length) {
    const next = picture[at + 1] ?? 0;
    const isTheirs = next === 0 || (next >= 0xd0 && next <= 0xd7);
    if (!isTheirs && next !== 0xff) return at;
    at = picture.indexOf(0xff, at + (isTheirs ? 2 : 1));
  }
  return picture.length;
}

function stripJpeg(picture: Buffer): Buffer | null {
  const kept: Buffer[] = [picture.subarray(0, 2)];
  let orientation = upright;
  let hasScan = false;
  let at = 2;
  while (at < picture.length) {
    if (picture[at] !== 0xff) return null;
    const marker = picture.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === jpeg.eoi) {
      kept.push(segmentless(marker));
      break;
    }
    const length = picture.readUInt16BE(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > picture.length) return null;
    const data = picture.subarray(at + 4, end);
    if (marker === jpeg.app1 && data.indexOf(exifHead) === 0 && orientation === upright)
      orientation = orientationOf(data.subarray(exifHead.length));
    const next = marker === jpeg.sos ? endOfScan(picture, end) : end;
    if (isNeededSegment(marker, data)) kept.push(picture.subarray(at, next));
    hasScan ||= marker === jpeg.sos;
    at = next;
  }
  if (!hasScan) return null;
  return Buffer.concat(orientation === upright ? kept : turned(kept, orientation));
}

const segmentless = (marker: number) => Buffer.from([0xff, marker]);

/** Inserts Exif at the start, but after JFIF. */
function turned([start = Buffer.alloc(0), ...rest]: Buffer[], orientation: number): Buffer[] {
  const exif = segment(jpeg.app1, Buffer.concat([exifHead, orientationOnly(orientation)]));
  const [first = Buffer.alloc(0), ...others] = rest;
  return first[1] === jpeg.app0 ? [start, first, exif, ...others] : [start, exif, ...rest];
}

/** PNG chunks that affect display; the last three belong to animations. */
const neededChunks = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(' '),
);

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

function stripPng(picture: Buffer): Buffer | null {
  const kept: Buffer[] = [picture.subarray(0, 8)];
  let at = 8;
  for (;;) {
    const length = picture.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > picture.length) return null;
    const type = picture.toString('latin1', at + 4, at + 8);
    if (neededChunks.has(type)) kept.push(picture.subarray(at, end));
    if (type === 'eXIf') {
      const orientation = orientationOf(picture.subarray(at + 8, end - 4));
      if (orientation !== upright) kept.push(pngChunk(type, orientationOnly(orientation)));
    }
    if (type === 'IEND') return Buffer.concat(kept);
    at = end;
  }
}

type Chunk = { type: string; data: Buffer };

/** The chunks in a part of a RIFF file; null if they do not fill it. */
function riffChunks(part: Buffer): Chunk[] | null {
  const chunks: Chunk[] = [];
  let at = 0;
  while (at + 8 <= part.length) {
    const size = part.readUInt32LE(at + 4);
    const end = at + 8 + size;
    if (end > part.length) return null;
    chunks.push({ type: part.toString('latin1', at, at + 4), data: part.subarray(at + 8, end) });
    at = end + (size % 2);
  }
  return chunks;
}

function riffChunk({ type, data }: Chunk): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

const neededRiff = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ICCP', 'ANIM', 'ANMF']);
const frameHead = 16;
const [exifFlag, xmpFlag] = [0x08, 0x04];

/** A frame of an animation has its own chunks. */
function strippedFrame({ type, data }: Chunk): Chunk {
  if (type !== 'ANMF') return { type, data };
  const inner = (riffChunks(data.subarray(frameHead)) ?? []).filter((chunk) => neededRiff.has(chunk.type));
  return { type, data: Buffer.concat([data.subarray(0, frameHead), ...inner.map(riffChunk)]) };
}

/** The header of the extended format lists the metadata that follows. */
function withFlags({ type, data }: Chunk, hasExif: boolean): Chunk {
  if (type !== 'VP8X') return { type, data };
  const head = Buffer.from(data);
  head.writeUInt8((head.readUInt8(0) & ~(exifFlag | xmpFlag)) | (hasExif ? exifFlag : 0), 0);
  return { type, data: head };
}

function stripWebp(picture: Buffer): Buffer | null {
  const chunks = riffChunks(picture.subarray(12, Math.min(picture.length, 8 + picture.readUInt32LE(4))));
  if (!chunks?.some(({ type }) => type === 'VP8 ' || type === 'VP8L' || type === 'ANMF')) return null;
  const exif = chunks.find(({ type }) => type === 'EXIF');
  // some programs also write the Exif header of JPEG
  const orientation = exif ? orientationOf(behind(exif.data, exifHead)) : upright;
  const isTurned = orientation !== upright;
  const kept = chunks
    .filter(({ type }) => neededRiff.has(type))
    .map((chunk) => withFlags(strippedFrame(chunk), isTurned));
  const body = Buffer.concat(
    [...kept, ...(isTurned ? [{ type: 'EXIF', data: orientationOnly(orientation) }] : [])].map(riffChunk),
  );
  const head = Buffer.from(picture.subarray(0, 12));
  head.writeUInt32LE(body.length + 4, 4);
  return Buffer.concat([head, body]);
}

const strip: Record<PictureType, (picture: Buffer) => Buffer | null> = {
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/webp': stripWebp,
};
