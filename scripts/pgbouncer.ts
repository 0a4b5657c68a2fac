import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const program = '/usr/sbin/pgbouncer';

/** Installs the pooler of some tests from Debian's packages where that is possible; without it they are skipped. */
export function ensurePgBouncer(): void {
  if (existsSync(program) || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  const apt = (...args: string[]) => spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  process.stdout.write('Installing PgBouncer for the tests behind a pooler …\n');
  apt('update', '-q');
  apt('install', '-y', '-q', '--no-install-recommends', 'pgbouncer');
}
