import { chainAuditLog, chainBatch, chainHead, findAuditFaults } from '../audit-chain.ts';
import { inBatches, inJob } from './task.ts';
import type { JobContext } from './task.ts';

/** Chains what was committed since the last time; an entry waits a minute at most. */
export const chainAudit = ({ deps }: JobContext) => inBatches(chainBatch, () => inJob(deps.db, chainAuditLog));

/** Looks through the whole chain and notes its head in the log of the service, which is kept elsewhere. */
export async function checkAudit({ deps: { db, log } }: JobContext) {
  for await (const faults of findAuditFaults(db))
    log.error({ event: 'audit_chain_broken', faults }, 'the audit log is not as it was written');
  log.info({ event: 'audit_chain_head', ...(await chainHead(db)) }, 'audit log checked');
}
