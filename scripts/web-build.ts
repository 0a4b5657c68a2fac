import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = [
  'web/src',
  'web/public',
  'web/plugins',
  'web/index.html',
  'web/vite.config.ts',
  'web/package.json',
  'contract/src',
  'docs/help',
  'contract/locales',
  'package-lock.json',
];
const stampFile = join(root, 'web/dist/.stamp');

function filesBelow(path: string): string[] {
  const absolute = join(root, path);
  if (!existsSync(absolute)) return [];
  if (path.includes('.')) return [absolute];
  return readdirSync(absolute, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function stampOfSources(): string {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesBelow)) hash.update(file.slice(root.length)).update(readFileSync(file));
  return hash.digest('hex');
}

const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** Builds the browser application if its sources changed since the last build; images without Vite contain one. */
export function ensureWebBuild(): void {
  if (!existsSync(join(root, 'node_modules/vite'))) return;
  const stamp = stampOfSources();
  if (read(stampFile) === stamp) return;
  process.stdout.write('Building the browser application …\n');
  const built = spawnSync('npm', ['run', 'build', '--silent', '--workspace', 'web'], {
    cwd: root,
    // tests have another value, with which React would be twice as large and slow
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (built.status !== 0) throw new Error('The browser application could not be built');
  writeFileSync(stampFile, stamp);
}
