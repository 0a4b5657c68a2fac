import { lineOf } from '../server/src/backup/refusal.ts';
import { readConfig } from '../server/src/config.ts';
import { brokenInvariants } from '../server/src/invariants/invariants.ts';
import { upgradeDatabase } from '../server/src/move/upgrade-database.ts';
import { openLog } from '../server/src/logging.ts';
import { readCommandLine } from './command-line.ts';
import { calledAs } from './commands.ts';

/** `tenure upgrade-database`, or `npm run upgrade-database` in a checkout: docs/operations.md has the steps. */

const name = calledAs('upgrade-database');
const usage = `${name} [--old-binaries FOLDER]
    copies the embedded database of an earlier major version of PostgreSQL into a new one
FOLDER has the program postgres of that version, for example /usr/lib/postgresql/17/bin; needed if the release lacks it.`;

try {
  const { values } = readCommandLine({ options: { 'old-binaries': { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help) console.log(usage);
  else {
    const config = readConfig(process.env, { LOG_LEVEL: 'error' });
    const print = (line: string) => console.log(line);
    const log = openLog(config);
    await upgradeDatabase({ config, log, print, checks: brokenInvariants, oldBinaries: values['old-binaries'] });
  }
} catch (error) {
  console.error(lineOf(error));
  process.exitCode = 1;
}
