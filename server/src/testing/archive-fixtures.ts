import { crc32, deflateRawSync } from 'node:zlib';

/** An entry to write; values that a ZIP program would compute can be replaced. */
export type ArchiveEntry = {
  name: string | Buffer;
  content?: Buffer | string;
  method?: number;
  flags?: number;
  /** The unpacked size that the directory declares. */
  declared?: number;
  crc?: number;
  madeBy?: number;
  attributes?: number;
  /** The offset of another entry, so that both share packed bytes. */
  at?: number;
};

const utf8 = 0x0800;

function headOf(entry: ArchiveEntry) {
  const name = Buffer.isBuffer(entry.name) ? entry.name : Buffer.from(entry.name);
  const content = Buffer.from(entry.content ?? '');
  const method = entry.method ?? 8;
  const packed = method === 8 ? deflateRawSync(content) : content;
  const flags = entry.flags ?? (Buffer.isBuffer(entry.name) ? 0 : utf8);
  const head = Buffer.alloc(26);
  head.writeUInt16LE(20, 0);
  head.writeUInt16LE(flags, 2);
  head.writeUInt16LE(method, 4);
  head.writeUInt32LE(entry.crc ?? crc32(content), 10);
  head.writeUInt32LE(packed.length, 14);
  head.writeUInt32LE(entry.declared ?? content.length, 18);
  head.writeUInt16LE(name.length, 22);
  return { name, packed, head };
}

/** Builds a ZIP archive byte by byte, for entries that no program would write. */
export function archiveOf(entries: readonly ArchiveEntry[]): Buffer {
  const [local, central]: [Buffer[], Buffer[]] = [[], []];
  let place = 0;
  for (const entry of entries) {
    const { name, packed, head } = headOf(entry);
    const start = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), head, name, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(entry.attributes ?? 0, 6);
    tail.writeUInt32LE(entry.at ?? place, 10);
    const made = Buffer.alloc(2);
    made.writeUInt16LE(entry.madeBy ?? 20);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), made, head, tail, name]));
    local.push(start);
    place += start.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(place, 16);
  return Buffer.concat([...local, directory, end]);
}
