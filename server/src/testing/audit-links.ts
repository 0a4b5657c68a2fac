import type pg from 'pg';
import { expect } from 'vitest';

const unlinked = 'select from audit_log a where not exists (select from audit_chain c where c.audit_id = a.id)';

/** Links all entries of the audit log. An open transaction of another test, in any database, delays that. */
export async function linkAll(owner: pg.Pool): Promise<void> {
  const look = async () => {
    await owner.query('select chain_audit_log(5000)');
    return (await owner.query(unlinked)).rowCount;
  };
  await expect.poll(look).toBe(0);
}
