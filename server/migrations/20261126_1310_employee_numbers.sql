-- The last employee number of each company stands in a table of its own: a lock of the counter conflicts with no
-- lock of the company, so that a request can take its number late and hold the counter for a short time.

create table employee_numbers (
  entity_id bigint primary key references entities on delete cascade,
  last bigint not null default 0
);
insert into employee_numbers (entity_id, last)
  select id, last_employee_number from entities where last_employee_number > 0;

drop trigger touch on entities;
alter table entities drop column last_employee_number;
create trigger touch before update on entities for each row execute function touch_row();
