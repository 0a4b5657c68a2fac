import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './tools.ts';

/** The user that the image runs as. */
export const user = 10_001;

/** An image and its container without a container service: `buildah` makes one, `crun` runs the other. */

export type ImageConfig = {
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  User: string;
  Healthcheck: { Test: string[] };
};

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
  succeed('mmdebstrap', ['--quiet', '--variant=minbase', 'stable', archive]);
  const container = succeed(...buildah('from', 'scratch'));
  succeed(...buildah('add', '--quiet', container, archive, '/'));
  succeed(...buildah('commit', '--quiet', container, name));
  succeed(...buildah('rm', container));
}

export const configOf = ({ buildah }: Store, image: string): ImageConfig =>
  (JSON.parse(succeed(...buildah('inspect', '--type', 'image', image))) as { Docker: { config: ImageConfig } }).Docker
    .config;

/** The files of the image as a folder. */
export const unpack = ({ buildah }: Store, image: string): string =>
  succeed(...buildah('mount', succeed(...buildah('from', '--pull-never', image))));

export type Container = {
  /** Where its description is written. */
  bundle: string;
  root: string;
  args: string[];
  env: Record<string, string>;
  /** Folders of this machine by their path in the container; written to by its user. */
  volumes: Record<string, string>;
  /** Files of this machine by their path in the container. */
  secrets?: Record<string, string>;
};

type Mount = { destination: string; type: string; source: string; options: string[] };
type Spec = {
  process: Record<string, unknown>;
  root: object;
  mounts: Mount[];
  linux: { namespaces: { type: string }[]; resources?: object };
};

const bind = (destination: string, source: string, mode: 'rw' | 'ro'): Mount => ({
  destination,
  type: 'bind',
  source,
  options: ['bind', mode, 'nosuid', 'nodev'],
});

/** Writes what `crun` runs: a read-only root, no capability, no new rights, the network of its caller. */
export function describeContainer({ bundle, root, args, env, volumes, secrets = {} }: Container): void {
  mkdirSync(bundle, { recursive: true });
  succeed('crun', ['spec', '--bundle', bundle]);
  const path = join(bundle, 'config.json');
  const spec = JSON.parse(succeed('cat', [path])) as Spec;
  for (const folder of Object.values(volumes)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chownSync(folder, user, user);
  }
  const none = { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] };
  Object.assign(spec.process, {
    terminal: false,
    user: { uid: user, gid: user },
    args,
    env: Object.entries(env).map((pair) => pair.join('=')),
    cwd: '/',
    capabilities: none,
    noNewPrivileges: true,
  });
  spec.root = { path: root, readonly: true };
  spec.linux.namespaces = spec.linux.namespaces.filter(({ type }) => type !== 'network' && type !== 'cgroup');
  delete spec.linux.resources;
  spec.mounts = [
    ...spec.mounts.filter(({ destination }) => !['/sys/fs/cgroup', '/dev/shm'].includes(destination)),
    {
      destination: '/dev/shm',
      type: 'tmpfs',
      source: 'shm',
      options: ['nosuid', 'noexec', 'nodev', 'mode=1777', 'size=256m'],
    },
    { destination: '/tmp', type: 'tmpfs', source: 'tmp', options: ['nosuid', 'nodev', 'mode=1777'] },
    ...Object.entries(volumes).map(([inside, folder]) => bind(inside, folder, 'rw')),
    ...Object.entries(secrets).map(([inside, file]) => bind(inside, file, 'ro')),
  ];
  writeFileSync(path, JSON.stringify(spec));
}

/** The command line of `crun` for containers of this run; no control groups, which a container cannot make. */
export const crun = ({ scratch }: Store, ...args: string[]): string[] => [
  'crun',
  '--root',
  join(scratch, 'crun'),
  '--cgroup-manager',
  'disabled',
  ...args,
];

export const environmentOf = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
