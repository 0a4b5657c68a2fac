-- The reasons of blocks by hand are within their bounds.

alter table sign_in_blocks validate constraint sign_in_blocks_reason_check;
