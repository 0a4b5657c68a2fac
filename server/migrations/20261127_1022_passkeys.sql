-- A passkey opens the account by itself, so it is worth what the person may do who could have added it: who made the
-- password or the link of the session in which it was added.

alter table authenticators add column let_in_by_id bigint;
