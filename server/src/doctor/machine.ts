import { stat, statfs } from 'node:fs/promises';
import type { Config } from '../config.ts';
import { version } from '../releases/release.ts';
import { fail, ok, warn } from './finding.ts';
import type { Finding } from './finding.ts';

/** What the checks need from the machine; tests supply another one. */
export type Machine = {
  node: string;
  /** The user that the service runs as; undefined on systems without user ids. */
  uid: number | undefined;
  /** Milliseconds since 1970. */
  now: () => number;
};

const neededMajor = 26;
const megabyte = 1_024 * 1_024;

export function checkNode({ node }: Machine): Finding {
  const found = `Tenure ${version} on Node ${node}`;
  return Number(node.split('.')[0]) >= neededMajor
    ? ok('node', found)
    : fail('node', found, `Use Node ${neededMajor}: releases contain it, and npm start installs it.`);
}

const megabytes = (bytes: number) => `${Math.floor(bytes / megabyte).toLocaleString('en')} MB`;

async function checkSpace({ DATA_DIR, DISK_RESERVE_MB }: Config): Promise<Finding> {
  const { bavail, bsize } = await statfs(DATA_DIR);
  const free = bavail * bsize;
  const reserve = DISK_RESERVE_MB * megabyte;
  const found = `${megabytes(free)} are free in DATA_DIR`;
  if (free < reserve)
    return fail(
      'disk',
      `${found}, less than DISK_RESERVE_MB (${DISK_RESERVE_MB})`,
      'Free some space: until then, uploads, imports and exports are refused.',
    );
  return free < 2 * reserve
    ? warn('disk', `${found}, less than twice DISK_RESERVE_MB (${DISK_RESERVE_MB})`, 'Free some space soon.')
    : ok('disk', found);
}

/** Owner, mode and free space of DATA_DIR. Changes nothing: the service itself creates and restricts the folder. */
export async function checkDataDir(config: Config, { uid }: Machine): Promise<Finding[]> {
  const { DATA_DIR } = config;
  const found = await stat(DATA_DIR).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error)
    return found.code === 'ENOENT'
      ? [ok('data-dir', `${DATA_DIR} does not exist yet: the first start creates it`)]
      : [
          fail(
            'data-dir',
            `${DATA_DIR} cannot be used (${found.code})`,
            'Correct the permissions of the folders above it.',
          ),
        ];
  if (!found.isDirectory()) return [fail('data-dir', `${DATA_DIR} is not a folder`, 'Set DATA_DIR to a folder.')];
  if (uid !== undefined && uid !== 0 && found.uid !== uid)
    return [
      fail(
        'data-dir',
        `${DATA_DIR} belongs to another user (uid ${found.uid}, this is uid ${uid})`,
        'Run the service and the doctor as that user, or choose another folder.',
      ),
    ];
  const isOpen = (found.mode & (uid === 0 ? 0o066 : 0o077)) !== 0;
  const mode = (found.mode & 0o777).toString(8);
  return [
    isOpen
      ? warn('data-dir', `Other users can access ${DATA_DIR} (mode ${mode})`, `Run chmod 700 ${DATA_DIR}.`)
      : ok('data-dir', `${DATA_DIR} belongs to the service (mode ${mode})`),
    await checkSpace(config),
  ];
}
