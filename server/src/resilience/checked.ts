import { join } from 'node:path';
import { connect } from '../db/connect.ts';
import { brokenInvariants } from '../testing/invariants.ts';
import { ownerUrlOf } from '../testing/service-process.ts';
import { ledgerFaults } from './ledger.ts';

/** What is wrong with the data of a running installation: by itself, and by the ledger of what was asked of it. */
export async function faultsOf(dataDir: string, ledgerPath?: string): Promise<string[]> {
  const { db } = connect({ url: await ownerUrlOf(dataDir), max: 2 });
  try {
    const told = ledgerPath ? await ledgerFaults(db, ledgerPath) : [];
    return [...told, ...(await brokenInvariants(db, join(dataDir, 'files')))];
  } finally {
    await db.destroy();
  }
}
