import { sql } from 'kysely';
import { randomToken } from '../crypto/crypto.ts';
import type { Db } from '../db/connect.ts';
import { readImport } from './record.ts';
import type { ImportRecord } from './record.ts';

/** Another process took over the import, or it was discarded: the work stops immediately. */
export class LeaseLost extends Error {}

export type Lease = { id: number; token: string };

export const newLease = () => randomToken(12);
export const leaseEnd = sql<string>`now() + interval '60 seconds'`;

/** Takes a pending import unless a worker is working on it. */
export async function takeLease(db: Db, id: number): Promise<{ lease: Lease; record: ImportRecord } | undefined> {
  const token = newLease();
  const taken = await db
    .updateTable('imports')
    .set({ lease: token, leased_until: leaseEnd })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<', sql<string>`now()`)]))
    .returning('id')
    .executeTakeFirst();
  const record = taken && (await readImport(db, sql`i.id = ${id}`));
  return record && { lease: { id, token }, record };
}

type State = {
  status?: string;
  phase?: string | null;
  [column: string]: unknown;
};

/** The state that releases a lease, so that a job resumes the import. */
export const released = { lease: null, leased_until: null };

/** Renews the lease and updates the import. Throws LeaseLost. */
export async function renewLease(db: Db, { id, token }: Lease, set: State = {}): Promise<void> {
  const ended = set.status !== undefined && set.status !== 'processing';
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({ lease: ended ? null : token, leased_until: ended ? null : leaseEnd, ...set })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .where('lease', '=', token)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new LeaseLost();
}
