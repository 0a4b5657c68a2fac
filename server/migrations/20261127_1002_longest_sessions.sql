-- How long a session lasts under the rule of a company, whatever begins it; and whether an administrator has decided about
-- second factors, so that administrators are asked once.

alter table installation add column second_factor_decided_at timestamptz(3);

create function limit_session() returns trigger language plpgsql as $$
declare
  hours double precision;
begin
  select p.session_max_hours into hours
  from users u
  left join employees e on e.user_id = u.id
  join lateral (
    -- a row of the company wins as a whole
    select s.session_max_hours from sign_in_policies s where s.entity_id = e.entity_id or s.entity_id is null
    order by s.entity_id nulls last limit 1) as p on true
  where u.id = new.user_id and not u.break_glass;
  if hours is not null then
    new.expires_at := least(new.expires_at, new.created_at + make_interval(secs => hours * 3600));
  end if;
  return new;
end $$;
-- after guard_session by its name, which waits for a change of the rules
create trigger limit_session before insert on session_register for each row execute function limit_session();
