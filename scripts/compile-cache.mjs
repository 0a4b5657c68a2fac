import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Caches stripped and compiled code for the next start: the stripper alone costs 20 MB in each thread, and most of the
// time. Plain JavaScript, so that it runs before anything must be stripped. Caches nothing if the folder is not
// writable. A copy of the folder elsewhere finds the cache too.
const directory = join(import.meta.dirname, '../node_modules/.cache/tenure');
enableCompileCache({ directory, portable: true });
