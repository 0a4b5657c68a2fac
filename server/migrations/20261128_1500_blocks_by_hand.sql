-- Blocks of sign-in that HR sets by hand, with the reason and the account that set them. The earlier release shows such a
-- block without both, and lifts it as any other.

alter table sign_in_blocks
  add column reason text check (length(reason) between 1 and 500),
  add column created_by bigint references users on delete set null;

alter table sign_in_blocks drop constraint sign_in_blocks_source_check;
alter table sign_in_blocks
  add constraint sign_in_blocks_source_check check (source in ('scim', 'hr', 'other')),
  add constraint sign_in_blocks_reason_given_check check ((source = 'hr') = (reason is not null));
