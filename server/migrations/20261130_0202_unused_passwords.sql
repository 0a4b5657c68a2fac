-- A password that was chosen by a link to an address which another person set, until the first sign-in with it: that person
-- may be the one who chose it, as with a one-time password.

alter table users add column password_unused boolean not null default false;
