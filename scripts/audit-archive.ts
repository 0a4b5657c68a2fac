import {
  archiveCommand,
  listCommand,
  parseMonths,
  printCommand,
  verifyCommand,
} from '../server/src/audit-archive/command.ts';
import { lineOf } from '../server/src/backup/refusal.ts';
import { readConfig } from '../server/src/config.ts';
import { openLog } from '../server/src/logging.ts';
import { readCommandLine, takeOnly } from './command-line.ts';
import { calledAs } from './commands.ts';

/** `tenure audit-archive`, or `npm run audit:archive` in a checkout: docs/operations.md says when to use it. */

const command = calledAs('audit-archive');
const usage = `${command} --older-than MONTHS [--to FOLDER] [--dry-run]
    writes months of the audit log to an archive, and removes them from the database
${command} --list [--to FOLDER]
    lists the archived months
${command} --verify [--to FOLDER] [--identity FILE]
    compares the archived months with the chain in the database
${command} --print YYYY-MM [--to FOLDER] [--identity FILE]
    prints the entries of a month, one line of JSON each
FOLDER defaults to the setting BACKUP_URL.`;

const options = {
  'older-than': { type: 'string' },
  to: { type: 'string' },
  identity: { type: 'string' },
  'dry-run': { type: 'boolean' },
  list: { type: 'boolean' },
  verify: { type: 'boolean' },
  print: { type: 'string' },
  help: { type: 'boolean' },
} as const;

function parse() {
  const { values } = readCommandLine({ options });
  const given = [values['older-than'], values.list, values.verify, values.print].filter((value) => value !== undefined);
  if (given.length > 1) throw new Error('Give one of --older-than, --list, --verify and --print.');
  if (values.list) takeOnly(values, 'list', ['to']);
  for (const mode of ['verify', 'print'] as const)
    if (values[mode] !== undefined) takeOnly(values, mode, ['to', 'identity']);
  return values;
}

async function run(values: ReturnType<typeof parse>): Promise<void> {
  const config = readConfig(process.env, { LOG_LEVEL: 'error' });
  const print = (line: string) => console.log(line);
  const asked = { config, log: openLog(config), print, folder: values.to, identity: values.identity };
  if (values.list) return listCommand(asked);
  if (values.verify) return verifyCommand(asked);
  if (values.print !== undefined) return printCommand({ ...asked, month: values.print });
  const months = parseMonths(values['older-than']);
  return archiveCommand({ ...asked, months, isTrial: values['dry-run'] ?? false });
}

try {
  const values = parse();
  if (values.help) console.log(usage);
  else await run(values);
} catch (error) {
  console.error(lineOf(error));
  process.exitCode = 1;
}
