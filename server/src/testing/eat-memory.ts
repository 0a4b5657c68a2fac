import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a service's processes through NODE_OPTIONS. Allocates memory without limit in the process whose id is the
 * name of a file in EATERS. The file says which memory: `buffers`, which only the kernel limits, or `heap`.
 */

const megabytes = 8;
const file = join(process.env.EATERS ?? '', String(process.pid));
const eaten: unknown[] = [];

function eat() {
  if (!existsSync(file)) return;
  if (readFileSync(file, 'utf8') === 'buffers') eaten.push(Buffer.alloc(megabytes * 1_024 * 1_024, 1));
  else eaten.push(Array.from({ length: megabytes * 128 * 1_024 }, (_, index) => index + eaten.length + 0.5));
}

if (isMainThread) setInterval(eat, 20).unref();
