import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { chainHead, findAuditBreaks } from '../server/src/audit-chain.ts';
import { lineOf } from '../server/src/backup/refusal.ts';
import { readConfig } from '../server/src/config.ts';
import { connect } from '../server/src/db/connect.ts';
import { openForCommand } from '../server/src/db/open-for-command.ts';
import type { DB } from '../server/src/db/schema.ts';
import { openLog } from '../server/src/logging.ts';
import { takeNoOptions } from './command-line.ts';
import { calledAs } from './commands.ts';

/** `npm run audit:verify`: checks whether the audit log is unchanged, with or without a running service. */

async function verify(db: Kysely<DB>): Promise<void> {
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
    console.log(
      `${rows[0].months} months were moved to an archive: check them with ${calledAs('audit-archive')} --verify`,
    );
  process.exitCode = count === 0 ? 0 : 1;
}

async function run(): Promise<void> {
  const config = readConfig(process.env, { LOG_LEVEL: 'warn' });
  const { appUrl, close } = await openForCommand('audit-verify', config, openLog(config));
  const { db } = connect({ url: appUrl, max: 2, queryTimeout: 70_000 });
  try {
    await verify(db);
  } finally {
    await db.destroy();
    await close();
  }
}

takeNoOptions('audit-verify');
await run().catch((error: unknown) => {
  console.error(lineOf(error));
  process.exitCode = 1;
});
