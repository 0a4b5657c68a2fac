import { parseArgs } from 'node:util';
import { backup, listCommand, pruneCommand, verifyCommand } from '../server/src/backup/command.ts';
import { lineOf } from '../server/src/backup/refusal.ts';
import { readConfig } from '../server/src/config.ts';
import { openLog } from '../server/src/service.ts';

/** `npm run backup`: docs/backup.md has the options. */

const usage = `npm run backup -- [--to FOLDER]                  makes a backup
npm run backup -- --list [--to FOLDER]           lists the backups
npm run backup -- --verify [ID] [--to FOLDER] [--identity FILE]
                                                 compares a backup with its manifest, the newest without ID
npm run backup -- --prune [--to FOLDER]          removes backups beyond BACKUP_KEEP
FOLDER is the setting BACKUP_URL where --to is not given.`;

const options = {
  to: { type: 'string' },
  identity: { type: 'string' },
  list: { type: 'boolean' },
  prune: { type: 'boolean' },
  verify: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

function parse() {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if ([values.list, values.prune, values.verify].filter(Boolean).length > 1)
    throw new Error('Give one of --list, --prune and --verify.');
  if (positionals.length > (values.verify ? 1 : 0)) throw new Error(`What is ${positionals.at(-1)}? See --help.`);
  return { values, id: positionals[0] };
}

try {
  const { values, id } = parse();
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env });
  const print = (line: string) => console.log(line);
  const command = { config, log: openLog(config), print, folder: values.to, identity: values.identity };
  if (values.help) print(usage);
  else if (values.list) await listCommand(command);
  else if (values.prune) await pruneCommand(command);
  else if (values.verify) await verifyCommand(command, id);
  else await backup(command);
} catch (error) {
  // without what Node says about options that look like arguments
  console.error(lineOf(error).replace(/ To specify a positional argument .*/, ''));
  process.exitCode = 1;
}
