import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * `npm run test:backup`: backs up and restores an external database with the tools in docs/backup.md. A missing tool is
 * named and makes the run fail, unless the run names the tools to test: `npm run test:backup -- barman`.
 */

const isInPath = (program: string) =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

const hasServer = existsSync('/usr/lib/postgresql/15/bin/postgres');
const wanted = process.argv.slice(2);
const chosen = ['pgbackrest', 'barman'].filter((name) => wanted.length === 0 || wanted.includes(name));
const there = chosen.filter((name) => hasServer && isInPath(name));

if (!hasServer) console.error('PostgreSQL 15 of Debian is not installed: apt-get install -y postgresql-15');
for (const name of chosen) if (!isInPath(name)) console.error(`${name} is not installed: apt-get install -y ${name}`);

const env = { ...process.env, BACKUP_TOOLS: there.join(',') };
const isGood =
  there.length > 0 && spawnSync('npx', ['vitest', 'run', '--project', 'tools'], { env, stdio: 'inherit' }).status === 0;
const missing = chosen.length - there.length;
if (missing > 0) console.error(`Not run with ${missing} of ${chosen.length} tools, see above.`);
process.exitCode = isGood && missing === 0 && chosen.length > 0 ? 0 : 1;
