import { spawnSync } from 'node:child_process';

/** `npm run test:alerts`: checks that the alert rules are valid, and that each fires on its own series only. */

const folder = 'deploy/prometheus';

function promtool(...args: string[]): boolean {
  const { error, status } = spawnSync('promtool', args, { cwd: folder, stdio: 'inherit' });
  if (error) console.error('promtool is missing: install it, for example Debian’s package prometheus.');
  return !error && status === 0;
}

const isGood = promtool('check', 'rules', 'tenure.rules.yaml') && promtool('test', 'rules', 'tenure.rules.test.yaml');
process.exitCode = isGood ? 0 : 1;
