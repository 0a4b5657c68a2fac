-- The brand of the installation (entity_id null) and of each company. Null stands for the brand above: of a company for
-- that of the installation, of the installation for that of Tenure. The logo is in the file store under logo_key.
create table brands (
  id bigint generated always as identity primary key,
  entity_id bigint references entities on delete cascade,
  name text check (length(name) between 2 and 60),
  accent text check (accent ~ '^#[0-9a-f]{6}$'),
  logo_key text,
  logo_checksum text,
  logo_width integer,
  logo_height integer,
  letter_address text,
  letter_registration text,
  letter_footer text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  check (num_nulls(logo_key, logo_checksum, logo_width, logo_height) in (0, 4))
);
create unique index brands_entity_id_key on brands (entity_id) nulls not distinct;
create index brands_logo_key_idx on brands (logo_key) where logo_key is not null;
create trigger touch before update on brands for each row execute function touch_row();

insert into brands (entity_id) values (null);
insert into brands (entity_id) select id from entities;

-- Every company has a row from its first moment.
create function add_brands() returns trigger language plpgsql as $$
begin
  insert into brands (entity_id) select id from added;
  return null;
end $$;
create trigger add_brands after insert on entities
  referencing new table as added for each statement execute function add_brands();

-- The content of a replaced logo goes later, as that of every other file.
create function remove_logos() returns trigger language plpgsql as $$
begin
  insert into removed_files (file_key) values (old.logo_key);
  return null;
end $$;
create trigger remove_replaced_logo after update of logo_key on brands for each row
  when (old.logo_key is not null and old.logo_key is distinct from new.logo_key) execute function remove_logos();
create trigger remove_logo after delete on brands for each row
  when (old.logo_key is not null) execute function remove_logos();
