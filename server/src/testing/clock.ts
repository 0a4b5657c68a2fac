import pg from 'pg';
import type { TestDatabase } from './databases.ts';
import { cloneDatabase } from './databases.ts';

/**
 * A test's clock for its database: `now()` becomes a function in a schema that precedes the system's. Whatever asks the
 * database for the time uses it, including column defaults. It starts at noon today, so that no test runs into
 * midnight. The days are constants in the function, so that the planner inlines its calls; a function that reads a
 * table would run for each row.
 */
const install = `
  create schema clock;
  create function clock.go_to(days integer) returns void language plpgsql as $go$ begin
    execute format('create or replace function clock.now() returns timestamptz language sql stable
                    as $now$ select pg_catalog.now() + %L::interval + %L::interval $now$',
                   obj_description('clock'::regnamespace, 'pg_namespace'), days || ' days'); end $go$;
  do $$ declare one record; begin
    execute format('comment on schema clock is %L',
                   date_trunc('day', pg_catalog.now(), 'UTC') + interval '12 hours' - pg_catalog.now());
    perform clock.go_to(0);
    grant usage on schema clock to public;
    for one in select n.nspname, c.relname, a.attname from pg_attrdef d
      join pg_class c on c.oid = d.adrelid and c.relkind in ('r', 'p') join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum = d.adnum
      where pg_get_expr(d.adbin, d.adrelid) = 'now()' and n.nspname = 'public' loop
      execute format('alter table %I.%I alter column %I set default clock.now()', one.nspname, one.relname, one.attname);
    end loop;
  end $$`;

/** A migrated database whose days pass as a test decides, and the day that it has reached. */
export async function databaseWithClock(): Promise<{
  database: TestDatabase;
  /** Advances to this many days after the start. */
  goTo: (days: number) => Promise<void>;
  end: () => Promise<void>;
}> {
  const database = await cloneDatabase();
  const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 1 });
  await owner.query(install);
  const name = new URL(database.ownerUrl).pathname.slice(1);
  await owner.query(`alter database ${name} set search_path = clock, public, pg_catalog`);
  return {
    database,
    goTo: async (days) => void (await owner.query('select clock.go_to($1)', [days])),
    end: () => owner.end(),
  };
}
