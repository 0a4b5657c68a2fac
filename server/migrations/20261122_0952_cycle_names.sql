-- The name of a KPI cycle is taken where companies overlap: within one company, and between one company and a cycle of
-- several. Cycles of two companies do not know of each other.
drop index kpi_cycles_name_key;
create unique index kpi_cycles_name_key on kpi_cycles (coalesce(entity_id, 0), fold(name));
create index kpi_cycles_name_idx on kpi_cycles (fold(name));

-- Writers of one name take turns, so that of two at the same moment the second sees the first.
create function refuse_overlapping_cycle_name() returns trigger language plpgsql set search_path from current as $$
begin
  perform pg_advisory_xact_lock(7365043, hashtext(fold(new.name)));
  if exists (select from kpi_cycles c where fold(c.name) = fold(new.name) and c.id <> new.id
               and (c.entity_id is null or new.entity_id is null)) then
    raise unique_violation using message = 'the name of the cycle is taken', table = 'kpi_cycles',
      constraint = 'kpi_cycles_name_key';
  end if;
  return null;
end $$;
create trigger refuse_overlapping_name_on_insert after insert on kpi_cycles
  for each row execute function refuse_overlapping_cycle_name();
create trigger refuse_overlapping_name_on_update after update of name, entity_id on kpi_cycles
  for each row when (new.name <> old.name or new.entity_id is distinct from old.entity_id)
  execute function refuse_overlapping_cycle_name();
