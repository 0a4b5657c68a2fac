-- The mark of the file store that belongs to this database: a process with another store refuses to start. store_marked
-- says that the store has it.

-- one row: without a default, so that no table is written anew while an earlier release serves
alter table installation add column store_id uuid;
alter table installation add column store_marked boolean not null default false;
update installation set store_id = gen_random_uuid();
