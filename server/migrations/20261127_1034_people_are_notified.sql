-- Notifications and mails are for people: programs are never among the recipients, whatever roles they hold.

create or replace view reachable_users as
 select u.id as user_id,
    u.email,
    u.locale,
    e.id as employee_id,
    coalesce(e.name, u.email) as name
   from users u
     left join employees e on e.user_id = u.id
     left join entities c on c.id = e.entity_id
  where u.is_enabled and u.account_kind = 'person' and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at) and not ((e.employment_lifecycle in ('resigned', 'terminated')) and coalesce(e.last_working_date < (now() at time zone c.timezone)::date, false)));
