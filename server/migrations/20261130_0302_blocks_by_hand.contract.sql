-- Blocks by hand have a source of their own. Earlier releases write that of connections, which their checks ask for.

alter table sign_in_blocks
  drop constraint sign_in_blocks_source_check,
  drop constraint sign_in_blocks_reason_check;
update sign_in_blocks set source = 'hand' where reason is not null;
alter table sign_in_blocks
  alter column source set default 'hand',
  add constraint sign_in_blocks_known_source check (source in ('hand', 'scim', 'other')),
  add constraint sign_in_blocks_by_hand check (
    (source = 'hand') = (reason is not null)
    and (reason is null or connection_id is null and length(reason) between 1 and 500));
