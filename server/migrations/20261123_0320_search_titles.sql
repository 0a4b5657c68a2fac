-- Lists of people find job titles too. The column is made anew under its name, since its text cannot be changed in
-- PostgreSQL 15 and 16; readers see one or the other.
alter table employees
  drop column search_vector,
  add column search_vector tsvector generated always as (array_to_tsvector(search_words(
    first_name || ' ' || coalesce(middle_name, '') || ' ' || last_name || ' ' || coalesce(display_name, '')
    || ' ' || email || ' ' || employee_number || ' ' || coalesce(job_title, '')))) stored;
create index employees_search_idx on employees using gin (search_vector);
