import { backup, listCommand, pruneCommand, verifyCommand } from '../server/src/backup/command.ts';
import { baseCommand } from '../server/src/backup/points/commands.ts';
import { lineOf } from '../server/src/backup/refusal.ts';
import { workBesideService } from '../server/src/backup/beside-service.ts';
import { readConfig } from '../server/src/config.ts';
import { openLog } from '../server/src/logging.ts';
import { readCommandLine, takeOnly } from './command-line.ts';
import { calledAs } from './commands.ts';

/** `tenure backup`, or `npm run backup` in a checkout: docs/backup.md has the options. */

const command = calledAs('backup');
const usage = `${command} [--to FOLDER] [--new] [--force]
    makes a backup; --new starts a new archive in an emptied folder, --force allows a database above 100 GB
${command} --list [--to FOLDER]
    lists the backups
${command} --verify [ID] [--to FOLDER] [--identity FILE]
    compares a backup with its manifest; without ID, the newest
${command} --base [--to FOLDER]
    copies the whole cluster of the running service, as a start for points in time (BACKUP_WAL=on)
${command} --prune [--to FOLDER]
    removes backups beyond BACKUP_KEEP
FOLDER defaults to the setting BACKUP_URL.`;

const options = {
  to: { type: 'string' },
  identity: { type: 'string' },
  base: { type: 'boolean' },
  list: { type: 'boolean' },
  prune: { type: 'boolean' },
  verify: { type: 'boolean' },
  new: { type: 'boolean' },
  force: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

/** The further options of each mode. */
const modes = [
  ['base', ['to']],
  ['list', ['to']],
  ['prune', ['to']],
  ['verify', ['to', 'identity']],
] as const;

function parse() {
  const { values, positionals } = readCommandLine({ options, allowPositionals: true });
  if ([values.base, values.list, values.prune, values.verify].filter(Boolean).length > 1)
    throw new Error('Give one of --base, --list, --prune and --verify.');
  for (const [mode, taken] of modes) if (values[mode]) takeOnly(values, mode, taken);
  if (positionals.length > (values.verify ? 1 : 0))
    throw new Error(`Unexpected argument ${positionals.at(-1)}. See --help.`);
  return { values, id: positionals[0] };
}

async function run(values: ReturnType<typeof parse>['values'], id: string | undefined): Promise<unknown> {
  const config = readConfig(process.env, { LOG_LEVEL: 'error' });
  // one JSON object for the worker that runs this while requests are served, instead of lines for a person
  const print = values.json ? () => undefined : (line: string) => console.log(line);
  if (values.json) workBesideService();
  const { to: folder, identity, new: startNew, force } = values;
  const asked = { config, log: openLog(config), print, folder, identity, startNew, force };
  if (values.base) return baseCommand(asked);
  if (values.list) return listCommand(asked);
  if (values.prune) return pruneCommand(asked);
  return values.verify ? verifyCommand(asked, id) : backup(asked);
}

try {
  const { values, id } = parse();
  if (values.help) console.log(usage);
  else {
    const result = await run(values, id);
    if (values.json) console.log(JSON.stringify(result));
  }
} catch (error) {
  console.error(lineOf(error));
  process.exitCode = 1;
}
