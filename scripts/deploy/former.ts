import { join } from 'node:path';
import { root } from '../package/repository.ts';
import { succeed } from './container.ts';
import { run } from './tools.ts';

/** The release of an installation before its upgrade to this one. */

const lineOf = (...args: string[]): string | undefined => {
  const { status, output } = run('git', args, { cwd: root });
  return status === 0 && output !== '' ? output.trim() : undefined;
};

const given = process.env['DEPLOY_FORMER'];

/** The commit in DEPLOY_FORMER, the newest tag before this commit, or the commit before the newest migration. */
export function findFormer(): string | undefined {
  if (given?.endsWith('.tar.zst')) return given;
  const tag = lineOf('describe', '--tags', '--abbrev=0', '--match=v*', 'HEAD^');
  const migration = lineOf('log', '-1', '--diff-filter=A', '--format=%H', '--', 'server/migrations');
  return lineOf('rev-parse', '--verify', `${given ?? tag ?? `${migration}^`}^{commit}`);
}

/** The archive of the result of `findFormer`; a commit is built in a clone, with the packages of its lockfile. */
export function archiveOf(former: string, scratch: string): string {
  if (former.endsWith('.tar.zst')) return former;
  const clone = join(scratch, 'former');
  succeed('git', ['clone', '--quiet', '--local', root, clone]);
  succeed('git', ['checkout', '--quiet', former], { cwd: clone });
  // unchanged packages need no download
  succeed('cp', ['-a', join(root, 'node_modules'), clone]);
  succeed('npm', ['run', 'package', '--', '--out', join(scratch, 'former-release')], { cwd: clone });
  const version = succeed('node', ['--print', 'require("./package.json").version'], { cwd: clone });
  return join(scratch, 'former-release', `tenure-${version}-linux-${process.arch}.tar.zst`);
}
