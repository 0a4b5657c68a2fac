import { exportKeys } from '../server/src/backup/export-keys.ts';
import { lineOf } from '../server/src/backup/refusal.ts';
import { readConfig } from '../server/src/config.ts';
import { readCommandLine } from './command-line.ts';
import { calledAs } from './commands.ts';

/** `tenure export-keys`, or `npm run export-keys -- --to FILE`: docs/backup.md describes its purpose. */

const name = calledAs('export-keys');
const usage = `${name} --to FILE    writes the application keys into a new file, encrypted
                                    for BACKUP_RECIPIENT or with BACKUP_PASSPHRASE_FILE`;

try {
  const { values } = readCommandLine({ options: { to: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help) console.log(usage);
  else if (values.to === undefined) throw new Error('Give the file to write with --to FILE. See --help.');
  else await exportKeys({ config: readConfig(), print: (line) => console.log(line) }, values.to);
} catch (error) {
  console.error(lineOf(error));
  process.exitCode = 1;
}
