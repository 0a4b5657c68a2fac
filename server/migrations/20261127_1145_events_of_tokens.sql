-- Whether a program did it, with a token of the account.

alter table events add column by_token boolean not null default false;
