import * as z from 'zod';
import { randomBytes, sha256Hex } from '../crypto/crypto.ts';
import { archiveFormat, isDraft, parsed } from './archive.ts';
import type { Archive } from './archive.ts';
import type { Cipher } from './encryption.ts';
import { timeOf } from './keep.ts';
import { Refusal } from './refusal.ts';

const job = z.object({
  task: z.string(),
  payload: z.unknown(),
  queue: z.string().nullable(),
  key: z.string().nullable(),
  run_at: z.string(),
  max_attempts: z.number(),
  priority: z.number(),
});

const manifest = z.object({
  format: z.number(),
  /** Its own name, which reveals swapped manifests. */
  id: z.string(),
  /** When the snapshot was taken. */
  at: z.string(),
  release: z.string(),
  postgres: z.string(),
  lsn: z.string().nullable(),
  /** File names with the SHA-256 of their content. */
  migrations: z.record(z.string(), z.string()),
  /** 64 hex digits; a reader compares each chunk with its name. */
  naming_key: z.string().regex(/^[0-9a-f]{64}$/),
  tables: z.record(
    z.string(),
    z.object({
      columns: z.array(z.string()),
      rows: z.number(),
      /** The sum of `hashtextextended` over the rows. */
      sum: z.string(),
      bytes: z.number(),
      chunks: z.array(z.string()),
    }),
  ),
  audit_months: z.array(z.string().regex(/^\d{6}$/)),
  sequences: z.record(z.string(), z.tuple([z.string(), z.boolean()])),
  jobs: z.array(job),
  files: z.array(z.object({ key: z.string(), sha256: z.string(), size: z.number(), chunks: z.array(z.string()) })),
  /** Keys of files that were missing from the store when the backup was made. */
  missing_files: z.array(z.string()),
  /** Ids of the application keys of the installation; the keys themselves are never in a backup. */
  key_ids: z.array(z.string()),
  /** Position and hash of the newest link of the audit log. */
  audit_head: z.string().nullable(),
});
export type Manifest = z.output<typeof manifest>;
export type PendingJob = z.output<typeof job>;

const folderOfBackup = (id: string) => `backups/${id}`;
const isBackupId = (name: string) => /^\d{8}T\d{6}Z-[0-9a-f]{6}$/.test(name);

export const nameOfTime = (at: string): string => `${at.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

/** Names sort by time: milliseconds follow the seconds, so that the newest is always the last. */
export function newBackupId(at: string): string {
  const milliseconds = Temporal.Instant.from(at).epochMilliseconds % 1_000;
  const random = randomBytes(2).toString('hex').slice(1);
  return `${nameOfTime(at)}-${milliseconds.toString(16).padStart(3, '0')}${random}`;
}

type Stored = { names: ReadonlySet<string>; cipher: Cipher };

/** Writes the names of the chunks, then the manifest, which completes the backup. Returns the manifest's SHA-256. */
export async function writeManifest(archive: Archive, content: Manifest, { names, cipher }: Stored): Promise<string> {
  const folder = folderOfBackup(content.id);
  await archive.write(
    `${folder}/chunks.txt`,
    [...names]
      .toSorted()
      .map((name) => `${name}\n`)
      .join(''),
  );
  const text = Buffer.from(`${JSON.stringify(content)}\n`);
  const path = `${folder}/manifest.json`;
  await (cipher.recipient === null ? archive.write(path, text) : archive.write(`${path}.age`, await cipher.seal(text)));
  return sha256Hex(text);
}

/** The names of complete backups, oldest first. */
export async function listBackups(archive: Archive): Promise<string[]> {
  const complete: string[] = [];
  for (const id of (await archive.list('backups')).filter(isBackupId).sort()) {
    const files = await archive.list(folderOfBackup(id));
    if (files.some((name) => name.startsWith('manifest.json') && !isDraft(name))) complete.push(id);
  }
  return complete;
}

/** Folders of backups that were never completed. */
export async function listUnfinished(archive: Archive): Promise<string[]> {
  const complete = new Set(await listBackups(archive));
  return (await archive.list('backups')).filter((id) => isBackupId(id) && !complete.has(id));
}

/** Clocks may differ by less than this. */
const dayMilliseconds = 24 * 3_600_000;

/**
 * The backup of this name, or the newest. Refuses a newest one from the future: it was made under a wrong clock, and
 * would stay the newest although later ones are newer.
 */
export async function findBackup(archive: Archive, wanted = 'latest'): Promise<string> {
  const backups = await listBackups(archive);
  const id = wanted === 'latest' ? backups.at(-1) : backups.find((name) => name === wanted);
  if (id && wanted === 'latest' && Date.parse(timeOf(id)) - Date.now() > dayMilliseconds)
    throw new Refusal(
      `${id}, the newest backup, is dated in the future: correct the clock of this machine, or name the backup that you want.`,
    );
  if (id) return id;
  if (backups.length === 0) throw new Refusal(`${archive.root} contains no complete backup: make one first.`);
  throw new Refusal(`There is no backup ${wanted}: the command backup --list shows those in ${archive.root}.`);
}

export async function isEncrypted(archive: Archive, id: string): Promise<boolean> {
  return (await archive.list(folderOfBackup(id))).includes('manifest.json.age');
}

/** The chunks that a backup needs, readable without a key. */
export async function readNames(archive: Archive, id: string): Promise<string[]> {
  const text = await archive.read(`${folderOfBackup(id)}/chunks.txt`);
  if (!text) throw new Refusal(`The backup ${id} lacks its chunks.txt: use another backup.`);
  return text
    .toString()
    .split('\n')
    .filter((name) => name !== '');
}

export type Opened = { manifest: Manifest; sha256: string; open: NonNullable<Cipher['open']> };

/** Reads and decrypts a manifest. */
export async function readManifest(archive: Archive, id: string, open: Cipher['open']): Promise<Opened> {
  const path = `${folderOfBackup(id)}/manifest.json`;
  const sealed = await archive.read(`${path}.age`);
  if (!sealed) {
    const text = await archive.read(path);
    if (!text) throw new Refusal(`The backup ${id} has no manifest: use another backup.`);
    return { ...check(id, text), open: async (bytes) => bytes };
  }
  if (!open)
    throw new Refusal(
      'The backup is encrypted: give --identity FILE with its age key, or BACKUP_PASSPHRASE_FILE with its passphrase.',
    );
  const text = await open(sealed).catch((error: Error) => {
    if (/no identity matched/.test(error.message))
      throw new Refusal('This key does not decrypt the backup: give the key that the backup was made for.', {
        cause: error,
      });
    throw new Refusal(`The manifest of ${id} is damaged: use another backup.`, { cause: error });
  });
  return { ...check(id, Buffer.from(text)), open };
}

function check(id: string, text: Buffer): Omit<Opened, 'open'> {
  const content = parsed(text);
  const { format, release } = (content ?? {}) as Partial<Manifest>;
  if (typeof format === 'number' && format > archiveFormat)
    throw new Refusal(`The backup ${id} was made by a newer release of Tenure (${release ?? '?'}): use that release.`);
  const found = manifest.safeParse(content);
  if (!found.success) throw new Refusal(`The manifest of ${id} is damaged: use another backup.`);
  if (found.data.id !== id)
    throw new Refusal(
      `The folder of backup ${id} contains the manifest of ${found.data.id}: use another copy of the archive.`,
    );
  return { manifest: found.data, sha256: sha256Hex(text) };
}
