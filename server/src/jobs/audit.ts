import { chainAuditLog, chainBatch, chainHead, findAuditBreaks } from '../audit-chain.ts';
import { inBatches, inJobTransaction } from './task.ts';
import type { JobContext } from './task.ts';

/** Chains the entries committed since the last run; an entry waits at most a minute. */
export const chainAudit = ({ deps }: JobContext) =>
  inBatches(chainBatch, () => inJobTransaction(deps.db, chainAuditLog));

/** Verifies the whole chain and logs its head to the service log, which is stored elsewhere. */
export async function checkAudit({ deps: { db, log, metrics } }: JobContext) {
  let found = 0;
  for await (const faults of findAuditBreaks(db)) {
    log.error(
      { event: 'audit_chain_broken', faults },
      'audit log entries were changed outside the service: run the command audit-verify',
    );
    found += faults.length;
  }
  metrics.auditChecked(found);
  log.info({ event: 'audit_chain_head', ...(await chainHead(db)) }, 'the daily check of the audit log ended');
}
