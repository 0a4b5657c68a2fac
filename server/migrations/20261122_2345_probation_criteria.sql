-- Named sets of criteria for probation reviews: a review begins with the set that its company proposes.

create table probation_criteria_sets (
  id bigint generated always as identity primary key,
  entity_id bigint not null references entities on delete cascade,
  name text not null,
  -- [{name, weight}], weights in whole percent, 100 together
  criteria jsonb not null,
  -- new reviews of the company begin with it
  is_proposed boolean not null default false,
  -- reviewers may change, add and remove criteria in their review
  may_adapt boolean not null default true,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1
);
create unique index probation_criteria_sets_name_key on probation_criteria_sets (entity_id, fold(name));
create unique index probation_criteria_sets_is_proposed_key on probation_criteria_sets (entity_id) where is_proposed;
create index probation_criteria_sets_sort_idx on probation_criteria_sets (fold(name), id);
create index probation_criteria_sets_created_idx on probation_criteria_sets (created_at, id);
create index probation_criteria_sets_updated_idx on probation_criteria_sets (updated_at, id);
create trigger touch before update on probation_criteria_sets for each row execute function touch_row();

-- The reviewer rates the criteria as they are: they came from a set that may not be adapted.
alter table probation_reviews add column criteria_fixed boolean not null default false;
