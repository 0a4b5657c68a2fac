-- What one migration added without a look at each row: the checks of the state of chat targets, and the index by which
-- the removal of an account finds what it answers for.

create index concurrently if not exists chat_targets_set_by_id_idx on chat_targets (set_by_id) where set_by_id is not null;
alter table chat_targets validate constraint chat_targets_status_check;
alter table chat_targets validate constraint chat_targets_reason_check;
