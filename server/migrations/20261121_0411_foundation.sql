-- What every area uses: how texts are compared, how rows keep their revision, the installation itself.

-- Letters without case, accents and ligatures, so that "Muller" finds "Müller" and both sort together. Most texts are
-- plain, and what is done for the others costs ten times as much. db/fold.ts does the same in the service.
create function fold(value text) returns text
  language sql immutable parallel safe
  return case
    when octet_length(value) = length(value) then lower(value)
    else translate(
      regexp_replace(normalize(lower(normalize(value, nfkd)), nfkd), '[\u0300-\u036f]', '', 'g'),
      'øłđðħıþ', 'oldðhip')
  end;

-- Every way a searched word may begin inside a text: each word, each of its parts, and the rest from each part on,
-- so that "park@acme" finds "lena.park@acme.example". Looking for parts is most of the cost and is done only for words
-- that have some. A word may be found twice; a tsvector keeps it once.
create function search_words(value text) returns text[]
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

-- A row that changes gets the next revision, by which a stale form is recognised.
create function touch_row() returns trigger language plpgsql as $$
begin
  if new is distinct from old then
    new.updated_at := now();
    new.revision := old.revision + 1;
  end if;
  return new;
end $$;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- One row. structure_version rises when rights that depend on the organisation change (permissions of a role, heads of
-- departments); a higher global_epoch ends every session of the installation.
create table installation (
  id boolean primary key default true check (id),
  structure_version bigint not null default 1,
  global_epoch integer not null default 1,
  is_demo boolean not null default false,
  created_at timestamptz(3) not null default now()
);
insert into installation default values;
-- without statistics the planner takes an unknown table for a large one, in the query of every request
analyze installation;

create function bump_structure_version() returns trigger language plpgsql as $$
begin
  update installation set structure_version = structure_version + 1;
  return null;
end $$;
