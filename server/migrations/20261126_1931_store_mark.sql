-- The mark of the file store that belongs to this database: a process with another store refuses to start. store_marked
-- says that the store has it.

alter table installation add column store_id uuid not null default gen_random_uuid();
alter table installation add column store_marked boolean not null default false;
