import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { writeCertificate } from './certificate.ts';
import { succeed } from './container.ts';
import { installBlocks, linesOf, runSections } from './page.ts';
import type { Block } from './page.ts';

/** A fresh Debian in a folder, for the commands in docs/install.md. */

const standIns = join(import.meta.dirname, 'stand-ins');
/** The host name on the page, for which the system's nginx answers. */
export const publicName = 'hr.example.com';
/** The programs that `makeSystem` needs. */
export const systemTools = ['mmdebstrap', 'unshare', 'ip', 'chroot', 'openssl'];

const install = /^apt-get install -y (.+)$/;

/** Puts an archive and its checksum where the commands expect them, under the archive's name. */
export function bringArchive(root: string, archive: string): void {
  for (const path of [archive, `${archive}.sha256`]) copyFileSync(path, join(root, 'root', basename(path)));
}

/** The blocks of some sections for this archive, without those that created the system. */
export const commandsFor = (archive: string, blocks: readonly Block[]): string[] =>
  blocks
    .map((block) =>
      linesOf(block)
        .filter((line) => !install.test(line))
        .join('\n')
        .replaceAll(/tenure-\d+\.\d+\.\d+-linux-x64(?=\.tar)/g, basename(archive, '.tar.zst')),
    )
    .filter(Boolean);

/** Creates the system with what the page installs, because it has no network later, and copies the archive into it. */
export function makeSystem(scratch: string, root: string, archive: string): void {
  const fresh = join(scratch, 'fresh');
  if (!existsSync(fresh)) {
    const lines = installBlocks()
      .filter(({ section }) => runSections.includes(section))
      .flatMap(linesOf);
    const packages = ['systemd', ...lines.flatMap((line) => install.exec(line)?.[1]?.split(' ') ?? [])];
    const options = ['--quiet', '--variant=minbase', `--include=${packages.join(',')}`];
    succeed('mmdebstrap', [...options, 'stable', fresh, 'http://deb.debian.org/debian']);
  }
  succeed('cp', ['-a', fresh, root]);
  bringArchive(root, archive);
  for (const name of ['systemctl', 'systemd-run'])
    copyFileSync(join(standIns, name), join(root, 'usr/local/bin', name));
  mkdirSync(join(root, 'mnt'), { recursive: true });
  mkdirSync(join(root, 'etc/ssl'), { recursive: true });
  mkdirSync(join(root, 'etc/ssl/tenure'), { mode: 0o700 });
  writeCertificate(join(root, 'etc/ssl/tenure'), publicName);
  writeFileSync(join(root, 'etc/hosts'), `127.0.0.1 localhost ${publicName}\n`);
}
