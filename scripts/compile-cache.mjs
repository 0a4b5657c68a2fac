import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// What was stripped and compiled is kept for the next start: the stripper alone costs 20 MB in each thread and most of
// the time. Plain JavaScript, so that it runs before anything has to be stripped. Where the folder may not be written,
// nothing is kept. A copy of the folder elsewhere finds what is kept, too.
const directory = join(import.meta.dirname, '../node_modules/.cache/tenure');
enableCompileCache({ directory, portable: true });
