import { sql } from 'kysely';
import { connect } from '../../server/src/db/connect.ts';
import type { Db } from '../../server/src/db/connect.ts';
import { ledgerErrors } from '../../server/src/resilience/ledger.ts';
import { urls } from './files.ts';
import type { Load } from './load.ts';

/** The number of audit log entries of each request. */
async function entriesOf(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select request_id as id, count(*)::int as count from audit_log where request_id = any(${ids}::text[]) group by 1`.execute(
    db,
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

async function batchErrors(db: Db, { batches }: Load): Promise<string[]> {
  const entries = await entriesOf(
    db,
    batches.flatMap(({ requests }) => requests),
  );
  return batches.flatMap(({ requests, size, isAcknowledged }) => {
    const found = requests.reduce((sum, id) => sum + (entries.get(id) ?? 0), 0);
    if (found === size || (found === 0 && !isAcknowledged)) return [];
    return [
      `${isAcknowledged ? 'acknowledged and lost, or repeated' : 'by half'}: ${found} of ${size} changes of ${requests[0]}`,
    ];
  });
}

async function undoneErrors(db: Db, { undone }: Load): Promise<string[]> {
  const entries = await entriesOf(db, [...undone]);
  return [...entries.keys()].map((id) => `503 without an unknown outcome, and done: ${id}`);
}

/** Differences between the answers that the writers got and the database, one line each. */
export async function differences(load: Load, ledgerPath: string): Promise<string[]> {
  // without start options, so that its statements may take long
  const { db } = connect({ url: urls.owner, max: 2, pooler: true, queryTimeout: 300_000 });
  try {
    return [
      ...(await ledgerErrors(db, ledgerPath)),
      ...(await batchErrors(db, load)),
      ...(await undoneErrors(db, load)),
    ];
  } finally {
    await db.destroy();
  }
}
