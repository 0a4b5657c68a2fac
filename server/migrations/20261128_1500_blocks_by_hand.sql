-- Blocks of sign-in that HR sets by hand, with the reason and the account that set them. Such a row has a reason and no
-- connection; its source is that of connections, because a check of the release before knows no third one. That release
-- shows the block without reason and author, and lifts it as any other.

alter table sign_in_blocks
  add column reason text,
  add column created_by bigint references users on delete set null,
  add constraint sign_in_blocks_reason_check check (
    reason is null or source = 'scim' and connection_id is null and length(reason) between 1 and 500) not valid;
