import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('.', import.meta.url));
const page = readFileSync(new URL('../../docs/logging.md', import.meta.url), 'utf8');

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('testing/'),
);
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '');

test('every event the service logs is documented, and every documented one is logged', () => {
  const logged = files.flatMap((name) => namesIn(readFileSync(join(source, name), 'utf8'), /\bevent: '([a-z_]+)'/g));
  const documented = namesIn(page, /^\| `([a-z_]+)` \|/gm);
  expect(documented).toEqual([...new Set(logged)].sort());
});

/** Each write to it fails, as on a full disk. */
const fullDisk = '/dev/full';

test.skipIf(!existsSync(fullDisk))(
  'a log that takes nothing costs its lines, and not the process',
  async () => {
    const from = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
    const program = `
    import { setTimeout as sleep } from 'node:timers/promises';
    import { logTo } from ${from('logging.ts')};
    import { print } from ${from('announce.ts')};
    const log = logTo('info');
    for (let line = 0; line < 3; line += 1) {
      log.info('a line');
      await sleep(50);
    }
    print('another line');
    log.fatal('the last line');
    await sleep(50);
    process.stderr.write('alive');`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', openSync(fullDisk, 'w'), 'pipe'],
      timeout: 60_000,
      killSignal: 'SIGKILL',
    });
    const closed = once(child, 'close');
    expect([await text(child.stderr as Readable), ...(await closed)]).toEqual(['alive', 0, null]);
  },
  90_000,
);
