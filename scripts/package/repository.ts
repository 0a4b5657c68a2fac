import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The checkout that a release is made of. */

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1_024 * 1_024 });

export type Commit = {
  hash: string;
  /** When it was made, in seconds since 1970: the time of every file of the release. */
  seconds: number;
};

/** The commit that is checked out; changes that are not committed are named in its hash. */
export function readCommit(): Commit {
  const [hash = '', seconds = ''] = git('log', '-1', '--format=%H %ct').trim().split(' ');
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
  return { hash: isChanged ? `${hash}-changed` : hash, seconds: Number(seconds) };
}

/** The files of the checkout that git knows, sorted. */
export const trackedFiles = (): string[] => git('ls-files', '-z').split('\0').filter(Boolean).sort();
