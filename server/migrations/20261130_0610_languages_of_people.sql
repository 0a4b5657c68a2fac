-- The language of a company is that of its new accounts. An account takes that of the browser at each sign-in, until the
-- person chooses one.

alter table entities add column locale text not null default 'en';
alter table users add column locale_chosen boolean not null default false;
update users set locale_chosen = true where locale <> 'en';
