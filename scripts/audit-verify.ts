import { sql } from 'kysely';
import { chainHead, findAuditBreaks } from '../server/src/audit-chain.ts';
import { readConfig } from '../server/src/config.ts';
import { externalAddresses } from '../server/src/db/addresses.ts';
import { connect } from '../server/src/db/connect.ts';
import { addressesOfRunning, startEmbedded } from '../server/src/db/embedded.ts';
import { openLog } from '../server/src/logging.ts';
import { calledAs } from './commands.ts';

/** `npm run audit:verify`: checks whether the audit log is as it was written, beside a running service or without one. */

const config = readConfig(process.env, { LOG_LEVEL: 'warn' });
const external = externalAddresses(config);
const running = external ? { appUrl: external.directUrl } : await addressesOfRunning(config.DATA_DIR);
const own = running
  ? undefined
  : await startEmbedded({ dataDir: config.DATA_DIR, log: openLog(config), archiveWal: config.BACKUP_WAL });
const { db } = connect({ url: (running ?? own)?.appUrl ?? '', max: 2, queryTimeout: 70_000 });
try {
  let count = 0;
  for await (const faults of findAuditBreaks(db)) {
    for (const { fault, audit_id, position } of faults)
      console.error(`${fault}: entry ${audit_id}${position === null ? '' : ` at position ${position}`}`);
    count += faults.length;
  }
  const head = await chainHead(db);
  console.log(`${head?.position ?? 0} links, ${count} faults, head ${head?.position ?? 0}:${head?.hash ?? ''}`);
  const { rows } = await sql<{ months: number }>`select count(*)::int as months from audit_archives`.execute(db);
  if (rows[0]?.months)
    console.log(`${rows[0].months} months are in an archive: check them with ${calledAs('audit-archive')} --verify`);
  process.exitCode = count === 0 ? 0 : 1;
} finally {
  await db.destroy();
  await own?.stop();
}
