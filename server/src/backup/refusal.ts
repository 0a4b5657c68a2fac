/** What stops a backup or a restore: one line that tells the operator what to do. Nothing was changed. */
export class Refusal extends Error {}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'has no space left: free some space, or choose another location',
  EDQUOT: 'has no space left: free some space, or choose another location',
  EROFS: 'is read-only: make it writable, or choose another location',
  EACCES: 'cannot be used by this user: change its permissions, or choose another location',
  EPERM: 'cannot be used by this user: change its permissions, or choose another location',
  ENOTDIR: 'is not a folder: choose another location',
  EISDIR: 'is a folder: give the name of a file',
  ENOENT: 'does not exist: check the path and whether its disk is mounted',
  EIO: 'cannot be read or written: check its disk',
};

/** A disk error at `place` as a line for the operator; other errors are returned unchanged. */
export function refusalOf(error: unknown, place: string): unknown {
  const reason = reasons[(error as NodeJS.ErrnoException).code ?? ''];
  return reason === undefined || error instanceof Refusal
    ? error
    : new Refusal(`${place} ${reason}.`, { cause: error });
}

/** For `catch`: the same, thrown. */
export const refusedAt =
  (place: string) =>
  (error: unknown): never => {
    throw refusalOf(error, place);
  };

/** Makes a text the beginning of a sentence. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const noDatabaseIn = (dataDir: string): Refusal =>
  new Refusal(`DATA_DIR ${dataDir} contains no database: set DATA_DIR or DATABASE_URL as for the service.`);

export const noSpaceIn = (place: string, cause: unknown): Refusal =>
  new Refusal(`${place} ${reasons['ENOSPC']}.`, { cause });

const isDatabaseFull = (error: unknown) => (error as { code?: string }).code === '53100';

/** What went wrong, in one line. */
export function reasonOf(error: unknown): string {
  if (isDatabaseFull(error)) return 'The disk of the database is full: free some space and try again.';
  const { message, code, name } = error as NodeJS.ErrnoException;
  // without Node's explanation of options that look like arguments
  if (code?.startsWith('ERR_PARSE_ARGS'))
    return `${message.split(/\n| To specify/)[0]?.replace(/\.$/, '')}. See --help.`;
  return message || code || name;
}

/** The driver's errors for a broken connection. Of EPIPE and ECONNRESET, only those of sockets have a `syscall`. */
const isConnectionLost = ({ message, code = '', syscall }: NodeJS.ErrnoException) =>
  /^57P0[12]$/.test(code) ||
  (syscall !== undefined && /^(EPIPE|ECONNRESET)$/.test(code)) ||
  /^(Connection terminated|Client has encountered a connection error)/.test(message);

/** One line for the operator, at the end of a command. */
export const lineOf = (error: unknown): string =>
  isConnectionLost(error as Error)
    ? `The connection to the database was lost (${reasonOf(error)}): check that the database is running, and try again.`
    : reasonOf(error);
