import { lchownSync } from 'node:fs';
import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** The system user PostgreSQL runs as when the service itself runs as root. */
export interface Account {
  uid: number;
  gid: number;
}

// Neither Debian nor systemd assigns this id, and it exists in a container with 65,536 users.
const OWN_ACCOUNT: Account = { uid: 61_054, gid: 61_054 };

/** PostgreSQL refuses to run as root: the owner of an existing cluster runs it, otherwise its own user. */
export async function serverAccount(cluster: string): Promise<Account | undefined> {
  if (process.geteuid?.() !== 0) return undefined;
  const owner = await stat(cluster).catch(() => null);
  // The unprivileged account owns it only if the setup was interrupted.
  const borrowed = owner?.uid === 0 || owner?.uid === (await findUnprivileged())?.uid;
  return owner && !borrowed ? { uid: owner.uid, gid: owner.gid } : OWN_ACCOUNT;
}

/** initdb needs a named user and ours has no name: an unprivileged one runs it, and the files change owner later. */
export async function namedAccount(): Promise<Account> {
  const account = await findUnprivileged();
  if (account) return account;
  throw new Error('PostgreSQL cannot be set up as root: /etc/passwd has no user "nobody". Start as another user.');
}

async function findUnprivileged(): Promise<Account | undefined> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, uid, gid] = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(users) ?? [];
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

/** Changes the owner of a folder and its contents; synchronously: nothing else runs yet, and promises are slower. */
export async function chownTree(folder: string, { uid, gid }: Account): Promise<void> {
  const entries = await readdir(folder, { recursive: true });
  for (const entry of ['.', ...entries]) lchownSync(join(folder, entry), uid, gid);
  await chmod(folder, 0o700);
}

/** The nearest folder on the way to `path` that `account` may not pass through, if any. */
export async function barredFolder(path: string, { uid, gid }: Account): Promise<string | undefined> {
  const folder = resolve(path);
  const { mode, uid: owner, gid: group } = await stat(folder);
  const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return folder;
  return folder === dirname(folder) ? undefined : barredFolder(dirname(folder), { uid, gid });
}
