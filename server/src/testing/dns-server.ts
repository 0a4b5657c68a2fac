import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import { afterAll } from 'vitest';
import { openNames } from '../http-out/resolve.ts';
import type { Resolve } from '../http-out/resolve.ts';

/** The records of a name: addresses, or another name; the inner lists are returned one after the other. */
export type Zone = Record<string, string[][]>;

const types = { a: 1, cname: 5, aaaa: 28 };

const encodeName = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ]);

const bytesOf6 = (address: string) => {
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const read = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const [before, after] = [read(head), read(tail)];
  const groups = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 255]));
};

function record(name: string, type: number, data: Buffer) {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(name), fixed, data]);
}

function questionOf(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** The records of a name, following other names. */
function recordsOf(name: string, type: number, valuesOf: (name: string) => string[]): Buffer[] {
  return valuesOf(name).flatMap((value) => {
    if (value.includes(':')) return type === types.aaaa ? [record(name, types.aaaa, bytesOf6(value))] : [];
    if (isIPv4(value))
      return type === types.a ? [record(name, types.a, Buffer.from(value.split('.').map(Number)))] : [];
    return [record(name, types.cname, encodeName(value)), ...recordsOf(value, type, valuesOf)];
  });
}

type Answering = {
  /** Resolves names with this server only. */
  resolve: Resolve;
  servers: string[];
  /** Queries for IPv4 addresses, by name. */
  asked: Record<string, number>;
};

/** A real name server. It never answers queries for names in the zone `silent`. */
export async function dnsServer(zone: Zone): Promise<Answering> {
  const asked: Record<string, number> = {};
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, type, end } = questionOf(query);
    const before = asked[name] ?? 0;
    if (name.endsWith('.silent')) return;
    const answers = recordsOf(name, type, (one) => zone[one]?.[Math.min(before, zone[one].length - 1)] ?? []);
    if (type === types.a) asked[name] = before + 1;
    const head = Buffer.from(query.subarray(0, end));
    head.writeUInt16BE(0x8580, 2);
    head.writeUInt16BE(answers.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, ...answers]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  afterAll(() => void socket.close());
  const servers = [`127.0.0.1:${socket.address().port}`];
  // without a hosts file
  return { resolve: openNames({ folder: '/nowhere', servers }), servers, asked };
}
