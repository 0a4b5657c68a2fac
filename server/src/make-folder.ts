import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/**
 * Creates a folder and those above it that are missing, open to their owner only. Node's `recursive` never ends where
 * nothing can be created and the folder above is there, as below /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 });
  try {
    await make();
  } catch (error) {
    if (await isFolder(path)) return;
    if (codeOf(error) === 'EEXIST') throw Object.assign(new Error(`${path} is no folder`), { code: 'ENOTDIR' });
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await make().catch(async (again: unknown) => {
      // another process was first
      if (!(await isFolder(path))) throw again;
    });
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
