import { sql } from 'kysely';
import type { Db } from './db/connect.ts';

const batch = 5_000;

/** What is wrong with the chain of the audit log. */
export type ChainFault = { position: number | null; audit_id: number; fault: string };
/** The newest link; whoever noted it elsewhere can tell later whether anything before it was cut off. */
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

/** Rows that were added behind the chain's back: older than what it has reached, and without a link. */
async function unchainedRows(db: Db): Promise<ChainFault[]> {
  const { rows } = await sql<ChainFault>`
    select null::bigint as position, a.id as audit_id, 'row without a link' as fault
    from audit_log a
    where a.transaction < (select transaction from audit_chain_reached)
      and not exists (select from audit_chain c where c.audit_id = a.id)
    order by a.id limit 100`.execute(db);
  return rows;
}

/**
 * Compares every link with its row and with the link before it, some at a time so that no statement takes long.
 * @returns at most the first hundred faults or so; none when the log is as it was written
 */
export async function auditFaults(db: Db): Promise<ChainFault[]> {
  const faults: ChainFault[] = [];
  const head = (await chainHead(db))?.position ?? 0;
  for (let first = 1; first <= head && faults.length < 100; first += batch) {
    const { rows } = await sql<ChainFault>`select * from broken_audit_links(${first}, ${batch})`.execute(db);
    faults.push(...rows);
  }
  return [...faults, ...(await unchainedRows(db))];
}
