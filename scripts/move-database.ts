import { lineOf } from '../server/src/backup/refusal.ts';
import { readConfig } from '../server/src/config.ts';
import { brokenInvariants } from '../server/src/invariants/invariants.ts';
import { checkMove, moveDatabase, unmarkDatabase } from '../server/src/move/move-database.ts';
import type { Destination } from '../server/src/move/target.ts';
import { openLog } from '../server/src/logging.ts';
import { readCommandLine } from './command-line.ts';
import { calledAs } from './commands.ts';

/** `tenure move-database`, or `npm run move-database` in a checkout: docs/operations.md has the steps. */

const name = calledAs('move-database');
const usage = `${name} --to URL [--owner-url URL] [--check]
    copies the database of the settings into the empty database of URL, which names the role of the service;
    --owner-url names the role that owns the tables
${name} --to embedded [--check]
    copies the database of DATABASE_URL into the embedded database of DATA_DIR
${name} --unmark
    lets services start again on the database of the settings, which was moved
--check says whether the database can be moved, and changes nothing; the service can keep running.`;

const options = {
  to: { type: 'string' },
  'owner-url': { type: 'string' },
  check: { type: 'boolean' },
  unmark: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

function addressOf(option: string, text: string): string {
  if (URL.canParse(text) && /^postgres(ql)?:\/\/.+\/.+/.test(text)) return text;
  throw new Error(`${option} must be an address such as postgres://user:password@host/database. See --help.`);
}

function destinationOf(to: string | undefined, ownerUrl: string | undefined): Destination {
  if (to === undefined) throw new Error('Give the new location with --to URL or --to embedded. See --help.');
  if (to !== 'embedded') {
    const appUrl = addressOf('--to', to);
    return { appUrl, ownerUrl: ownerUrl === undefined ? appUrl : addressOf('--owner-url', ownerUrl) };
  }
  if (ownerUrl !== undefined) throw new Error('The embedded database has its own roles: leave --owner-url out.');
  return to;
}

async function run(): Promise<void> {
  const { values } = readCommandLine({ options });
  if (values.help) return console.log(usage);
  const { to, 'owner-url': ownerUrl, unmark, check } = values;
  if (unmark && (to ?? ownerUrl ?? check) !== undefined) throw new Error('Give --unmark alone. See --help.');
  const destination = unmark ? undefined : destinationOf(to, ownerUrl);
  const config = readConfig(process.env, { LOG_LEVEL: 'error' });
  const command = {
    config,
    log: openLog(config),
    print: (line: string) => console.log(line),
    checks: brokenInvariants,
  };
  if (destination === undefined) await unmarkDatabase(command);
  else await (check ? checkMove : moveDatabase)(command, destination);
}

try {
  await run();
} catch (error) {
  console.error(lineOf(error));
  process.exitCode = 1;
}
