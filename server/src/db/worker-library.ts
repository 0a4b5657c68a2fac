import type * as Library from 'graphile-worker';
import { createRequire } from 'node:module';

/**
 * Loads graphile-worker without its search for a settings file, which starts on import. There is none, and an
 * unreadable one in the current folder or above would end the process.
 */
function load(): typeof Library {
  const cwd = process.cwd.bind(process);
  // not chdir: a thread may not call it, and it cannot return to a folder that the user may not enter
  process.cwd = () => '/';
  try {
    return createRequire(import.meta.url)('graphile-worker') as typeof Library;
  } finally {
    process.cwd = cwd;
  }
}

export const { Logger, parseCronItem, parseCronItems, run, runMigrations } = load();
