import { parseArgs } from 'node:util';
import { readConfig } from '../server/src/config.ts';
import { startHashPool } from '../server/src/crypto/hash-pool.ts';
import { externalAddresses } from '../server/src/db/addresses.ts';
import { connect } from '../server/src/db/connect.ts';
import { addressesOfRunning, startEmbedded } from '../server/src/db/embedded.ts';
import { openLog } from '../server/src/logging.ts';
import { openForAdministrator } from '../server/src/sso/open-door.ts';
import { calledAs } from './commands.ts';

/** `npm run open-door -- <email>`: lets an administrator in whom a provider or a lost second factor keeps out. */

const usage = `${calledAs('open-door')} EMAIL [--without-second-factor]`;

function readArguments(): { email: string; withoutFactors: boolean } {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'without-second-factor': { type: 'boolean', default: false } },
  });
  const [email, ...rest] = positionals;
  if (email === undefined || rest.length > 0) throw new Error(usage);
  return { email, withoutFactors: values['without-second-factor'] };
}

async function run(): Promise<void> {
  const { email, withoutFactors } = readArguments();
  const config = readConfig(process.env, { LOG_LEVEL: 'warn' });
  const external = externalAddresses(config);
  const running = external ? { appUrl: external.directUrl } : await addressesOfRunning(config.DATA_DIR);
  const own = running
    ? undefined
    : await startEmbedded({ dataDir: config.DATA_DIR, log: openLog(config), archiveWal: config.BACKUP_WAL });
  const { db } = connect({ url: (running ?? own)?.appUrl ?? '', max: 1 });
  const hashing = startHashPool({ cost: config.BCRYPT_COST });
  try {
    const { password, minutes } = await openForAdministrator({ db, hashing, email, withoutFactors });
    console.log(`${email} signs in within ${minutes} minutes with the one-time password\n\n  ${password}\n`);
    console.log('The account is an emergency account now: sign-in rules do not stop it. The audit log has an entry.');
  } finally {
    await hashing.close();
    await db.destroy();
    await own?.stop();
  }
}

await run().catch((error: unknown) => {
  console.error((error as Error).message);
  process.exitCode = 1;
});
