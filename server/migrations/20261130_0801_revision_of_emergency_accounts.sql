-- The choice of emergency accounts has a revision, as other settings have: of two administrators who choose at the same
-- time, the second must not undo what the first one chose. It rises with each account that becomes one or is none any more.

alter table installation add column break_glass_revision integer not null default 1;

create function count_break_glass() returns trigger language plpgsql as $$
begin
  update installation set break_glass_revision = break_glass_revision + 1;
  return null;
end $$;
create trigger count_break_glass after update on users for each row
  when (old.break_glass is distinct from new.break_glass) execute function count_break_glass();
