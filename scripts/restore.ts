import { createInterface } from 'node:readline/promises';
import { lineOf } from '../server/src/backup/refusal.ts';
import { runDrill, faultsIn, restore } from '../server/src/backup/restore-command.ts';
import { restoreToTime } from '../server/src/backup/points/restore-to-time.ts';
import type { RestoreCommand } from '../server/src/backup/restore-command.ts';
import { workBesideService } from '../server/src/backup/beside-service.ts';
import { readConfig } from '../server/src/config.ts';
import { openLog } from '../server/src/logging.ts';
import { brokenInvariants } from '../server/src/invariants/invariants.ts';
import { readCommandLine, takeOnly } from './command-line.ts';
import { calledAs } from './commands.ts';

/** `tenure restore`, or `npm run restore` in a checkout: docs/backup.md has the options. */

const name = calledAs('restore');
const usage = `${name} [--from FOLDER] [--backup ID] [--identity FILE] [--replace] [--use-store] [--mail hold|send] [--yes]
    restores a backup; without --backup, the newest
${name} --to-time 2026-11-22T06:30:00Z [--from FOLDER] [--identity FILE] [--replace] [--use-store] [--mail hold|send] [--yes]
    restores the embedded database to a point in time; backup --list shows the possible times
${name} --check [--from FOLDER] [--backup ID] [--identity FILE]
    tests a restore in a scratch cluster, and deletes it; the service can keep running
FOLDER defaults to the setting BACKUP_URL.`;

const options = {
  from: { type: 'string' },
  backup: { type: 'string' },
  identity: { type: 'string' },
  replace: { type: 'boolean', default: false },
  'use-store': { type: 'boolean' },
  'to-time': { type: 'string' },
  check: { type: 'boolean' },
  mail: { type: 'string', default: 'hold' },
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

async function ask(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Error('There is no terminal for the question: add --yes to continue without it.');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} Type yes: `);
  terminal.close();
  return answer.trim().toLowerCase() === 'yes';
}

function mailOf(value: string): 'hold' | 'send' {
  if (value === 'hold' || value === 'send') return value;
  throw new Error('--mail must be hold or send.');
}

async function run(): Promise<boolean> {
  const { values } = readCommandLine({ options });
  const mail = mailOf(values.mail);
  if (values.help) {
    console.log(usage);
    return true;
  }
  if (values.check && values['to-time'] !== undefined) throw new Error('Give one of --check and --to-time.');
  if (values.check) takeOnly(values, 'check', ['from', 'backup', 'identity', 'mail', 'yes']);
  const config = readConfig(process.env, { LOG_LEVEL: 'error' });
  const command = {
    config,
    log: openLog(config),
    print: (line: string) => (values.json ? undefined : console.log(line)),
    folder: values.from,
    identity: values.identity,
    backup: values.backup,
    replace: values.replace,
    useStore: values['use-store'],
    mail,
    confirm: values.yes ? async () => true : ask,
    checks: brokenInvariants,
  };
  const time = values['to-time'];
  if (time !== undefined) return restoreToTime(command, time);
  return values.check ? drill(command, values.json) : restore(command);
}

/** With `json`, for the worker that runs this while requests are served: one JSON object, and faults as an error. */
async function drill(command: RestoreCommand, json = false): Promise<boolean> {
  if (json) workBesideService();
  const found = await runDrill(command);
  if (!json) return found.faults.length === 0;
  const error = faultsIn(found);
  if (error) throw new Error(error);
  console.log(JSON.stringify(found));
  return true;
}

try {
  if (!(await run())) process.exitCode = 1;
} catch (error) {
  console.error(lineOf(error));
  process.exitCode = 1;
}
