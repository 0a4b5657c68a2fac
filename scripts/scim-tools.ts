import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `npm run test:scim`: runs SCIM clients and testers from the Python Package Index against a running service, and ten
 * thousand generated patches and filters. Also, the Python library of Standard Webhooks verifies webhook deliveries,
 * schemathesis calls the API with a token, and gitleaks searches for tokens. Needs Python 3.10 with venv, and gitleaks
 * (`go install github.com/zricethezav/gitleaks/v8@v8.28.0`).
 */

const packages = [
  'scim2-cli==0.6.0',
  'scim2-tester==0.5.2',
  'scim-sanity==0.7.4',
  'standardwebhooks==1.1.0',
  'schemathesis==4.32.5',
];

const run = (program: string, args: string[], variables: Record<string, string> = {}): boolean => {
  const { error, status } = spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, ...variables } });
  if (error) console.error(`${program}: ${error.message}`);
  return !error && status === 0;
};

const folder = await mkdtemp(join(tmpdir(), 'tenure-scim-'));
const programs = join(folder, 'bin');
const tests = (project: string, ...more: string[]) => ['vitest', 'run', '--project', project, ...more];
try {
  const isGood =
    run('python3', ['-m', 'venv', folder]) &&
    run(join(programs, 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages]) &&
    run('npx', tests('scim'), { SCIM_TOOLS: programs }) &&
    run('npx', tests('server', 'server/src/scim'), { SCIM_PATCHES: '10000', SCIM_FILTERS: '10000' });
  process.exitCode = isGood ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
