import { sql } from 'kysely';
import { fileColumns } from '../files/references.ts';
import { inBatches } from './task.ts';
import type { JobContext } from './task.ts';

const batch = 500;

/** Deletes blobs a day after their row, so that a backup made in between finds them. */
export const removeDeletedFiles = ({ deps, now }: JobContext) =>
  inBatches(batch, async () => {
    const rows = await deps.db
      .selectFrom('removed_files')
      .select('file_key')
      .where('removed_at', '<', now.subtract({ hours: 24 }).toString())
      .orderBy('removed_at')
      .limit(batch)
      .execute();
    for (const { file_key } of rows) await deps.files.remove(file_key);
    const keys = rows.map((row) => row.file_key);
    if (keys.length > 0) await deps.db.deleteFrom('removed_files').where('file_key', 'in', keys).execute();
    return keys.length;
  });

/** Removes files without a row, which interrupted requests leave in the store. */
export const sweepFiles = ({ deps, now }: JobContext) =>
  deps.files.sweep({
    now: now.epochMilliseconds,
    isReferenced: async (keys) => {
      const { rows } = await sql<{ key: string }>`
        select key from unnest(${keys}::text[]) as key
        where ${sql.join(
          fileColumns.map(({ of, key }) => sql`exists (select from ${sql.table(of)} where ${sql.ref(key)} = key)`),
          sql` or `,
        )}
           or exists (select from removed_files where file_key = key)`.execute(deps.db);
      return new Set(rows.map((row) => row.key));
    },
  });
