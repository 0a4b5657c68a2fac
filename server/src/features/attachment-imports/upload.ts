import { attachmentImportFields } from '@tenure/contract';
import type { attachmentImports } from '@tenure/contract';
import { sql } from 'kysely';
import { record as recordAudit } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import { ArchiveRefused, openArchive } from '../../files/archive.ts';
import { wrongType } from '../../files/limits.ts';
import { extensionOf } from '../../files/names.ts';
import type { FileStore } from '../../files/store.ts';
import type { HandlerCtx } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import { columnsOf, checkSettings, mergeSettings, plainSettings } from '../../imports/settings.ts';
import type { Column } from '../../imports/columns.ts';
import { renewLease } from '../../imports/lease.ts';
import type { Lease } from '../../imports/lease.ts';
import { sampleOf, storable } from '../../imports/staging.ts';
import { claim, runOrQueue } from '../../imports/upload.ts';
import { escapeDash } from '../../spreadsheets/escape.ts';
import { attachmentImportKind } from './kind.ts';
import { loadKnown } from './known.ts';
import { namedBy, possibleNumbers } from './path.ts';
import type { Named } from './path.ts';
import { fewAtATime, unpack } from './unpack.ts';
import type { Unpacked } from './unpack.ts';

type Ctx = HandlerCtx<typeof attachmentImports.create>;

const headings = Object.keys(attachmentImportFields);
// an object store takes a while for each file, and the lease of the import expires after a minute
const batch = 50;

/** A file of the archive and the meaning of its path. */
type NamedFile = Unpacked & Named;

/** Numbers looked up at once. */
const numbersAtOnce = 1_000;

/** Reads the paths of an archive, given the people to whom the importer can add files. */
async function nameFiles({ db, actor }: Ctx, files: readonly Unpacked[]): Promise<NamedFile[]> {
  const paths = files.map(({ path }) => path);
  const all = possibleNumbers(paths);
  const known = new Set<string>();
  for (let start = 0; start < all.length; start += numbersAtOnce) {
    const numbers = all.slice(start, start + numbersAtOnce);
    for (const number of (await loadKnown(db, actor, { numbers, checksums: [], lock: false })).keys())
      known.add(number);
  }
  const named = namedBy(paths, (number) => known.has(number));
  return files.map((file, index) => ({ ...file, ...(named[index] as Named) }));
}

/** The columns of every archive, with the values of its first file. */
function columnsWith([first]: readonly NamedFile[]): Column[] {
  const plain = headings.map((header) => ({ header, sample: null, row: null }));
  return columnsOf(attachmentImportKind, plain, null).map((column, index) => {
    const sample = first ? (cellsOf(first)[index] ?? '') : '';
    return sample === '' ? column : { ...column, sample: sampleOf(sample), row: 1 };
  });
}

/** The texts of a file in the order of the fields. */
function cellsOf({ employee_number, title, category, path, size }: NamedFile): string[] {
  const texts: Record<string, string> = {
    employee_number: escapeDash(employee_number),
    title: escapeDash(title),
    category: category ?? '',
    file: path,
    size: String(size),
  };
  return headings.map((field) => storable(texts[field] ?? ''));
}

/** Keeps some files and stores their rows. */
async function stageSome(
  { db, files: store }: { db: Db; files: FileStore },
  importId: number,
  files: readonly NamedFile[],
  before: number,
): Promise<void> {
  const keys = await fewAtATime(files, async ({ upload }) => upload && store.keep(upload));
  const staged = files.map((file, index) => {
    const { described, refusal, file_name, size } = file;
    const content = described ? { ...described, file_key: keys[index] } : { file_name, size, refusal };
    return { row: before + index + 1, cells: cellsOf(file), ...content };
  });
  const rows = sql`jsonb_to_recordset(${JSON.stringify(staged)}::jsonb) as t (
    "row" int, cells jsonb, file_key text, file_name text, mime_type text, size bigint, checksum text, refusal jsonb)`;
  await sql`
    with staged as (
      insert into import_rows (import_id, "row", cells) select ${importId}, t."row", t.cells from ${rows})
    insert into import_files (import_id, "row", file_key, file_name, mime_type, size, checksum, refusal)
    select ${importId}, t."row", t.file_key, t.file_name, t.mime_type, t.size, t.checksum, t.refusal from ${rows}`.execute(
    db,
  );
}

async function stage(ctx: Ctx, lease: Lease, files: readonly NamedFile[]): Promise<number> {
  const { db, deps } = ctx;
  for (let start = 0; start < files.length; start += batch) {
    await stageSome({ db, files: deps.files }, lease.id, files.slice(start, start + batch), start);
    await renewLease(db, lease, { progress: JSON.stringify({ processed: 0, total: files.length }) });
  }
  await renewLease(db, lease, { is_staged: true });
  await recordAudit(ctx, { action: 'import.created', subject_id: lease.id, subject_label: ctx.file.file_name });
  return files.length;
}

const toRefusal = (error: unknown) => (error instanceof ArchiveRefused ? invalid('file', error.refusal) : error);

/**
 * Unpacks an archive, then stages its files, checks them and, unless it is a dry run, writes them. Nothing is stored
 * before all of it is unpacked: a refused archive leaves nothing behind. Returns the id of the import.
 */
export async function uploadArchive(ctx: Ctx): Promise<number> {
  const { actor, body, file, deps } = ctx;
  const kind = attachmentImportKind;
  if (extensionOf(file.file_name) !== 'zip') throw invalid('file', wrongType('attachment_import'));
  const { dry_run: _, ...sent } = body;
  const settings = mergeSettings(plainSettings, sent);
  checkSettings(kind, actor, settings, headings);
  try {
    await using archive = await openArchive(file.path);
    await using unpacking = await unpack(deps, archive);
    const files = await nameFiles(ctx, unpacking.files);
    const parsed = { header_row: null, settings, columns: columnsWith(files), format: 'zip', missing: false } as const;
    const lease = await claim(kind, ctx, parsed);
    const total = await stage(ctx, lease, files);
    await runOrQueue(kind, ctx, { lease, total, missing: false });
    return lease.id;
  } catch (error) {
    throw toRefusal(error);
  }
}
