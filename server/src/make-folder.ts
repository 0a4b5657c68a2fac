import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/**
 * Creates a folder and its missing parents, accessible only to their owner. Node's `recursive` never returns if the
 * parent exists but nothing can be created in it, as in /proc.
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
      // another process was faster
      if (!(await isFolder(path))) throw again;
    });
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
