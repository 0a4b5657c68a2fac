import type { BodyOut, brand, companyBrand } from '@tenure/contract';
import { readFile } from 'node:fs/promises';
import { changesBetween, record } from '../audit.ts';
import { sentOf } from '../db/values.ts';
import { detect } from '../files/detect.ts';
import { openPictures } from '../files/pictures.ts';
import type { Upload } from '../http/body.ts';
import type { ServiceCtx, WriteCtx } from '../http/context.ts';
import { requireDiskSpace } from '../http/disk-space.ts';
import { invalid } from '../http/errors.ts';
import { checkRevision } from '../workflow/transition.ts';
import type { StoredBrand } from './read.ts';

type Sent = BodyOut<typeof brand.update> & BodyOut<typeof companyBrand.update>;
type Verb = 'updated' | 'logo_set' | 'logo_removed' | 'reset';

/** A brand with its name in the audit log; the row is locked. */
export type Changed = StoredBrand & { label: string | null };

// one queue for the process, because decoding uses its memory
const pictures = openPictures();
const versionLength = 16;

const noLogo = { logo_key: null, logo_checksum: null, logo_width: null, logo_height: null };
const nothing = { name: null, accent: null, letter_address: null, letter_registration: null, letter_footer: null };

const recorded = (ctx: WriteCtx, before: Changed, verb: Verb, changes = {}) =>
  record(ctx, {
    action: `brand.${verb}`,
    subject_id: before.entity_id,
    subject_label: before.label,
    entity_id: before.entity_id,
    changes,
  });

/** Changes name, colour and letterhead. Throws 409 if the revision differs. */
export async function changeBrand(ctx: WriteCtx, before: Changed, { revision, ...sent }: Sent): Promise<void> {
  checkRevision(before, { revision }, 'set');
  const fields = sentOf(sent);
  const changes = changesBetween(before, fields);
  if (Object.keys(changes).length === 0) return;
  await ctx.db.updateTable('brands').set(fields).where('id', '=', before.id).execute();
  await recorded(ctx, before, 'updated', changes);
}

/** Clears all settings, so that the brand of the level above applies. */
export async function resetBrand(ctx: WriteCtx, before: Changed): Promise<void> {
  const changes = changesBetween(before, nothing);
  if (Object.keys(changes).length === 0 && before.logo_key === null) return;
  await ctx.db
    .updateTable('brands')
    .set({ ...nothing, ...noLogo })
    .where('id', '=', before.id)
    .execute();
  await recorded(ctx, before, 'reset', changes);
}

async function remade(file: Upload) {
  const detected = await detect(file.path, file.file_name, 'logo');
  if ('refusal' in detected) throw invalid('file', detected.refusal);
  const picture = await pictures.logo(await readFile(file.path));
  if ('refusal' in picture) throw invalid('file', picture.refusal);
  return picture;
}

/** Re-encodes and stores the sent picture as the logo. Throws 422 for anything but a PNG or JPEG. */
export async function setLogo(ctx: ServiceCtx, before: Changed, file: Upload): Promise<void> {
  const { files } = ctx.deps;
  await requireDiskSpace(ctx.deps);
  const { bytes, width, height } = await remade(file);
  const received = await files.receive([bytes], { maxBytes: bytes.byteLength });
  const logo = {
    logo_key: await files.keep(received),
    logo_checksum: received.sha256.slice(0, versionLength),
    logo_width: width,
    logo_height: height,
  };
  await ctx.db.updateTable('brands').set(logo).where('id', '=', before.id).execute();
  await recorded(ctx, before, 'logo_set');
}

/** Removes the logo, if there is one. */
export async function removeLogo(ctx: WriteCtx, before: Changed): Promise<void> {
  if (before.logo_key === null) return;
  await ctx.db.updateTable('brands').set(noLogo).where('id', '=', before.id).execute();
  await recorded(ctx, before, 'logo_removed');
}
