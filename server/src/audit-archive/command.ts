import type pg from 'pg';
import { archiveOf, secretsOf, writableOf } from '../backup/command.ts';
import type { Command } from '../backup/command.ts';
import { claimArchive, requireArchive } from '../backup/archive.ts';
import type { Archive } from '../backup/archive.ts';
import { installationOf } from '../backup/chunks.ts';
import { cipherToRead, cipherToWrite } from '../backup/encryption.ts';
import { Refusal } from '../backup/refusal.ts';
import { loadBackupKey } from '../backup/runs.ts';
import { withConnection, withoutBackups } from '../backup/snapshot.ts';
import { openSource } from '../backup/source.ts';
import { copySettings } from '../backup/tables.ts';
import { version } from '../releases/release.ts';
import { monthsOlderThan, removeMonth, writeMonthOf } from './archive-month.ts';
import { listMonths, readEntries, readMonth } from './month.ts';
import { notedMonths, verifyMonth } from './verify.ts';

/** People sometimes look up the past year, so it stays in the database. */
export const fewestMonths = 12;

/** @throws {Refusal} for text that is not a number of months, or for too few */
export function parseMonths(text: string | undefined): number {
  if (text !== undefined && /^\d{1,4}$/.test(text) && Number(text) >= fewestMonths) return Number(text);
  throw new Refusal(`Give the age of the months to archive with --older-than MONTHS, at least ${fewestMonths}.`);
}

/** Connects as the owner of the tables, since the application's role cannot remove entries. */
async function asOwner<T>({ config, log }: Command, work: (client: pg.Client, url: string) => Promise<T>): Promise<T> {
  const source = await openSource(config, log);
  try {
    return await withConnection('audit-archive', source.writeUrl, async (client) => {
      await client.query(copySettings);
      return work(client, source.writeUrl);
    });
  } finally {
    await source.close();
  }
}

/** Moves months of the log from the database to an archive, oldest first. */
export async function archiveCommand(command: Command & { months: number; isTrial: boolean }): Promise<void> {
  const archive = archiveOf(command, '--to');
  const secrets = await secretsOf(command);
  await asOwner(command, async (client, url) => {
    const months = await monthsOlderThan(client, command.months);
    if (months.length === 0) return command.print(`No month of the audit log is older than ${command.months} months`);
    if (command.isTrial) return command.print(`Would be archived to ${archive.root}: ${months.join(', ')}`);
    // two commands at once would remove each other's files
    await withoutBackups(url, async () => {
      const writable = await writableOf(command, '--to');
      await claimArchive(writable, installationOf(await loadBackupKey(url)));
      const to = { archive: writable, cipher: await cipherToWrite(writable, secrets), release: version };
      for (const month of months) {
        // oldest first, so that an interruption leaves no gap
        const written = await writeMonthOf(client, to, month);
        if (!written) continue;
        // with the key as a reader finds it: it differs if a run in another database has just created it
        await removeMonth(client, { archive, open: await cipherToRead(archive, secrets) }, written);
        command.print(`${month}: ${written.month.entries} entries archived, SHA-256 of its manifest ${written.sha256}`);
      }
    });
  });
}

/** `--list` */
export async function listCommand(command: Command): Promise<void> {
  const archive = await openToRead(command);
  const names = await listMonths(archive);
  if (names.length === 0) command.print(`${archive.root} contains no months of the audit log`);
  for (const name of names) {
    const found = await readMonth(archive, name);
    const state = found?.month.is_encrypted ? 'encrypted' : 'not encrypted';
    command.print(found ? `${name}  ${found.month.entries} entries  ${state}` : `${name}  not complete`);
  }
}

/** `--print MONTH`: one line of JSON for each entry. */
export async function printCommand(command: Command & { month: string }): Promise<void> {
  const archive = await openToRead(command);
  const found = await readMonth(archive, command.month);
  if (!found)
    throw new Refusal(`${archive.root} does not contain ${command.month}: --list shows the months that it contains.`);
  const open = await cipherToRead(archive, await secretsOf(command));
  for await (const entries of readEntries(archive, found.month, open))
    for (const entry of entries) command.print(JSON.stringify(entry));
}

/** `--verify`: compares every archived month with the chain in the database. */
export async function verifyCommand(command: Command): Promise<void> {
  const archive = await openToRead(command);
  const open = await cipherToRead(archive, await secretsOf(command));
  await asOwner(command, async (client) => {
    const months = await notedMonths(client);
    if (months.length === 0) command.print('No month of the audit log was archived');
    for (const noted of months) {
      const wasRead = await verifyMonth(client, archive, { noted, open });
      command.print(
        wasRead
          ? `${noted.month}: ${noted.entries} entries fit their links`
          : `${noted.month}: all files exist. They were not read, because the key is missing: add --identity FILE.`,
      );
    }
  });
}

async function openToRead(command: Command): Promise<Archive> {
  const archive = archiveOf(command, '--to');
  await requireArchive(archive);
  return archive;
}
