-- The total of a list of evaluations adds up as many counts as there are departments. When the counts are folded, they are
-- added up by company too: a total is that, and what came since. No change of an evaluation writes more than before.
alter table kpi_evaluation_counts add column folded boolean;

create table kpi_folded_counts (
  cycle_id bigint not null,
  entity_id bigint not null,
  status text not null,
  due_on date,
  band text,
  evaluations int not null,
  percentages numeric not null
);
create index kpi_folded_counts_idx on kpi_folded_counts (cycle_id, entity_id);
create index kpi_folded_counts_open_idx on kpi_folded_counts (status, entity_id, due_on) include (evaluations)
  where status not in ('completed', 'cancelled');

-- Evaluations of a company by cycle, state, day and band.
create view kpi_company_counts as
  select cycle_id, entity_id, status, due_on, band, evaluations, percentages from kpi_folded_counts
  union all
  select cycle_id, entity_id, status, due_on, band, evaluations::int, percentages
  from kpi_evaluation_counts where folded is null;

create or replace function fold_kpi_evaluation_counts() returns void language sql as $$
  with taken as (
    delete from kpi_evaluation_counts where ctid = any(array(
      select unnest(several.rows) from (
        select array_agg(ctid) as rows from kpi_evaluation_counts
        group by cycle_id, entity_id, department_id, status, due_on, band, flag
        having count(*) > 1 or bool_or(folded is null)) as several))
    returning *
  ), kept as (
    insert into kpi_evaluation_counts
    select cycle_id, entity_id, department_id, status, due_on, band, flag, sum(evaluations), sum(percentages), true
    from taken group by 1, 2, 3, 4, 5, 6, 7 having sum(evaluations) <> 0 or sum(percentages) <> 0
  )
  insert into kpi_folded_counts
  select cycle_id, entity_id, status, due_on, band, sum(evaluations), sum(percentages) from taken where folded is null
  group by 1, 2, 3, 4, 5 having sum(evaluations) <> 0 or sum(percentages) <> 0;
  with taken as (
    delete from kpi_folded_counts where ctid = any(array(
      select unnest(several.rows) from (
        select array_agg(ctid) as rows from kpi_folded_counts
        group by cycle_id, entity_id, status, due_on, band having count(*) > 1) as several))
    returning *
  )
  insert into kpi_folded_counts
  select cycle_id, entity_id, status, due_on, band, sum(evaluations), sum(percentages) from taken
  group by 1, 2, 3, 4, 5 having sum(evaluations) <> 0 or sum(percentages) <> 0;
  with folded as (
    delete from kpi_stage_days where ctid = any(array(
      select unnest(several.rows) from (
        select array_agg(ctid) as rows from kpi_stage_days
        group by cycle_id, entity_id, status, days having count(*) > 1) as several))
    returning *
  )
  insert into kpi_stage_days
  select cycle_id, entity_id, status, days, sum(evaluations) from folded group by 1, 2, 3, 4;
$$;
