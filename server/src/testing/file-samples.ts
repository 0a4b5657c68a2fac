import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import type { PictureType } from '../files/metadata.ts';

type Entry = readonly [name: string, content: string];

/** A ZIP archive of uncompressed entries, for tests. */
export function zipOf(entries: readonly Entry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of entries) {
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(Buffer.byteLength(content), 14);
    shared.writeUInt32LE(Buffer.byteLength(content), 18);
    shared.writeUInt16LE(Buffer.byteLength(name), 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, Buffer.from(name + content)]);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), shared, place, Buffer.from(name));
    locals.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, ...directory, Buffer.from('PK\x05\x06'), end]);
}

/** The entry that makes an archive an Office document; `type` is the middle part of its media type. */
export const contentTypes = (type: string): Entry => [
  '[Content_Types].xml',
  `<?xml version="1.0"?><Types><Override PartName="/main.xml" ContentType="application/vnd.${type}.main+xml"/></Types>`,
];

const office = 'openxmlformats-officedocument';

/** One small genuine file per type, and refused types, for tests. */
export async function sampleFiles() {
  const image = sharp({ create: { width: 40, height: 20, channels: 3, background: '#1565c0' } });
  const jpeg = await image.clone().jpeg().toBuffer();
  return {
    pdf: Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n'),
    png: await image.clone().png().toBuffer(),
    jpg: jpeg,
    jpeg,
    webp: await image.clone().webp().toBuffer(),
    docx: zipOf([contentTypes(`${office}.wordprocessingml.document`), ['word/document.xml', '<w:document/>']]),
    xlsx: zipOf([contentTypes(`${office}.spreadsheetml.sheet`), ['xl/workbook.xml', '<workbook/>']]),
    csv: Buffer.from('employee_number,first_name\nACME-057,Lena\n'),
    docm: zipOf([contentTypes('ms-word.document.macroEnabled'), ['word/vbaProject.bin', 'x']]),
    zip: zipOf([['notes.txt', 'hello']]),
    jar: zipOf([['META-INF/MANIFEST.MF', 'Main-Class: Evil\n']]),
    gif: await image.clone().gif().toBuffer(),
  };
}

/** A picture of four colours with place, camera, author and orientation in its metadata. */
export async function talkativePicture(type: PictureType, orientation: number): Promise<Buffer> {
  const pixels = Buffer.from(
    Array.from({ length: 24 * 16 }, (_, n) =>
      n % 24 < 12 ? [220, 20, n < 192 ? 0 : 200] : [20, n < 192 ? 220 : 60, 90],
    ).flat(),
  );
  const image = sharp(pixels, { raw: { width: 24, height: 16, channels: 3 } })
    .withExif({
      IFD0: { Copyright: 'Secret Author', Make: 'Secret Camera', Orientation: String(orientation) },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 0/1' },
    })
    .withMetadata({ orientation })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">Secret Place</x:xmpmeta>')
    .withIccProfile('p3');
  const made = {
    'image/jpeg': () => image.jpeg({ progressive: true }),
    'image/png': () => image.png(),
    'image/webp': () => image.webp({ lossless: true }),
  };
  return made[type]().toBuffer();
}
