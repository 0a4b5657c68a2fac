import type { Kysely } from 'kysely';
import { lineOf } from '../server/src/backup/refusal.ts';
import { readConfig } from '../server/src/config.ts';
import { startHashPool } from '../server/src/crypto/hash-pool.ts';
import { connect } from '../server/src/db/connect.ts';
import { openForCommand } from '../server/src/db/open-for-command.ts';
import type { DB } from '../server/src/db/schema.ts';
import { openLog } from '../server/src/logging.ts';
import { demandsOf } from '../server/src/sso/demands.ts';
import { openForAdministrator } from '../server/src/sso/open-door.ts';
import { readCommandLine } from './command-line.ts';
import { calledAs } from './commands.ts';

/**
 * `npm run open-door -- <email>`: lets in an administrator who is locked out by a provider or a lost second factor.
 * Without an address it lists the sign-in rules.
 */

const command = calledAs('open-door');
const usage = `${command} EMAIL [--without-second-factor]
    prints a one-time password for an administrator, and makes the account an emergency account
${command}
    lists the sign-in rules`;

type Arguments = { email: string | undefined; withoutFactors: boolean; isHelp: boolean };

function readArguments(): Arguments {
  const { positionals, values } = readCommandLine({
    allowPositionals: true,
    options: {
      'without-second-factor': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [email, ...rest] = positionals;
  const withoutFactors = values['without-second-factor'];
  // for an unset variable, the shell passes an empty address
  if (rest.length > 0 || email?.trim() === '' || (email === undefined && withoutFactors))
    throw new Error('Give the email address of one administrator. See --help.');
  return { email, withoutFactors, isHelp: values.help };
}

async function list(db: Kysely<DB>): Promise<void> {
  const demands = await demandsOf(db);
  if (demands.length === 0) return console.log('There are no sign-in rules: a password is enough.');
  console.log(demands.join('\n'));
  console.log(
    `\nBefore you start a former release that does not know these rules, switch them off, or let an administrator in: ${command} EMAIL`,
  );
}

async function open(db: Kysely<DB>, email: string, withoutFactors: boolean, cost: number): Promise<void> {
  const hashing = startHashPool({ cost });
  try {
    const { password, minutes } = await openForAdministrator({ db, hashing, email, withoutFactors });
    console.log(`${email} can sign in within ${minutes} minutes with the one-time password\n\n  ${password}\n`);
    console.log(
      'The account is now an emergency account, to which sign-in rules do not apply. The audit log has an entry.',
    );
  } finally {
    await hashing.close();
  }
}

async function run(): Promise<void> {
  const { email, withoutFactors, isHelp } = readArguments();
  if (isHelp) return console.log(usage);
  const config = readConfig(process.env, { LOG_LEVEL: 'warn' });
  const { appUrl, close } = await openForCommand('open-door', config, openLog(config));
  const { db } = connect({ url: appUrl, max: 1 });
  try {
    await (email === undefined ? list(db) : open(db, email, withoutFactors, config.BCRYPT_COST));
  } finally {
    await db.destroy();
    await close();
  }
}

await run().catch((error: unknown) => {
  console.error(lineOf(error));
  process.exitCode = 1;
});
