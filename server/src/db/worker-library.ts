import type * as Library from 'graphile-worker';
import { createRequire } from 'node:module';

/**
 * graphile-worker without its search for a file of settings, which it begins as it is loaded: it has none here, and one
 * that the user may not read, in the present folder or above, would end the process.
 */
function load(): typeof Library {
  const cwd = process.cwd.bind(process);
  // not chdir, which a thread may not do, and which finds no way back into a folder that the user may not enter
  process.cwd = () => '/';
  try {
    return createRequire(import.meta.url)('graphile-worker') as typeof Library;
  } finally {
    process.cwd = cwd;
  }
}

export const { Logger, parseCronItem, parseCronItems, run, runMigrations } = load();
