import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { permissionNames } from '@tenure/contract';
import { afterAll, expect, test } from 'vitest';
import { newToken } from '../../crypto/api-token.ts';
import { startApp } from '../../testing/app.ts';
import { freePort } from '../../testing/free-port.ts';
import { bearing, programOf } from '../../testing/programs.ts';

// Third-party tools: gitleaks searches for leaked tokens, schemathesis calls the API with one (`npm run test:scim`).

const root = join(import.meta.dirname, '../../../..');
const folder = mkdtempSync(join(tmpdir(), 'tenure-tokens-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The rule for scanners that the API page prints. */
function ruleOfPage(): string {
  const page = readFileSync(join(root, 'docs/api.md'), 'utf8');
  const rule = /```toml\n(?<rule>[\s\S]+?)```/.exec(page)?.groups?.['rule'];
  if (rule === undefined) throw new Error('docs/api.md has no rule');
  return rule;
}

/** Files in which gitleaks finds a token. */
function leaksIn(path: string): string[] {
  const rules = join(folder, 'rules.toml');
  writeFileSync(rules, ruleOfPage());
  const report = join(folder, 'report.json');
  const env = { ...process.env, PATH: [process.env['PATH'], join(homedir(), 'go/bin')].join(delimiter) };
  const args = ['dir', path, '--config', rules, '--no-banner', '--report-path', report, '--report-format', 'json'];
  const { error, status, stderr } = spawnSync('gitleaks', args, { env, encoding: 'utf8' });
  if (error) throw new Error('gitleaks is not installed: go install github.com/zricethezav/gitleaks/v8@v8.28.0');
  if (status !== 0 && status !== 1) throw new Error(stderr);
  return (JSON.parse(readFileSync(report, 'utf8')) as { File: string }[]).map(({ File }) => File);
}

test('gitleaks finds a planted token, and none in the repository', () => {
  const tree = join(folder, 'tree');
  const archive = join(folder, 'tree.tar');
  expect(spawnSync('git', ['archive', '--output', archive, '--prefix', 'tree/', 'HEAD'], { cwd: root }).status).toBe(0);
  expect(spawnSync('tar', ['-xf', archive, '-C', folder]).status).toBe(0);
  expect(leaksIn(tree)).toEqual([]);
  for (const kind of ['personal', 'service', 'provisioning', 'calendar'] as const)
    writeFileSync(join(tree, `${kind}.env`), `TOKEN=${newToken(kind)}\n`);
  expect(leaksIn(tree).length).toBe(4);
}, 300_000);

test('schemathesis with a token of an administrator meets no answer above 499', async () => {
  const tools = process.env['SCIM_TOOLS'];
  if (!tools) throw new Error('SCIM_TOOLS names the folder of the programs: run npm run test:scim');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = await startApp({ APP_URL: url, RATE_LIMIT_PER_MINUTE: '60000' });
  await service.app.listen({ port, host: '127.0.0.1' });
  const acme = await service.make.entity();
  await service.make.department({ entity_id: acme.id });
  await service.make.admin();
  const admin = await service.make.employee({ entity_id: acme.id, roles: ['Admin'] });
  const { token } = await programOf(service, admin.user_id, permissionNames);
  const seconds = process.env['SCHEMATHESIS_SECONDS'] ?? '240';
  const options = `--checks not_a_server_error --phases coverage,fuzzing --max-examples 10 --max-time ${seconds} --seed 1`;
  const args = [
    'run',
    `${url}/docs/api.json`,
    `--url=${url}/api`,
    `--header=Authorization: Bearer ${token}`,
    ...options.split(' '),
    '--continue-on-failure',
    '--no-color',
    '--warnings=off',
  ];
  const running = { cwd: folder, timeout: 900_000, maxBuffer: 64 * 1_024 * 1_024 };
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(join(tools, 'schemathesis'), args, running, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
  process.stdout.write(output.slice(-4_000));
  expect([code, output.includes('not_a_server_error')]).toEqual([0, false]);
  // the token was accepted until the end
  expect((await bearing(service, token).get('/api/departments')).status).toBe(200);
}, 1_000_000);
