import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const root = join(import.meta.dirname, '..', '..', '..');

/**
 * A release in its own folder: this one with additional migrations and another browser application, whose only script
 * has the release's name.
 */
export async function releaseTree(name: string, migrations: Readonly<Record<string, string>>): Promise<string> {
  const tree = await mkdtemp(join(tmpdir(), `tenure-release-${name}-`));
  afterAll(() => rm(tree, { recursive: true }));
  for (const part of ['package.json', 'server', 'contract', 'scripts/compile-cache.mjs'])
    await cp(join(root, part), join(tree, part), { recursive: true });
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'));
  for (const [file, text] of Object.entries(migrations))
    await writeFile(join(tree, 'server', 'migrations', file), text);
  const dist = join(tree, 'web', 'dist');
  await mkdir(join(dist, 'assets'), { recursive: true });
  await writeFile(join(dist, 'index.html'), `<title>Tenure</title><script src="/assets/${name}.js"></script>`);
  await writeFile(join(dist, 'routes.json'), '["/"]');
  await writeFile(join(dist, 'assets', `${name}.js`), `/* ${name} */`);
  return tree;
}
