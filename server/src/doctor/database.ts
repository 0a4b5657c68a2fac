import { sql } from 'kysely';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { neededConnections } from './connections.ts';
import { fail, ok, warn } from './finding.ts';
import type { Finding } from './finding.ts';

/** What a database reports to the service's role. */
export type Facts = {
  version: number;
  version_text: string;
  encoding: string;
  /** Versions of the collation: the database's, and that of the library it runs on now; null if it has none. */
  collation: string | null;
  collation_now: string | null;
  role: string;
  is_superuser: boolean;
  /** Whether the role owns the tables; null if there are none yet. */
  is_owner: boolean | null;
  is_standby: boolean;
  is_read_only: boolean;
  /** The connections that ordinary roles may open, and those now open. */
  most: number;
  open: number;
  /** Limits of the role and the database; -1 for none. */
  role_limit: number;
  database_limit: number;
  /** In Unix seconds. */
  now: number;
  synchronous: string;
  standbys: number;
  /** Seconds that the slowest standby lags behind; null if the role cannot see it. */
  lag: number | null;
};

const question = sql<Facts>`
  select current_setting('server_version_num')::int as version,
    split_part(current_setting('server_version'), ' ', 1) as version_text,
    pg_encoding_to_char(d.encoding)::text as encoding,
    d.datcollversion as collation, pg_database_collation_actual_version(d.oid) as collation_now,
    r.rolname::text as role, r.rolsuper as is_superuser,
    (select c.relowner = r.oid from pg_class c where c.relname = 'schema_migrations' and pg_table_is_visible(c.oid)) as is_owner,
    pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as is_read_only,
    (current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true), '0')::int) as most,
    (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as open,
    r.rolconnlimit as role_limit, d.datconnlimit as database_limit,
    extract(epoch from clock_timestamp())::float8 as now,
    case when current_setting('synchronous_commit') in ('off', 'local') then ''
         else current_setting('synchronous_standby_names') end as synchronous,
    (select count(*) from pg_stat_replication)::int as standbys,
    (select extract(epoch from max(replay_lag)) from pg_stat_replication)::float8 as lag
  from pg_database d, pg_roles r
  where d.datname = current_database() and r.rolname = current_user`;

const leastVersion = 150_000;

/** Queries the database; versions older than the service supports fail on part of the query. */
export async function factsOf(db: Db): Promise<Facts | Finding> {
  const { rows } = await sql<{ version: number }>`
    select current_setting('server_version_num')::int as version`.execute(db);
  const version = rows[0]?.version ?? 0;
  if (version < leastVersion)
    return fail('database', `PostgreSQL ${Math.floor(version / 10_000)} is too old`, 'Use PostgreSQL 15 or newer.');
  return (await question.execute(db)).rows[0] as Facts;
}

function checkText({ encoding, collation, collation_now }: Facts): Finding[] {
  const found =
    encoding === 'UTF8'
      ? ok('encoding', 'UTF8')
      : fail(
          'encoding',
          `The database has the encoding ${encoding}`,
          "Create a new database with encoding 'UTF8' and template template0, and restore a backup into it.",
        );
  return [
    found,
    collation === collation_now || collation === null || collation_now === null
      ? ok('collation', 'Texts are sorted in the same order as when the indexes were built')
      : warn(
          'collation',
          `The library that sorts texts has changed (version ${collation}, now ${collation_now}), so indexes may be wrong`,
          'Run "reindex database" and "alter database … refresh collation version" as the owner.',
        ),
  ];
}

function checkRole({ role, is_superuser, is_owner }: Facts, { production }: Config): Finding {
  if (is_superuser)
    return (production ? fail : warn)(
      'role',
      `${role} is a superuser, so the database does not protect the audit log or other data from it`,
      'Use an ordinary role in DATABASE_URL; in production, the service refuses to start with a superuser.',
    );
  if (is_owner)
    return warn(
      'role',
      `${role} owns the tables: only triggers protect the audit log from it`,
      'Use the owner role in DATABASE_MIGRATION_URL, and another role in DATABASE_URL.',
    );
  return ok('role', `${role} neither owns the tables nor is a superuser`);
}

const fullShare = 0.9;

/** Connections available to the service. */
export const leastOf = ({ most, role_limit, database_limit }: Facts): number =>
  Math.min(...[most, role_limit, database_limit].filter((limit) => limit >= 0));

function checkConnectionLimits(facts: Facts, config: Config): Finding {
  const { most, open, role } = facts;
  const need = neededConnections(config, config.ROLE, config.ROLE === 'worker' ? 1 : config.processes);
  const least = leastOf(facts);
  const found = `${open} of ${most} connections are open; a process uses up to ${need}`;
  if (least < need)
    return fail(
      'connections',
      `A process uses up to ${need} connections, but the database allows ${least}`,
      least === most
        ? 'Raise max_connections, or lower DATABASE_POOL_SIZE.'
        : `Raise the limit (alter role ${role} connection limit -1; the same for the database), or lower DATABASE_POOL_SIZE.`,
    );
  return open > most * fullShare
    ? warn('connections', found, 'Raise max_connections, lower DATABASE_POOL_SIZE, or use a pooler.')
    : ok('connections', found);
}

const maxSkew = { warn: 5, fail: 60 };

function checkClock({ now }: Facts, milliseconds: number): Finding {
  const seconds = Math.round(Math.abs(now - milliseconds / 1_000));
  const found = `The clock of this machine differs by ${seconds} s from that of the database`;
  const remedy = 'Synchronize both machines with a time server (NTP).';
  if (seconds > maxSkew.fail) return fail('clock', found, remedy);
  return seconds > maxSkew.warn
    ? warn('clock', found, remedy)
    : ok('clock', 'The clock agrees with that of the database');
}

const maxLag = 60;

function checkStandbys({ is_standby, is_read_only, synchronous, standbys, lag }: Facts): Finding {
  if (is_standby)
    return fail(
      'standby',
      'DATABASE_URL leads to a standby, which is read-only',
      'Correct DATABASE_URL, so that it leads to the primary.',
    );
  if (is_read_only)
    return fail(
      'standby',
      'The database is read-only (default_transaction_read_only)',
      'Set default_transaction_read_only to off for the database and the role, once the reason for it is gone.',
    );
  if (synchronous !== '' && standbys === 0)
    return fail(
      'standby',
      `Commits wait for a standby (${synchronous}), but none is connected`,
      'Connect the standby, or clear synchronous_standby_names.',
    );
  if (lag !== null && lag > maxLag)
    return warn('standby', `A standby is ${Math.round(lag)} s behind`, 'Check its disk and the network.');
  return ok('standby', standbys === 0 ? 'A primary without standbys' : `A primary with ${standbys} standbys`);
}

const embedded = 'embedded; SECURITY.md states the age of its libraries';

/** Checks what a database reports. `milliseconds` is this machine's time. */
export const check = (facts: Facts, config: Config, milliseconds: number): Finding[] => [
  ok('database', `PostgreSQL ${facts.version_text}, ${config.DATABASE_URL ? 'external' : embedded}`),
  ...checkText(facts),
  checkRole(facts, config),
  checkConnectionLimits(facts, config),
  checkClock(facts, milliseconds),
  checkStandbys(facts),
];
