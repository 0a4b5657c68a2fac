import type pg from 'pg';
import type { Archive } from '../backup/archive.ts';
import type { Cipher } from '../backup/encryption.ts';
import { Refusal } from '../backup/refusal.ts';
import { linkOf, multirangeOf } from './entries.ts';
import type { ArchivedEntry } from './entries.ts';
import { checkFiles, readEntries, readMonth } from './month.ts';
import type { Month } from './month.ts';

/** A month that the database has recorded as archived. */
export type Noted = { month: string; entries: number; positions: string; manifest_sha256: string; location: string };

/** The archived months, oldest first. */
export async function notedMonths(client: pg.Client): Promise<Noted[]> {
  const { rows } = await client.query<Noted>(
    `select to_char(month, 'YYYY-MM') as month, entries::int as entries, positions::text as positions, manifest_sha256,
            location
     from audit_archives order by 1`,
  );
  return rows;
}

/**
 * Compares an archived month with the database's record of it, and each entry with its link in the chain.
 * @param open absent without a key: the files are compared with their hashes but not read
 * @returns false if the month is encrypted and there is no key
 * @throws {Refusal} at the first difference
 */
export async function verifyMonth(
  client: pg.Client,
  archive: Archive,
  { noted, open }: { noted: Noted; open: Cipher['open'] },
): Promise<boolean> {
  const found = await readMonth(archive, noted.month);
  if (!found) throw new Refusal(`${archive.root} lacks ${noted.month}: use the folder it was moved to.`);
  const { month, sha256 } = found;
  if (sha256 !== noted.manifest_sha256 || multirangeOf(month.positions) !== noted.positions)
    throw new Refusal(`${noted.month} in ${archive.root} is not what was written: use another copy of the archive.`);
  if (month.is_encrypted && !open) {
    await checkFiles(archive, month);
    return false;
  }
  await verifyEntries(client, archive, month, open);
  return true;
}

async function verifyEntries(client: pg.Client, archive: Archive, month: Month, open: Cipher['open']): Promise<void> {
  let read = 0;
  for await (const entries of readEntries(archive, month, open)) {
    read += entries.length;
    const wrong = await firstWrong(client, entries);
    if (wrong)
      throw new Refusal(
        `Entry ${wrong.id} of ${month.month} in ${archive.root} does not fit its link: the chain in the database or the archive was changed.`,
      );
  }
  if (read !== month.entries)
    throw new Refusal(`${month.month} in ${archive.root} has ${read} of ${month.entries} entries.`);
}

async function firstWrong(client: pg.Client, entries: readonly ArchivedEntry[]): Promise<ArchivedEntry | undefined> {
  const { rows } = await client.query<{ position: string; audit_id: string; hash: string; previous: string | null }>(
    `select c.position::text as position, c.audit_id::text as audit_id, encode(c.hash, 'hex') as hash,
            (select encode(p.hash, 'hex') from audit_chain p where p.position = c.position - 1) as previous
     from audit_chain c where c.position = any($1::bigint[])`,
    [entries.map(({ position }) => position)],
  );
  const links = new Map(rows.map((link) => [link.position, link]));
  return entries.find((entry) => {
    const link = links.get(entry.position);
    return link?.audit_id !== entry.id || link.hash !== entry.hash || linkOf(link.previous ?? '', entry) !== link.hash;
  });
}
