-- What a person costs when thousands are written at once.

-- An account whose assignments come to what it says already stays as it is: whoever makes accounts by the thousand
-- writes their roles with them, and nobody can hold rights of an account that was not there.
create or replace function settle_roles(accounts bigint[]) returns void language sql as $$
  update users u set access_version = access_version + 1, roles = held.roles, is_admin = held.is_admin
  from (
    select account.id, coalesce(sums.roles, '[]') as roles, coalesce(sums.is_admin, false) as is_admin
    from unnest(accounts) as account (id)
    left join lateral (
      select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'entity_ids', a.entity_ids) order by r.name) as roles,
             bool_or(r.is_system and r.name = 'Admin') as is_admin
      from role_assignments a join roles r on r.id = a.role_id where a.user_id = account.id) as sums on true) as held
  where u.id = held.id and (u.roles, u.is_admin) is distinct from (held.roles, held.is_admin)
$$;

-- The same words as before: what is most of the cost, looking for parts, is for words that have some. A tsvector keeps
-- each word once anyway.
create or replace function search_words(value text) returns text[]
  language plpgsql immutable strict parallel safe set search_path from current as $$
declare
  word text;
  at int;
  found text[] := '{}';
begin
  foreach word in array string_to_array(
    translate(fold(value), E'\t\n\u000b\f\r\u0085\u1680\u2028\u2029', '         '), ' ')
  loop
    continue when word = '';
    found := found || substr(word, 1, 200);
    continue when word !~ '[^a-z0-9][a-z0-9]';
    at := 1;
    loop
      at := regexp_instr(word, '[^a-z0-9][a-z0-9]', at) + 1;
      exit when at = 1;
      found := found || substr(word, at, 200);
    end loop;
  end loop;
  return found;
end $$;

-- (user_id, email) refers to an account, and (entity_id, department_id) to a department of a company, already.
alter table employees drop constraint employees_user_id_fkey;
alter table employees drop constraint employees_entity_id_fkey;

-- Ties are decided by the id in the direction of the order, so one index serves both directions; only where empty
-- values come last both ways does each need its own.
drop index employees_created_at_idx;
drop index employees_updated_at_idx;
alter index employees_created_at_up_idx rename to employees_created_at_idx;
alter index employees_updated_at_up_idx rename to employees_updated_at_idx;
drop index employees_job_title_desc_idx;
drop index employees_joining_date_desc_idx;
drop index employees_probation_end_date_desc_idx;
create index employees_job_title_desc_idx on employees (job_title_sort desc nulls last, id desc)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_joining_date_desc_idx on employees (joining_date desc nulls last, id desc)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;
create index employees_probation_end_date_desc_idx on employees (probation_end_date desc nulls last, id desc)
  include (entity_id, department_id, activity_status, employment_lifecycle) where deleted_at is null;

-- What jobs and imports write comes from no request.
drop index audit_log_request_idx;
create index audit_log_request_idx on audit_log (request_id) where request_id is not null;
