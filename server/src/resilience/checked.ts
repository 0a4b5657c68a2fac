import { join } from 'node:path';
import { connect } from '../db/connect.ts';
import { brokenInvariants } from '../invariants/invariants.ts';
import { ownerUrlOf } from '../testing/service-process.ts';
import { ledgerErrors } from './ledger.ts';

/** Lists inconsistencies in the data of a running installation, also in comparison with the ledger of its requests. */
export async function findErrors(dataDir: string, ledgerPath?: string): Promise<string[]> {
  const { db, pool } = connect({ url: await ownerUrlOf(dataDir), max: 2, queryTimeout: 60_000 });
  // rules read whole tables, which takes long on a busy machine
  pool.on('connect', (client) => void client.query("set statement_timeout = '60s'"));
  try {
    const faults = ledgerPath ? await ledgerErrors(db, ledgerPath) : [];
    return [...faults, ...(await brokenInvariants(db, join(dataDir, 'files')))];
  } finally {
    await db.destroy();
  }
}
