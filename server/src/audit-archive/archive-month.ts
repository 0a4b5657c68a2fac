import pg from 'pg';
import Cursor from 'pg-cursor';
import type { Archive } from '../backup/archive.ts';
import type { Cipher } from '../backup/encryption.ts';
import { Refusal } from '../backup/refusal.ts';
import { addTo, entryColumns, multirangeOf } from './entries.ts';
import type { ArchivedEntry, Ranges } from './entries.ts';
import { readMonth, writeEntries, writeMonth } from './month.ts';
import type { Month } from './month.ts';
import { verifyMonth } from './verify.ts';

/** Entries per file: a few hundred kilobytes when packed, some tens of megabytes in memory. */
const entriesPerFile = 20_000;

const partOf = (month: string) => pg.escapeIdentifier(`audit_log_${month.replace('-', '')}`);

/** The months of the log that ended at least this many months ago, oldest first. */
export async function monthsOlderThan(client: pg.Client, months: number): Promise<string[]> {
  const { rows } = await client.query<{ month: string }>(
    `select to_char(m.month, 'YYYY-MM') as month
     from pg_inherits i join pg_class p on p.oid = i.inhrelid,
          lateral (select to_date(substring(p.relname from '^audit_log_(\\d{6})$'), 'YYYYMM') as month) as m
     where i.inhparent = 'audit_log'::regclass
       and m.month + interval '1 month' <= date_trunc('month', now()) - make_interval(months => $1)
     order by 1`,
    [months],
  );
  return rows.map(({ month }) => month);
}

type Written = { month: Month; sha256: string };

/**
 * Writes a month of the log, unless the archive has it. Changes nothing in the database.
 * @returns undefined for a month without entries
 * @throws {Refusal} if an entry has no link yet, or the archive has a different month of this name
 */
export async function writeMonthOf(
  client: pg.Client,
  to: { archive: Archive; cipher: Cipher; release: string },
  month: string,
): Promise<Written | undefined> {
  await client.query('begin isolation level repeatable read read only');
  try {
    await refuseUnlinked(client, month);
    const existing = await readMonth(to.archive, month);
    if (existing) return await sameMonth(client, to.archive, existing);
    return await copyMonth(client, to, month);
  } finally {
    await client.query('rollback');
  }
}

async function refuseUnlinked(client: pg.Client, month: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `select a.id from ${partOf(month)} a where not exists (select from audit_chain c where c.audit_id = a.id) limit 1`,
  );
  if (rows[0])
    throw new Refusal(
      `Entry ${rows[0].id} of ${month} has no link yet: run the service for some minutes, and look at audit-verify.`,
    );
}

/** A link stands for all links before it, so months with the same positions and the same last link are equal. */
async function sameMonth(client: pg.Client, archive: Archive, { month, sha256 }: Written): Promise<Written> {
  const { rows } = await client.query<{ entries: number; head: string; positions: string }>(
    `select count(*)::int as entries, (array_agg(encode(c.hash, 'hex') order by c.position desc))[1] as head,
            range_agg(int8range(c.position, c.position, '[]'))::text as positions
     from ${partOf(month.month)} a join audit_chain c on c.audit_id = a.id`,
  );
  const [found] = rows;
  if (
    found?.entries !== month.entries ||
    found.head !== month.head.hash ||
    found.positions !== multirangeOf(month.positions)
  )
    throw new Refusal(
      `${archive.root} holds another ${month.month}, with ${month.entries} entries where the log has ${found?.entries ?? 0}: choose another folder.`,
    );
  return { month, sha256 };
}

async function copyMonth(
  client: pg.Client,
  { archive, cipher, release }: { archive: Archive; cipher: Cipher; release: string },
  month: string,
): Promise<Written | undefined> {
  const positions: Ranges = [];
  const files: Month['files'] = [];
  let last: ArchivedEntry | undefined;
  const cursor = client.query(
    new Cursor<ArchivedEntry>(
      `select ${entryColumns} from ${partOf(month)} a join audit_chain c on c.audit_id = a.id order by c.position`,
    ),
  );
  for (;;) {
    const entries = await cursor.read(entriesPerFile);
    if (entries.length === 0) break;
    for (const { position } of entries) addTo(positions, Number(position));
    last = entries.at(-1);
    files.push(await writeEntries(archive, cipher, month, entries));
  }
  await cursor.close();
  if (!last) return undefined;
  const written = {
    month,
    entries: files.reduce((total, { entries }) => total + entries, 0),
    positions,
    head: { position: Number(last.position), hash: last.hash },
    is_encrypted: cipher.recipient !== null,
    release,
    files,
  };
  const sha256 = await writeMonth(archive, written);
  return { month: { format: 1, ...written }, sha256 };
}

/**
 * Removes a month from the log and records its archive, after rereading the archive and comparing it with the chain. A
 * running service waits only briefly, since its entries belong to other months.
 * @throws {Refusal} if the month has other entries than the archive
 */
export async function removeMonth(
  client: pg.Client,
  { archive, open }: { archive: Archive; open: Cipher['open'] },
  { month, sha256 }: Written,
): Promise<void> {
  const positions = multirangeOf(month.positions);
  const noted = {
    month: month.month,
    entries: month.entries,
    positions,
    manifest_sha256: sha256,
    location: archive.root,
  };
  await verifyMonth(client, archive, { noted, open });
  const part = partOf(month.month);
  await client.query(`begin; set local lock_timeout = '5s'; lock table ${part} in share mode`);
  try {
    const { rows } = await client.query<{ entries: string }>(`select count(*) as entries from ${part}`);
    if (Number(rows[0]?.entries) !== month.entries)
      throw new Refusal(`${month.month} has changed since it was written to ${archive.root}: start the command again.`);
    await client.query(
      `insert into audit_archives (month, entries, positions, manifest_sha256, location)
       values (to_date($1, 'YYYY-MM'), $2, $3, $4, $5)`,
      [month.month, month.entries, positions, sha256, archive.root],
    );
    await client.query(
      `insert into audit_log (actor_name, action, subject_type, subject_label, changes)
       values ('System', 'audit_log.archived', 'audit_log', $1,
               jsonb_build_object('entries', jsonb_build_object('from', $2::int, 'to', 0),
                                  'manifest', jsonb_build_object('from', null, 'to', $3::text),
                                  'positions', jsonb_build_object('from', null, 'to', $4::text)))`,
      [month.month, month.entries, sha256, positions],
    );
    await client.query(`drop table ${part}`);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw isBusy(error)
      ? new Refusal(`The audit log is in use: ${month.month} stays, start the command again.`, { cause: error })
      : error;
  }
}

const isBusy = (error: unknown) => (error as { code?: string }).code === '55P03';
