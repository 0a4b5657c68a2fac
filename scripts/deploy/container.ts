import { join } from 'node:path';
import { run } from './tools.ts';

/** An image without a container service. */

export type ImageConfig = { Entrypoint: string[]; Cmd: string[]; User: string };

export type Store = {
  /** The command line of `buildah` for images of this run. */
  buildah: (...args: string[]) => [string, string[]];
  scratch: string;
};

function succeed(program: string, args: string[]): string {
  const { status, output } = run(program, args);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}\n${output}`);
  return output.trim();
}

export function openStore(scratch: string): Store {
  const folders = ['--root', join(scratch, 'images'), '--runroot', join(scratch, 'images-run')];
  return { scratch, buildah: (...args) => ['buildah', [...folders, '--storage-driver', 'vfs', ...args]] };
}

/** A minimal Debian with nothing that the release needs beside its loader; it takes the network. */
export function makeBase({ buildah, scratch }: Store, name: string): void {
  const archive = join(scratch, 'base.tar');
  succeed('mmdebstrap', ['--quiet', '--variant=minbase', 'stable', archive, 'http://deb.debian.org/debian']);
  const container = succeed(...buildah('from', 'scratch'));
  succeed(...buildah('add', '--quiet', container, archive, '/'));
  succeed(...buildah('commit', '--quiet', container, name));
  succeed(...buildah('rm', container));
}

export const configOf = ({ buildah }: Store, image: string): ImageConfig =>
  (JSON.parse(succeed(...buildah('inspect', '--type', 'image', image))) as { Docker: { config: ImageConfig } }).Docker
    .config;
