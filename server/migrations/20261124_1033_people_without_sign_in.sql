-- People without a sign-in, as in a factory: who has no email address has no account. Both come and go together.

alter table employees alter column user_id drop not null, alter column email drop not null;
alter table employees add constraint employees_account_check check ((user_id is null) = (email is null));

-- The texts that searches read, with an empty address. The columns are made anew under their names, since their text
-- cannot be changed in PostgreSQL 15 and 16; readers see one or the other.
alter table employees
  drop column search_vector,
  add column search_vector tsvector generated always as (array_to_tsvector(search_words(
    first_name || ' ' || coalesce(middle_name, '') || ' ' || last_name || ' ' || coalesce(display_name, '')
    || ' ' || coalesce(email, '') || ' ' || employee_number || ' ' || coalesce(job_title, '')))) stored,
  drop column search_text,
  add column search_text text generated always as (fold(
    first_name || ' ' || coalesce(middle_name, '') || ' ' || last_name || ' ' || coalesce(display_name, '')
    || ' ' || employee_number || ' ' || split_part(coalesce(email, ''), '@', 1))) stored;
create index employees_search_idx on employees using gin (search_vector);
do $$ begin
  if exists (select from pg_extension where extname = 'pg_trgm') then
    create index employees_search_text_idx on employees using gin (search_text gin_trgm_ops);
  end if;
end $$;
drop index employees_card_words_idx;
create index employees_card_words_idx on employees
  using gin (array_to_tsvector(search_words(name || ' ' || coalesce(email, '') || ' ' || coalesce(job_title, ''))))
  where activity_status = 'active' and deleted_at is null;

-- No address comes last both ways, so that each direction of the order has an index of its own.
create index employees_email_desc_idx on employees (email collate "C" desc nulls last, id desc)
  include (entity_id, department_id, activity_status, employment_lifecycle)
  where deleted_at is null;
-- the filter for people without a sign-in
create index employees_no_sign_in_idx on employees (last_name_sort, id)
  include (entity_id, department_id, activity_status, employment_lifecycle)
  where user_id is null and deleted_at is null;

-- An empty account would mean all open pages.
drop trigger announce_end on employees;
create trigger announce_end after update on employees
  for each row when ((new.activity_status, new.early_access, new.deleted_at)
                       is distinct from (old.activity_status, old.early_access, old.deleted_at)
                     and new.user_id is not null)
  execute function announce_sessions('user_id');
