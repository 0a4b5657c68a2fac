import { readFile } from 'node:fs/promises';
import { record } from '../audit.ts';
import { detect } from '../files/detect.ts';
import { openPictures } from '../files/pictures.ts';
import type { Upload } from '../http/body.ts';
import { FileReply } from '../http/context.ts';
import type { Ctx, ServiceCtx } from '../http/context.ts';
import { invalid, notFound } from '../http/errors.ts';
import { requireDiskSpace } from '../http/disk-space.ts';
import { changePeople } from './row-write.ts';

/** The person of a picture; the row is locked for changes. */
export type Pictured = {
  id: number;
  name: string;
  entity_id: number;
  employee_number: string;
  picture_key: string | null;
};

// one queue for the process, because decoding uses its memory
const pictures = openPictures();
const mime_type = 'image/webp';

async function remade(file: Upload): Promise<Buffer> {
  const detected = await detect(file.path, file.file_name, 'picture');
  if ('refusal' in detected) throw invalid('file', detected.refusal);
  const picture = await pictures.profilePicture(await readFile(file.path));
  if ('refusal' in picture) throw invalid('file', picture.refusal);
  return picture.bytes;
}

/** Sets another picture key; a job removes the previous blob. */
async function setKey({ db, actor, request }: ServiceCtx, person: Pictured, key: string | null) {
  await changePeople(db, actor, [person.id], { picture_key: key });
  if (person.picture_key) await db.insertInto('removed_files').values({ file_key: person.picture_key }).execute();
  await record(
    { db, actor, request },
    {
      action: key ? 'employee.picture_set' : 'employee.picture_removed',
      subject_id: person.id,
      subject_label: person.name,
      entity_id: person.entity_id,
    },
  );
}

/** Re-encodes and stores the sent picture, so that no metadata remains. */
export async function replacePicture(ctx: ServiceCtx, person: Pictured, file: Upload): Promise<void> {
  const { files } = ctx.deps;
  await requireDiskSpace(ctx.deps);
  const bytes = await remade(file);
  const received = await files.receive([bytes], { maxBytes: bytes.byteLength });
  await setKey(ctx, person, await files.keep(received));
}

/** Removes the person's picture, if there is one. */
export async function removePicture(ctx: ServiceCtx, person: Pictured): Promise<void> {
  if (person.picture_key) await setKey(ctx, person, null);
}

/** The picture as a download with this name. Throws 404 if there is none. */
export async function pictureReply(
  { deps }: Pick<Ctx, 'deps'>,
  { picture_key: key, name }: { picture_key: string | null; name: string },
): Promise<FileReply> {
  const found = key ? await deps.files.open(key) : null;
  if (!found) throw notFound();
  return new FileReply({ ...found, mime_type, name: `${name}.webp` });
}
