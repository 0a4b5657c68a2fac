import { sql } from 'kysely';
import type { Deps } from '../http/context.ts';
import type { Connection, Note } from './connection.ts';

export type Handled = {
  method: string;
  resource: string;
  status: number;
  detail: string | null;
  note: Note;
};

// removes control characters and lone surrogates, which no column accepts
const written = (name: string) => name.toWellFormed().replaceAll(/\p{Cc}/gu, '');

/**
 * Adds a request to the log that administrators see: whatever changed or was refused, names without values. The entry
 * remains even if the work was rolled back.
 */
export async function logRequest(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { id, is_dry_run }: Pick<Connection, 'id' | 'is_dry_run'>,
  { method, resource, status, detail, note }: Handled,
): Promise<void> {
  const userId = note.user_id;
  const ignored = note.ignored.map(written);
  await sql`
    insert into scim_requests (connection_id, method, resource, target, status, effect, detail, changed, ignored,
      is_dry_run, user_id)
    values (${id}, ${method}, ${resource}, ${note.target}::uuid, ${status}::smallint, ${note.effect},
      ${detail?.slice(0, 500) ?? null}, ${note.changed}::text[], ${ignored}::text[], ${is_dry_run}::boolean,
      ${userId}::bigint)`
    .execute(db)
    .catch((error: unknown) =>
      log.error(
        { err: error, event: 'scim_log_failed', connection_id: id },
        'a SCIM request could not be written to the log of its connection',
      ),
    );
}
