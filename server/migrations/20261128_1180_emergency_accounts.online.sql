-- Emergency accounts are few among the accounts of all people, and are asked for with each list of tasks and before the last
-- one may go.

create index concurrently if not exists users_break_glass_idx on users (id) where break_glass;
