import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { alone, run } from './tools.ts';
import type { Ran } from './tools.ts';

/** Handles an image without a container service. */

export type ImageConfig = { Entrypoint: string[]; Cmd: string[]; User: string; Env: string[] };

export type Store = {
  /** The `buildah` command line for this run's images. */
  buildah: (...args: string[]) => [string, string[]];
  scratch: string;
};

export const dockerfile = join(import.meta.dirname, '../../deploy/docker/Dockerfile');
export const imageTools = ['buildah', 'mmdebstrap', 'unshare', 'ip'];
const base = 'tenure-base';

export function succeed(program: string, args: string[], options: Parameters<typeof run>[2] = {}): string {
  const { status, output } = run(program, args, options);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}\n${output}`);
  return output.trim();
}

export function openStore(scratch: string): Store {
  const folders = ['--root', join(scratch, 'images'), '--runroot', join(scratch, 'images-run')];
  return { scratch, buildah: (...args) => ['buildah', [...folders, '--storage-driver', 'vfs', ...args]] };
}

/** A minimal Debian without anything that the release needs, apart from the loader; uses the network. */
function makeBase({ buildah, scratch }: Store): void {
  const archive = join(scratch, 'base.tar');
  succeed('mmdebstrap', ['--quiet', '--variant=minbase', 'stable', archive, 'http://deb.debian.org/debian']);
  const container = succeed(...buildah('from', 'scratch'));
  succeed(...buildah('add', '--quiet', container, archive, '/'));
  succeed(...buildah('commit', '--quiet', container, base));
  succeed(...buildah('rm', container));
}

/** Builds the stage `release` without network access. */
export function buildImage(store: Store, tree: string, file: string, name: string): Ran {
  const context = join(store.scratch, 'context');
  if (!existsSync(context)) {
    makeBase(store);
    mkdirSync(context);
    succeed('cp', ['-al', tree, context]);
  }
  const values = [`BASE=localhost/${base}`, `RELEASE=${basename(tree)}`].flatMap((value) => ['--build-arg', value]);
  const [program, options] = store.buildah('bud', '--isolation=chroot', '--format=docker', '--pull-never');
  return run(...alone(program, ...options, '--target=release', ...values, '--file', file, '--tag', name, context));
}

const configOf = ({ buildah }: Store, image: string): ImageConfig =>
  (JSON.parse(succeed(...buildah('inspect', '--type', 'image', image))) as { Docker: { config: ImageConfig } }).Docker
    .config;

export type Image = { config: ImageConfig; rootfs: string; build: Ran };

/** The release's image, unpacked into a folder; the first caller in a run builds it. */
export function imageOf(store: Store, tree: string): Image {
  const known = join(store.scratch, 'image.json');
  if (existsSync(known)) return JSON.parse(readFileSync(known, 'utf8')) as Image;
  const build = buildImage(store, tree, dockerfile, 'tenure');
  if (build.status !== 0) throw new Error(build.output);
  const container = succeed(...store.buildah('from', '--pull-never', 'localhost/tenure'));
  const rootfs = succeed(...store.buildah('mount', container));
  const image = { config: configOf(store, 'tenure'), rootfs, build };
  writeFileSync(known, JSON.stringify(image));
  return image;
}

/** The environment that an image gives its containers. */
export const environmentOf = ({ Env }: ImageConfig): Record<string, string> =>
  Object.fromEntries(Env.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));

/** The runtime's command line for containers in a folder. */
export const crun = (folder: string, ...args: string[]): string[] => [
  'crun',
  '--root',
  join(folder, 'crun'),
  '--cgroup-manager=disabled',
  ...args,
];

/**
 * A command that may call the runtime, in its own network: mounts version 2 of control groups, because the runtime
 * refuses a host with both.
 */
export const aloneWithRuntime = (...command: string[]): [string, string[]] =>
  alone('sh', '-c', 'mount -t cgroup2 cgroup2 /sys/fs/cgroup && exec "$@"', 'sh', ...command);
