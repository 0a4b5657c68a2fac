-- Accounts that get in with their password when the provider of their company is away.

alter table users add column break_glass boolean not null default false;
