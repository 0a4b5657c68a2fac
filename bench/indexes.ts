import type pg from 'pg';

type Index = { table: string; index: string; megabytes: number; scans: number; kept_for: string };

/** The size and use of each index since the database was created; those without a constraint come first. */
export async function indexReport(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<Index>(
    `select s.relname as table, s.indexrelname as index, (pg_relation_size(s.indexrelid) / 2 ^ 20)::float8 as megabytes,
            s.idx_scan::int as scans,
            case when i.indisunique then 'unique' when c.conname is not null then c.conname else '' end as kept_for
     from pg_stat_user_indexes s join pg_index i on i.indexrelid = s.indexrelid
     left join pg_constraint c on c.conindid = s.indexrelid and c.contype in ('p', 'u', 'x')
     order by i.indisunique, s.idx_scan > 0, pg_relation_size(s.indexrelid) desc`,
  );
  const lines = rows.map(
    (row) => `| ${row.table} | ${row.index} | ${row.megabytes.toFixed(1)} | ${row.scans} | ${row.kept_for} |`,
  );
  return ['| table | index | MB | scans | kept for |', '|---|---|---|---|---|', ...lines].join('\n');
}
