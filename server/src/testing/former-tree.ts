import { execFileSync } from 'node:child_process';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/** Unpacks an earlier commit into a folder, with the packages of this one, whose versions are the same. */
export async function unpackFormer(commit: string, tree: string): Promise<void> {
  await mkdir(join(tree, 'node_modules', '@tenure'), { recursive: true });
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1e9 });
  execFileSync('tar', ['-x', '-C', tree], { input: archive });
  for (const name of await readdir(join(root, 'node_modules')))
    // without Vite, it assumes that the browser application is built
    if (!['.bin', '@tenure', 'vite'].includes(name))
      await symlink(join(root, 'node_modules', name), join(tree, 'node_modules', name));
  for (const name of ['contract', 'server'])
    await symlink(join(tree, name), join(tree, 'node_modules', '@tenure', name));
}
