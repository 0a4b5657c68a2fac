import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '../refusal.ts';

/** WAL comes in segments of 16 MiB. Their names consist of the timeline and the segment number. */
export const segmentBytes = 16 * 1_024 * 1_024;
const perLog = 0x1_00_00_00_00 / segmentBytes;

const hex = (number: number) => number.toString(16).toUpperCase().padStart(8, '0');

export const isSegment = (name: string) => /^[0-9A-F]{24}$/.test(name);
export const isHistory = (name: string) => /^[0-9A-F]{8}\.history$/.test(name);
export const timelineOf = (name: string) => Number.parseInt(name.slice(0, 8), 16);

/** `000000010000000A000000FF` → 0xAFF. */
export const numberOf = (name: string) =>
  Number.parseInt(name.slice(8, 16), 16) * perLog + Number.parseInt(name.slice(16), 16);

export const segmentName = (timeline: number, number: number) =>
  `${hex(timeline)}${hex(Math.floor(number / perLog))}${hex(number % perLog)}`;

export const nextSegment = (name: string) => segmentName(timelineOf(name), numberOf(name) + 1);

/** The bytes of WAL before a position such as `0/81168E8`. */
export function bytesOf(lsn: string): number {
  const [high = '', low = ''] = lsn.split('/');
  return Number.parseInt(high, 16) * 0x1_00_00_00_00 + Number.parseInt(low, 16);
}

/** The number of the segment that contains the byte at a position. */
export const segmentAt = (bytes: number) => Math.floor(bytes / segmentBytes);

/**
 * The name of a line of WAL: a timeline of a cluster. A cluster restored from rows starts with timeline 1 again, so the
 * number alone would mix up two of them.
 */
export const lineOf = (system: string, timeline: number) => `${system}-${hex(timeline)}`;
export const isLine = (name: string) => /^\d{1,20}-[0-9A-F]{8}$/.test(name);
export const pathOfWal = (line: string, name: string) => `wal/${line}/${name}`;

const longHeader = 40;
const isLongHeader = 2;

/**
 * The identifier of the cluster that wrote a segment.
 * @throws {Refusal} for content that is not the segment of this name
 */
export function systemOf(name: string, content: Buffer): string {
  const { length } = content;
  const isWhole =
    length === segmentBytes &&
    length >= longHeader &&
    (content.readUInt16LE(2) & isLongHeader) !== 0 &&
    content.readUInt32LE(32) === segmentBytes &&
    Number(content.readBigUInt64LE(8)) === numberOf(name) * segmentBytes;
  if (!isWhole) throw new Refusal(`${name} is not a WAL segment: use another copy of the archive.`);
  return content.readBigUInt64LE(24).toString();
}

/** The line that a cluster writes, according to its control file; undefined if there is none. */
export async function currentLine(cluster: string): Promise<string | undefined> {
  const file = await open(join(cluster, 'global', 'pg_control')).catch(() => undefined);
  if (!file) return undefined;
  try {
    const { buffer } = await file.read(Buffer.alloc(52), 0, 52, 0);
    return lineOf(buffer.readBigUInt64LE(0).toString(), buffer.readUInt32LE(48));
  } finally {
    await file.close();
  }
}
