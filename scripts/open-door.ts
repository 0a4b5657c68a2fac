import { parseArgs } from 'node:util';
import type { Kysely } from 'kysely';
import { readConfig } from '../server/src/config.ts';
import { startHashPool } from '../server/src/crypto/hash-pool.ts';
import { externalAddresses } from '../server/src/db/addresses.ts';
import { connect } from '../server/src/db/connect.ts';
import { addressesOfRunning, startEmbedded } from '../server/src/db/embedded.ts';
import type { DB } from '../server/src/db/schema.ts';
import { openLog } from '../server/src/logging.ts';
import { demandsOf } from '../server/src/sso/demands.ts';
import { openForAdministrator } from '../server/src/sso/open-door.ts';
import { calledAs } from './commands.ts';

/**
 * `npm run open-door -- <email>`: lets an administrator in whom a provider or a lost second factor keeps out. Without an
 * address it lists what is demanded of people who sign in.
 */

const usage = `${calledAs('open-door')} [EMAIL [--without-second-factor]]`;

function readArguments(): { email: string | undefined; withoutFactors: boolean } {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'without-second-factor': { type: 'boolean', default: false } },
  });
  const [email, ...rest] = positionals;
  const withoutFactors = values['without-second-factor'];
  if (rest.length > 0 || (email === undefined && withoutFactors)) throw new Error(usage);
  return { email, withoutFactors };
}

async function list(db: Kysely<DB>): Promise<void> {
  const demands = await demandsOf(db);
  if (demands.length === 0) return console.log('Nothing is demanded of people who sign in: a password is enough.');
  console.log(demands.join('\n'));
  console.log(`\nBefore a former release starts that does not know these rules, switch them off. ${usage}`);
}

async function open(db: Kysely<DB>, email: string, withoutFactors: boolean, cost: number): Promise<void> {
  const hashing = startHashPool({ cost });
  try {
    const { password, minutes } = await openForAdministrator({ db, hashing, email, withoutFactors });
    console.log(`${email} signs in within ${minutes} minutes with the one-time password\n\n  ${password}\n`);
    console.log('The account is an emergency account now: sign-in rules do not stop it. The audit log has an entry.');
  } finally {
    await hashing.close();
  }
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
  try {
    await (email === undefined ? list(db) : open(db, email, withoutFactors, config.BCRYPT_COST));
  } finally {
    await db.destroy();
    await own?.stop();
  }
}

await run().catch((error: unknown) => {
  console.error((error as Error).message);
  process.exitCode = 1;
});
