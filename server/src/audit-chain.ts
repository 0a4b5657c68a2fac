import { sql } from 'kysely';
import type { Db } from './db/connect.ts';
import { inJob } from './jobs/task.ts';

const batch = 5_000;
/** So many breaks of one kind are enough to know that something is wrong. */
const most = 100;

/** What is wrong with the chain of the audit log. */
export type ChainBreak = { position: number | null; audit_id: number; fault: string };
/** The newest link; comparing it with a copy stored elsewhere shows whether later entries were cut off. */
export type ChainHead = { position: number; hash: string };

/**
 * Chains the rows whose transactions are over, oldest first, at most a batch of them. Rows of a transaction that may
 * still commit wait, so that the order never changes afterwards.
 * @returns how many rows were chained
 */
export async function chainAuditLog(db: Db): Promise<number> {
  const { rows } = await sql<{ chained: number }>`select chain_audit_log(${batch}) as chained`.execute(db);
  return rows[0]?.chained ?? 0;
}

/** The size of a round of `chainAuditLog`: less than this was chained when nothing more waits. */
export const chainBatch = batch;

export async function chainHead(db: Db): Promise<ChainHead | undefined> {
  const { rows } = await sql<ChainHead>`
    select position, encode(hash, 'hex') as hash from audit_chain order by position desc limit 1`.execute(db);
  return rows[0];
}

/** A part of a long look: with the time of a job, and without holding anything until the next one. */
const inPart = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> => (db.isTransaction ? work(db) : inJob(db, work));

/** Rows that were added behind the chain's back: older than what it has reached, and without a link. */
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
 * Months that are noted as archived without the entry that says so, with the same content. An entry that was archived
 * itself is compared by `audit-archive --verify`.
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
 * Compares every link with its row and with the link before it, and looks for rows without one, some at a time so that
 * no statement takes long. What was found is handed out at once: a later failure does not hide it.
 * @returns of each kind the first hundred breaks or so; none when the log is as it was written
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
