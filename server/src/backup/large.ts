import { formatBytes } from './format-bytes.ts';
import { Refusal } from './refusal.ts';
import { withConnection } from './snapshot.ts';

/** Above this a backup takes hours, and VACUUM cannot clean up while its snapshot is open. */
const usualMost = 100_000_000_000;

/** Refuses a database that is too large for a backup table by table (ADR 140). */
export async function refuseLarge(url: string, most = usualMost): Promise<void> {
  const { rows } = await withConnection('backup', url, (client) =>
    client.query<{ bytes: number }>('select pg_database_size(current_database())::float8 as bytes'),
  );
  const bytes = rows[0]?.bytes ?? 0;
  if (bytes <= most) return;
  throw new Refusal(
    `The database has ${formatBytes(bytes)}, and a backup prevents VACUUM from cleaning up while it runs: ` +
      `above ${formatBytes(most)} use pgBackRest (docs/backup.md), or add --force to make it anyway.`,
  );
}
