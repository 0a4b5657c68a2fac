-- A channel of a chat gets what the person who answers for it may see, as long as they may: then it is stopped, until
-- another person looks at it.

alter table chat_targets
  -- who last said what it gets, or may have; null: the account is gone
  add column set_by_id bigint references users on delete set null,
  add column status text not null default 'active',
  add column reason text,
  add constraint chat_targets_status_check check (status in ('active', 'stopped')) not valid,
  add constraint chat_targets_reason_check check (reason in ('account', 'permission', 'counts')) not valid;

create or replace trigger touch
  before update of name, kind, host, entity_ids, counts, weekday, hour, timezone, language, set_by_id, status
  on chat_targets for each row execute function touch_row();
