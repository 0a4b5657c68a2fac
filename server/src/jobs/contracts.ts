import { sql } from 'kysely';
import { runningUrl } from '../backup/source.ts';
import { applyContracts } from '../db/contracts.ts';
import { isContract, listMigrations, ownMigrations } from '../db/migration-files.ts';
import type { JobContext } from './task.ts';

/** Removes what only earlier releases use, once none of their processes is left, as the database's owner. */
export async function contractSchema({ deps: { config, db, log } }: JobContext, folder = ownMigrations): Promise<void> {
  if (config.MIGRATE === 'off') return;
  const contracts = (await listMigrations(folder)).filter(isContract);
  const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db);
  const isDone = new Set(rows.map(({ name }) => name));
  if (contracts.every((name) => isDone.has(name))) return;
  const url = await runningUrl(config);
  if (!url) return;
  for (const migration of (await applyContracts(url, folder)).applied)
    log.info(
      { event: 'contract_done', migration },
      'a migration removed what only earlier releases used: they cannot start any more',
    );
}
