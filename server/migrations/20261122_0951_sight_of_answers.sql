-- A print of what the sender of a kept answer could see; null where the answer is read again.
alter table idempotency_keys add column sight text;
