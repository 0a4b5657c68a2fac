-- Search finds people inside words too. The text has what is searched inside words: names, number and the part of the
-- email before the @, which is the only part that differs within a company. `pg_trgm` is a trusted extension; where
-- the server does not have it or the owner may not create it, searches are right without the index, and slower.
do $$ begin
  create extension if not exists pg_trgm;
exception when insufficient_privilege or feature_not_supported or undefined_file then
  raise notice 'pg_trgm is not available: searches inside words read all people';
end $$;
alter table employees add column search_text text generated always as (fold(
  first_name || ' ' || coalesce(middle_name, '') || ' ' || last_name || ' ' || coalesce(display_name, '')
  || ' ' || employee_number || ' ' || split_part(email, '@', 1))) stored;
do $$ begin
  if exists (select from pg_extension where extname = 'pg_trgm') then
    create index employees_search_text_idx on employees using gin (search_text gin_trgm_ops);
  end if;
end $$;
