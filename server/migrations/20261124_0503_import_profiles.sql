-- Named profiles of imports: how the files of one source are read, kept for a company.

create table import_profiles (
  id bigint generated always as identity primary key,
  entity_id bigint not null references entities on delete cascade,
  name text not null,
  mapping jsonb not null,
  defaults jsonb not null,
  values jsonb not null,
  date_format text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1
);
create unique index import_profiles_name_key on import_profiles (entity_id, fold(name));
create index import_profiles_sort_idx on import_profiles (fold(name), id);
create index import_profiles_created_idx on import_profiles (created_at, id);
create trigger touch before update on import_profiles for each row execute function touch_row();
