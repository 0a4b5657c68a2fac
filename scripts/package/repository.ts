import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The checkout from which a release is built. */

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1_024 * 1_024 });

export type Commit = {
  hash: string;
  /** The commit time in Unix seconds: the time of every file in the release. */
  seconds: number;
};

/** The checked-out commit; its hash mentions uncommitted changes. */
export function readCommit(): Commit {
  const [hash = '', seconds = ''] = git('log', '-1', '--format=%H %ct').trim().split(' ');
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
  return { hash: isChanged ? `${hash}-changed` : hash, seconds: Number(seconds) };
}

/** The files in the checkout that git tracks, sorted. */
export const trackedFiles = (): string[] => git('ls-files', '-z').split('\0').filter(Boolean).sort();
