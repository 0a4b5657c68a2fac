import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { succeed } from './container.ts';
import { installBlocks, linesOf, notRun, runnable, runSections } from './page.ts';
import { commandsFor, makeSystem, systemTools } from './system.ts';
import { alone, has, run } from './tools.ts';

const [scratch, tree] = [inject('scratch'), inject('tree')];
const archive = `${tree}.tar.zst`;
const root = join(scratch, 'system');
const canInstall = has('docs/install.md on a fresh Debian', ...systemTools);

test('every command of docs/install.md is run, or has its reason why not', () => {
  const blocks = installBlocks();
  const isRun = ({ section }: (typeof blocks)[number]) => runSections.includes(section);
  expect(blocks.filter(isRun).length).toBeGreaterThanOrEqual(6);
  const others = blocks
    .filter((block) => !isRun(block))
    .flatMap((block) => linesOf({ ...block, text: runnable(block) }));
  // compose.deploy.ts runs these in a copy of the folder
  const inCompose =
    /^(cd deploy\/compose|cp \.env\.example \.env|umask |for name in |openssl |echo "postgres:|chmod 444 )/;
  expect(others.filter((line) => !inCompose.test(line))).toEqual([]);
  const lines = blocks.flatMap(linesOf);
  for (const { line } of notRun)
    expect(
      lines.filter((one) => line.test(one)),
      String(line),
    ).not.toEqual([]);
});

/** The result of a block: its output and exit status. */
type Done = { output: string; status: number };

/** The blocks as one script, because one block's service keeps running in the next; each in its own shell. */
function scriptOf(blocks: string[]): string {
  const parts = blocks.map((text, index) => {
    writeFileSync(join(root, `root/block-${index}`), `set -eu\n${text}\n`);
    return `echo "=== $(sh /root/block-${index} > /tmp/output 2>&1; echo $?)"; cat /tmp/output`;
  });
  return ['mount -t proc proc /proc', 'cd /root', ...parts].join('\n');
}

function runBlocks(blocks: string[]): Done[] {
  const script = scriptOf([
    ...blocks,
    'systemd-analyze verify --man=no tenure.service',
    'systemctl stop tenure; cat /tmp/tenure.log',
  ]);
  writeFileSync(join(root, 'root/script'), script);
  const mounts = `mount --rbind /dev "$0/dev" && exec timeout 1200 chroot "$0" /usr/bin/env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh /root/script`;
  const { output } = run(...alone('sh', '-c', mounts, root));
  return output
    .split(/^=== /m)
    .slice(1)
    .map((part) => ({ status: Number(part.split('\n', 1)[0]), output: part.slice(part.indexOf('\n') + 1) }));
}

describe.runIf(canInstall)('docs/install.md on a fresh Debian', () => {
  const blocks = commandsFor(
    archive,
    installBlocks().filter(({ section }) => runSections.includes(section)),
  );
  let done: Done[];
  const doneBy = (command: string) => done[blocks.findIndex((text) => text.includes(command))];

  beforeAll(() => {
    makeSystem(scratch, root, archive);
    done = runBlocks(blocks);
  });

  test('every block but the doctor ends with success', () => {
    expect(done).toHaveLength(blocks.length + 2);
    for (const [index, text] of blocks.entries())
      if (!text.includes('tenure doctor')) expect(done[index], text).toMatchObject({ status: 0 });
  });

  test('the archive is checked and unpacked', () => {
    expect(doneBy('sha256sum')?.output).toMatch(/: OK\n(.*\n)*Tenure .* Node 26\..* PostgreSQL 18/);
  });

  test('the first start gets ready and keeps a password for its administrator', () => {
    expect(doneBy('first-admin')?.output).toMatch(/ready\nadmin@tenure\.local\n\S+\n$/);
  });

  test('systemd accepts the unit with the folder of backups', () => {
    const verified = done.at(-2);
    expect(verified).toEqual({ status: 0, output: '' });
    expect(globSync('etc/systemd/system/tenure.service.d/*.conf', { cwd: root })).toHaveLength(1);
  });

  test('a restored copy gets ready beside the service, and leaves nothing', () => {
    expect(doneBy('--unit=tenure-copy')?.output).toMatch(/ready\n$/);
    expect(globSync('{var/lib,etc/tenure}/*copy*', { cwd: root })).toEqual([]);
  });

  test('a backup is made beside the service, and the doctor sees it and its schedule', () => {
    expect(globSync('mnt/backups/*', { cwd: root })).not.toEqual([]);
    const { output = '' } = doneBy('tenure doctor') ?? {};
    expect(output).toMatch(/^ok +database +PostgreSQL 18/m);
    expect(output).toMatch(/^ok +backup /m);
  });

  test('the service ends in order, and nothing but its user reads its files', () => {
    const { status, output = '' } = done.at(-1) ?? {};
    expect(status).toBe(0);
    expect(output).toContain('Tenure is ready at https://hr.example.com');
    expect(readFileSync(join(root, 'etc/tenure/tenure.env'), 'utf8')).toContain('BACKUP_URL=/mnt/backups');
    expect(succeed('find', [join(root, 'var/lib/tenure'), '-perm', '/077', '-not', '-type', 'l'])).toBe('');
  });
});
