import pg from 'pg';

/** A table as COPY writes and reads it: without generated columns, and with the primary key first. */
export type Table = {
  name: string;
  columns: string[];
  /** How many of the columns form the key that orders the rows; all of them without a primary key. */
  key: number;
};

type Queryable = Pick<pg.Client, 'query'>;

/** Values as text must not depend on the connection, because they are compared with those of another server. */
export const copySettings = `set datestyle = 'ISO, MDY'; set timezone = 'UTC'; set intervalstyle = 'postgres';
  set bytea_output = 'hex'; set extra_float_digits = 1; set client_encoding = 'UTF8';
  set statement_timeout = 0; set lock_timeout = '30s'; set idle_in_transaction_session_timeout = 0`;

/**
 * All tables of the current schema, largest first; partitioned tables as a whole, without their parts. Leaves out
 * unlogged tables: a crash empties them anyway, and a standby cannot read them.
 */
export async function readTables(client: Queryable): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname::text as name,
            array_agg(a.attname::text order by array_position(k.conkey, a.attnum), a.attnum) as columns,
            coalesce(cardinality(k.conkey), count(*)::int) as key
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relpersistence = 'p'
       and not c.relispartition
     group by c.oid, c.relname, k.conkey
     order by (select sum(pg_total_relation_size(t.relid)) from pg_partition_tree(c.oid) t) desc nulls last,
              pg_total_relation_size(c.oid) desc, c.relname`,
  );
  return rows;
}

const listed = (columns: readonly string[]) => columns.map((name) => pg.escapeIdentifier(name)).join(', ');

export const copyOut = ({ name, columns, key }: Table) =>
  `copy (select ${listed(columns)} from ${pg.escapeIdentifier(name)}
         order by ${listed(columns.slice(0, key))}) to stdout`;

export const copyIn = ({ name, columns }: Pick<Table, 'name' | 'columns'>) =>
  `copy ${pg.escapeIdentifier(name)} (${listed(columns)}) from stdin`;

export type Sum = { rows: number; sum: string };

/** The number of rows, and a sum over a hash of each: equal for equal content in any order. */
export async function sumOf(client: Queryable, { name, columns }: Pick<Table, 'name' | 'columns'>): Promise<Sum> {
  const { rows } = await client.query<{ count: string; sum: string }>(
    `select count(*), coalesce(sum(hashtextextended(row(${listed(columns)})::text, 0)), 0)::text as sum
     from ${pg.escapeIdentifier(name)}`,
  );
  return { rows: Number(rows[0]?.count), sum: rows[0]?.sum ?? '' };
}

/** Last values of sequences, and whether each was already used. */
export async function readSequences(client: Queryable): Promise<Record<string, [value: string, isCalled: boolean]>> {
  const { rows } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'S' order by 1`,
  );
  const found: Record<string, [string, boolean]> = {};
  for (const { name } of rows) {
    const read = await client.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${pg.escapeIdentifier(name)}`,
    );
    found[name] = [read.rows[0]?.value ?? '1', read.rows[0]?.called ?? false];
  }
  return found;
}

/** Months with their own part in the audit log, as `202611`. */
export async function readAuditMonths(client: Queryable): Promise<string[]> {
  const { rows } = await client.query<{ month: string }>(
    `select substring(c.relname from '^audit_log_(\\d{6})$') as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'audit_log'::regclass and c.relname ~ '^audit_log_\\d{6}$' order by 1`,
  );
  return rows.map(({ month }) => month);
}
