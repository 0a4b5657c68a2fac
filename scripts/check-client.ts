import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { routes } from '../server/src/app.ts';
import { readConfig } from '../server/src/config.ts';
import { describeApi } from '../server/src/http/openapi.ts';

/**
 * Generates a client from the API document with orval and axios, like users of the API, and compiles it strictly. Orval
 * needs a hundred packages, so they are installed outside the project, only for this command.
 */

const packages = ['orval@8.30.0', 'axios@1.21.1'];
const compiler = fileURLToPath(new URL('../node_modules/.bin/tsc', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tenure-client-'));

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed`);
}

const write = (name: string, content: unknown) => writeFileSync(join(folder, name), JSON.stringify(content));

try {
  write('package.json', { private: true });
  write('api.json', describeApi(readConfig({ NODE_ENV: 'test' }), routes));
  write('orval.config.json', {
    tenure: { input: './api.json', output: { target: './client.ts', client: 'axios', mode: 'single' } },
  });
  run('npm', 'install', ...packages, '--ignore-scripts', '--no-audit', '--loglevel=error');
  run(process.execPath, 'node_modules/orval/dist/bin/orval.mjs', '--config', 'orval.config.json');
  const options = ['--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext'];
  run(compiler, 'client.ts', '--noEmit', '--moduleResolution', 'bundler', ...options);
  console.log('The generated client compiles.');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
