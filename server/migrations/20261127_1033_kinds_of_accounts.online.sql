-- Every account is of a known kind.

alter table users validate constraint users_account_kind_check;
alter table users validate constraint users_service_check;
