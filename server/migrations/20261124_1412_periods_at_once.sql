-- A transaction that writes many rows of the history settles the periods of the people once at its end: it sets
-- tenure.periods to 'later', and calls settle_job_periods itself.
create or replace function note_job_periods() returns trigger
  language plpgsql set search_path from current as $$
declare
  ids bigint[];
begin
  if current_setting('tenure.periods', true) = 'later' then
    return null;
  end if;
  if tg_table_name = 'employees' then
    select array_agg(n.id) into ids from new_rows n join old_rows o on o.id = n.id
    where (n.joining_date, n.last_working_date, n.employment_lifecycle, n.deleted_at)
      is distinct from (o.joining_date, o.last_working_date, o.employment_lifecycle, o.deleted_at);
  elsif tg_op = 'INSERT' then
    select array_agg(distinct employee_id) into ids from new_rows;
  elsif tg_op = 'DELETE' then
    select array_agg(distinct employee_id) into ids from old_rows;
  else
    select array_agg(employee_id) into ids
    from (select employee_id from old_rows union select employee_id from new_rows) as touched;
  end if;
  if ids is not null then
    perform settle_job_periods(ids);
  end if;
  return null;
end
$$;
