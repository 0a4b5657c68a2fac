import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { freePort } from '../testing/free-port.ts';
import { provisioning } from '../testing/provisioning.ts';

// Third-party SCIM clients and testers, against a running service. `npm run test:scim` installs them.

const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const service = await startApp({ APP_URL: url });
await service.app.listen({ port, host: '127.0.0.1' });
const { token } = await provisioning(service)();
const scim = `${url}/scim/v2`;

/** The output of a program, and its exit code. */
function run(program: string, args: string[], variables: Record<string, string> = {}) {
  const folder = process.env['SCIM_TOOLS'];
  if (!folder) throw new Error('SCIM_TOOLS names the folder of the programs: run npm run test:scim');
  const options = { env: { PATH: process.env['PATH'] ?? '', NO_COLOR: '1', ...variables }, timeout: 300_000 };
  return new Promise<{ code: number | string; output: string }>((resolve) => {
    execFile(join(folder, program), args, options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}

test('scim2-tester finds no error', async () => {
  const { code, output } = await run('scim2', ['-u', scim, 'test', '--verbose'], {
    SCIM_CLI_HEADERS: `Authorization: Bearer ${token}`,
  });
  process.stdout.write(output);
  expect(output).toContain('SUCCESS');
  expect(output).not.toMatch(/^(ERROR|CRITICAL)/m);
  expect(code).toBe(0);
}, 300_000);

test('scim-sanity finds no failure', async () => {
  const { code, output } = await run('scim-sanity', ['probe', scim, '--token', token, '--i-accept-side-effects']);
  process.stdout.write(output);
  expect(output).toMatch(/\bPASS\b/);
  expect(output).not.toMatch(/\bFAIL\b/);
  expect(code).toBe(0);
}, 300_000);
