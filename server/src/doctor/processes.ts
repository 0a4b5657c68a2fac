import { sql } from 'kysely';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { compareSchema } from '../db/check-schema.ts';
import { listMigrations } from '../db/migration-files.ts';
import { isAlive } from '../releases/processes.ts';
import { neededConnections } from './connections.ts';
import type { Role } from './connections.ts';
import { ok, warn } from './finding.ts';
import type { Finding } from './finding.ts';

/** The running processes of one release, role and machine. */
type Group = { release: string; role: Role; host: string; count: number };

const groups = sql<Group>`
  select release, role, host, count(*)::int as count from processes where ${isAlive}
  group by release, role, host order by release, role, host`;

/** Which processes run, with their releases; two releases during an upgrade. */
function checkAlive(alive: readonly Group[]): Finding {
  if (alive.length === 0) return ok('processes', 'No process is running');
  const releases = new Set(alive.map(({ release }) => release));
  const named = alive.map(({ count, role, release, host }) => `${count} ${role} of ${release} on ${host}`).join(', ');
  return ok('processes', releases.size > 1 ? `An upgrade is in progress: ${named}` : named);
}

/** Compares the connections of all running processes with those that the database allows their role. */
function checkSum(alive: readonly Group[], config: Config, most: number): Finding[] {
  const sum = alive.reduce((total, { role, count }) => total + count * neededConnections(config, role), 0);
  if (sum <= most) return [];
  const count = alive.reduce((total, group) => total + group.count, 0);
  return [
    warn(
      'connections',
      `The ${count} running processes use up to ${sum} connections, but the database allows ${most}`,
      'Raise max_connections, lower DATABASE_POOL_SIZE, or use a pooler.',
    ),
  ];
}

type Waiting = { used_by: string | null; hours: number };

/** Migrations that remove what earlier releases use, and wait until the processes of those have ended. */
async function checkContracts(db: Db): Promise<Finding> {
  const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db);
  const applied = rows.map(({ name }) => name);
  const [name, ...others] = compareSchema(applied, await listMigrations()).contracts;
  if (name === undefined) return ok('contracts', 'No contract migration is pending');
  const pending = others.length === 0 ? name : `${name} and ${others.length} more`;
  const found = await sql<Waiting>`
    select min(release || ' on ' || host) filter (where not contracts @> array[${name}::text]) as used_by,
      coalesce(extract(epoch from now() - min(beating_since) filter (where contracts @> array[${name}::text])) / 3600, 0)::float8
        as hours
    from processes where last_seen_at > now() - interval '10 minutes'`.execute(db);
  const [{ used_by, hours }] = found.rows as [Waiting];
  if (used_by !== null)
    return hours > maxHours
      ? warn(
          'contracts',
          `${pending} has been waiting for ${Math.floor(hours)} h until ${used_by} ends`,
          'Upgrade or stop that process.',
        )
      : ok('contracts', `${pending} waits until ${used_by} ends`);
  return hours > maxHours
    ? warn(
        'contracts',
        `${pending} is pending, but no process applies it`,
        'Start a process with ROLE=all or ROLE=worker, or set MIGRATE=on.',
      )
    : ok('contracts', `${pending} runs once only this release has been running for ten minutes`);
}

/** An upgrade that takes longer was probably forgotten. */
const maxHours = 24;

/** What the database knows about its processes; `most` is how many connections it allows. */
export async function checkProcesses(db: Db, config: Config, most: number): Promise<Finding[]> {
  const alive = (await groups.execute(db)).rows;
  return [checkAlive(alive), ...checkSum(alive, config, most), await checkContracts(db)];
}
