import { sql } from 'kysely';
import type { Db } from './db/connect.ts';
import { inJobTransaction } from './jobs/task.ts';

const batch = 5_000;
/** This many breaks of one kind are enough to show that something is wrong. */
const most = 100;

/** What is wrong with the chain of the audit log. */
export type ChainBreak = { position: number | null; audit_id: number; fault: string };
/** The newest link. Comparing it with a copy stored elsewhere shows whether later entries were cut off. */
export type ChainHead = { position: number; hash: string };

/**
 * Chains up to one batch of rows whose transactions have ended, oldest first. Rows wait while an older transaction may
 * still commit, so that the order never changes afterwards.
 * @returns how many rows were chained
 */
export async function chainAuditLog(db: Db): Promise<number> {
  const { rows } = await sql<{ chained: number }>`select chain_audit_log(${batch}) as chained`.execute(db);
  return rows[0]?.chained ?? 0;
}

/** The batch size of `chainAuditLog`: if it chained fewer rows, no more are waiting. */
export const chainBatch = batch;

export async function chainHead(db: Db): Promise<ChainHead | undefined> {
  const { rows } = await sql<ChainHead>`
    select position, encode(hash, 'hex') as hash from audit_chain order by position desc limit 1`.execute(db);
  return rows[0];
}

/** One part of a long check, in a transaction with a job's time limit; nothing is held until the next part. */
const inPart = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : inJobTransaction(db, work);

/** Rows added without the chain: older than its newest link, and without a link. */
async function* unchainedRows(db: Db): AsyncGenerator<ChainBreak[]> {
  // as text: an attacker who inserts rows may choose any id
  let after: string | null | undefined;
  do {
    const beyond = after ? sql`where id > ${after}` : sql``;
    const { rows } = await inPart(db, (trx) =>
      sql<{ last: string | null; loose: number[] | null }>`
        -- one look into an index for each row, where an anti-join would gather the whole chain
        select max(a.id)::text as last, array_agg(a.id order by a.id) filter (
          where a.transaction < (select transaction from audit_chain_reached)
            and (select c.position from audit_chain c where c.audit_id = a.id) is null) as loose
        from (select id, transaction from audit_log ${beyond} order by id limit ${batch}) as a`.execute(trx),
    );
    const { last, loose } = rows[0] as (typeof rows)[number];
    yield (loose ?? []).map((audit_id) => ({ position: null, audit_id, fault: 'row without a link' }));
    after = last;
  } while (after);
}

/** Links that do not fit their row or the link before them. */
async function* brokenLinks(db: Db): AsyncGenerator<ChainBreak[]> {
  const head = (await chainHead(db))?.position ?? 0;
  for (let first = 1; first <= head; first += batch) {
    const { rows } = await inPart(db, (trx) =>
      sql<ChainBreak>`select * from broken_audit_links(${first}, ${batch})`.execute(trx),
    );
    yield rows;
  }
}

/**
 * Months recorded as archived without a matching audit entry for it. An audit entry that was archived itself is
 * compared by `audit-archive --verify`.
 */
async function* forgedNotes(db: Db): AsyncGenerator<ChainBreak[]> {
  const { rows } = await inPart(db, (trx) =>
    sql<{ month: string }>`
      select to_char(m.month, 'YYYY-MM') as month from audit_archives m
      where m.archived_at >= (select max(month) + interval '1 month' from audit_archives) and not exists (
        select from audit_log a
        where a.action = 'audit_log.archived' and a.subject_label = to_char(m.month, 'YYYY-MM')
          and a.changes #>> '{manifest,to}' = m.manifest_sha256 and a.changes #>> '{positions,to}' = m.positions::text)
      order by 1`.execute(trx),
  );
  yield rows.map(({ month }) => ({ position: null, audit_id: 0, fault: `no entry about the archive of ${month}` }));
}

/**
 * Compares every link with its row and with the link before it, and looks for rows without one, in batches so that no
 * statement takes long. Yields breaks as they are found, so that a later failure does not hide them.
 * @returns about the first hundred breaks of each kind; none if the log is unchanged
 */
export async function* findAuditBreaks(db: Db): AsyncGenerator<ChainBreak[]> {
  for (const look of [brokenLinks, unchainedRows, forgedNotes]) {
    let found = 0;
    for await (const breaks of look(db)) {
      if (breaks.length > 0) yield breaks;
      found += breaks.length;
      if (found >= most) break;
    }
  }
}

/** All that `findAuditFaults` finds. */
export const auditBreaks = async (db: Db): Promise<ChainBreak[]> => (await Array.fromAsync(findAuditBreaks(db))).flat();
