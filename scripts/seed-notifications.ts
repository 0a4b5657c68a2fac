import type pg from 'pg';

/**
 * Notifications from the last year for all people, a quarter of them unread, the older ones read. Some people have far
 * more than others: the first one has a tenth of all.
 */
export async function seedNotifications(pool: pg.Pool, count: number): Promise<void> {
  await pool.query(statement, [count]);
  await pool.query('vacuum analyze notifications');
}

const statement = `
  with people as materialized (
    select u.user_id, row_number() over (order by e.id nulls first) - 1 as place
    from reachable_users u left join employees e on e.id = u.employee_id
  ), kinds (place, event, severity, params) as (values
    (0, 'kpi_evaluation_assigned', 'action', '{"cycle": "Last quarter", "date": "2026-04-10"}'::jsonb),
    (1, 'kpi_deadline_reminder', 'action', '{"person": "Mei Chen", "cycle": "Last quarter", "date": "2026-04-10"}'),
    (2, 'kpi_evaluation_completed', 'info', '{"person": "Mei Chen", "cycle": "Last quarter"}'),
    (3, 'employee_separated', 'info', '{"person": "Mei Chen", "date": "2026-04-10"}'))
  insert into notifications (user_id, event, severity, subject_type, subject_id, url, params, dedupe_key, read_at, created_at)
  select p.user_id, k.event, k.severity, 'kpi_evaluation', n, '/kpi/evaluations/' || n, k.params, 'seed:' || n,
         case when n % 4 <> 0 then now() - interval '1 year' * n / $1 end, now() - interval '1 year' * n / $1
  from (select n, case when n % 10 = 0 then 0 else n % (select count(*) from people) end as place
        from generate_series(1, $1::int) as n) as one
  join kinds k on k.place = n % 4
  join people p on p.place = one.place
  on conflict do nothing`;
