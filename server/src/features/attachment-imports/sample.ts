import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { fileTypes } from '../../files/limits.ts';
import { FileReply } from '../../http/context.ts';

const files = {
  '1001/Certificates/First aid.csv': 'course,day\nFirst aid,2024-03-12\n',
  '1001/Equipment.csv': 'item,handed over\nLaptop,2024-01-08\n',
  '1002_Training plan.csv': 'month,topic\nJanuary,Safety\nFebruary,Products\n',
} as const;

/** A sample archive with both ways to name the person of a file, and a folder that names the category. */
export function sampleArchive(): FileReply {
  const zip = new ZipFile();
  // a fixed time keeps the sample the same
  for (const [path, content] of Object.entries(files))
    zip.addBuffer(Buffer.from(content), path, { mtime: new Date(0), mode: 0o100644 });
  zip.end();
  return new FileReply({ stream: Readable.from(zip.outputStream), mime_type: fileTypes.zip, name: 'files-sample.zip' });
}
