-- Days on which a person is away for long: parental leave, an illness, a sabbatical. The person stays active, counts as
-- a member of staff and can sign in.

create table absences (
  id bigint generated always as identity primary key,
  employee_id bigint not null references employees on delete cascade,
  first_day date not null,
  -- null: until further notice
  last_day date,
  -- one of the private details of the person
  absence_reason text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  constraint absences_last_day_check check (last_day >= first_day),
  -- a range of one id, because an id alone needs an extension
  constraint absences_overlap exclude using gist (
    int8range(employee_id, employee_id, '[]') with &&, daterange(first_day, last_day, '[]') with &&)
);
create index absences_employee_id_idx on absences (employee_id, first_day);
create index absences_last_day_idx on absences (coalesce(last_day, 'infinity'));
create trigger touch before update on absences for each row execute function touch_row();

-- Whether an absence holds at a moment, by the day in the company of the person.
create function is_on(a absences, moment timestamptz) returns boolean language sql stable as $$
  select (moment at time zone c.timezone)::date between a.first_day and coalesce(a.last_day, 'infinity')
  from employees e join entities c on c.id = e.entity_id where e.id = a.employee_id
$$;
