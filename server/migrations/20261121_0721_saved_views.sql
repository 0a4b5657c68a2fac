-- How people look at lists.
create table saved_views (
  id bigint generated always as identity primary key,
  owner_id bigint not null references users on delete cascade,
  resource text not null check (length(resource) between 1 and 40),
  name text not null check (length(name) between 1 and 60),
  query jsonb not null default '{}' check (jsonb_typeof(query) = 'object'),
  columns text[],
  density text check (density in ('comfortable', 'compact')),
  is_shared boolean not null default false,
  is_default boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1
);
create unique index saved_views_name_key on saved_views (owner_id, resource, fold(name));
create unique index saved_views_default_key on saved_views (owner_id, resource) where is_default;
create index saved_views_shared_idx on saved_views (resource, fold(name), id) where is_shared;
create trigger touch before update on saved_views for each row execute function touch_row();
