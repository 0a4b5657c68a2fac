import { reasonOf } from '../server/src/backup/refusal.ts';
import { examine } from '../server/src/doctor/doctor.ts';
import { exitCodeOf, lineOf } from '../server/src/doctor/finding.ts';
import type { Finding } from '../server/src/doctor/finding.ts';
import { logTo } from '../server/src/logging.ts';
import { readCommandLine } from './command-line.ts';
import { calledAs } from './commands.ts';

/** `tenure doctor`, or `npm run doctor`: docs/operations.md explains it. */

const name = calledAs('doctor');
const usage = `${name} [--offline] [--json]   checks this installation, and says what is wrong and what to do
--offline   the service is stopped: APP_URL and the mail server are not asked
--json      one JSON array instead of lines
Exit code: 0 all is well, 1 warnings, 2 failures`;

const options = {
  offline: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean' },
} as const;

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

function show(findings: readonly Finding[], asJson: boolean) {
  if (asJson) return console.log(JSON.stringify(findings, null, 2));
  for (const finding of findings) console.log(lineOf(finding));
  const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length;
  console.log(`\n${count('ok')} ok, ${counted(count('warn'), 'warning')}, ${counted(count('fail'), 'failure')}`);
}

try {
  const { values } = readCommandLine({ options });
  if (values.help) console.log(usage);
  else {
    const machine = { node: process.versions.node, uid: process.geteuid?.(), now: () => Date.now() };
    const findings = await examine({
      env: process.env,
      machine,
      log: () => logTo('silent'),
      isOffline: values.offline,
    });
    show(findings, values.json);
    process.exitCode = exitCodeOf(findings);
  }
} catch (error) {
  console.error(reasonOf(error));
  process.exitCode = 2;
}
