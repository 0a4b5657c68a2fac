-- The last test of a chat target, for all processes together: channels take one message a second.

alter table chat_targets add column tested_at timestamptz(3);
