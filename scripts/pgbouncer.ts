import { existsSync } from 'node:fs';
import { apt } from './apt.ts';

const program = '/usr/sbin/pgbouncer';

/** Installs PgBouncer for some tests from Debian's packages if possible; without it, they are skipped. */
export async function ensurePgBouncer(): Promise<void> {
  if (existsSync(program) || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  process.stdout.write('Installing PgBouncer for the tests behind a pooler …\n');
  await apt('update', '-q');
  await apt('install', '-y', '-q', '--no-install-recommends', 'pgbouncer');
}
