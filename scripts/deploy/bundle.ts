import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A container like `docker run --read-only --cap-drop ALL --security-opt no-new-privileges --tmpfs /tmp`, described for
 * an OCI runtime, because no container service is available where the checks run.
 */

export type Mount = { source: string; target: string; readOnly?: boolean };

export type Container = {
  /** The root file system of the image. */
  rootfs: string;
  args: string[];
  env: Record<string, string>;
  /** `user:group` as numbers. */
  user: string;
  mounts: Mount[];
  /** The path of its network namespace; without one, it shares the caller's. */
  network?: string;
  /** The most memory in bytes, if the machine lets the runtime limit it. */
  memory?: number;
};

type Rule = {
  names: string[];
  action: string;
  args?: unknown[];
  errnoRet?: number;
  includes?: { caps?: string[]; arches?: string[] };
  excludes?: { caps?: string[]; arches?: string[] };
};
type Profile = {
  defaultAction: string;
  defaultErrnoRet?: number;
  archMap: { architecture: string; subArchitectures: string[] | null }[];
  syscalls: Rule[];
};

const profileFile = '/usr/share/containers/seccomp.json';
const [arch, architecture] = process.arch === 'arm64' ? ['arm64', 'SCMP_ARCH_AARCH64'] : ['amd64', 'SCMP_ARCH_X86_64'];

/** The system calls that container services allow without capabilities; undefined if the list is missing. */
export function seccomp(): object | undefined {
  if (!existsSync(profileFile)) return undefined;
  const { defaultAction, defaultErrnoRet, archMap, syscalls } = JSON.parse(
    readFileSync(profileFile, 'utf8'),
  ) as Profile;
  const isMeant = ({ includes = {}, excludes = {} }: Rule) =>
    (includes.caps ?? []).length === 0 &&
    (includes.arches?.includes(arch ?? '') ?? true) &&
    !excludes.arches?.includes(arch ?? '');
  const own = archMap.find((one) => one.architecture === architecture);
  return {
    defaultAction,
    defaultErrnoRet,
    architectures: [architecture, ...(own?.subArchitectures ?? [])],
    syscalls: syscalls
      .filter(isMeant)
      .map(({ names, action, args, errnoRet }) => ({ names, action, args: args ?? undefined, errnoRet })),
  };
}

const mount = (destination: string, type: string, options: string[], source = type) => ({
  destination,
  type,
  source,
  options,
});

/** The mounts of every container, with 256 MB of shared memory. */
const systemMounts = [
  mount('/proc', 'proc', []),
  mount('/dev', 'tmpfs', ['nosuid', 'strictatime', 'mode=755', 'size=65536k']),
  mount('/dev/pts', 'devpts', ['nosuid', 'noexec', 'newinstance', 'ptmxmode=0666', 'mode=0620']),
  mount('/dev/shm', 'tmpfs', ['nosuid', 'noexec', 'nodev', 'mode=1777', 'size=256m'], 'shm'),
  mount('/tmp', 'tmpfs', ['nosuid', 'noexec', 'nodev', 'mode=1777']),
];

const none = { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] };

/** The description of a container for its runtime. */
function specOf({ rootfs, args, env, user, mounts, network, memory }: Container): object {
  const [uid, gid] = user.split(':').map(Number);
  const own = ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type }));
  return {
    ociVersion: '1.0.2',
    process: {
      terminal: false,
      user: { uid, gid },
      args,
      env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
      cwd: '/',
      capabilities: none,
      noNewPrivileges: true,
    },
    root: { path: rootfs, readonly: true },
    hostname: 'container',
    mounts: [
      ...systemMounts,
      ...mounts.map(({ source, target, readOnly }) =>
        mount(target, 'bind', ['rbind', readOnly ? 'ro' : 'rw', 'nosuid', 'nodev'], source),
      ),
    ],
    linux: {
      namespaces: [...own, ...(network ? [{ type: 'network', path: network }] : [])],
      maskedPaths: ['/proc/kcore', '/proc/keys', '/proc/timer_list', '/proc/sched_debug'],
      readonlyPaths: ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'],
      seccomp: seccomp(),
      ...(memory && { resources: { memory: { limit: memory } } }),
    },
  };
}

/** Writes the folder from which a runtime starts a container. */
export function writeBundle(folder: string, container: Container): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.json'), JSON.stringify(specOf(container), null, 2));
  return folder;
}
