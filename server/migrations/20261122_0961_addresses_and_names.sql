-- One spelling of an address: compatible forms as one, small letters, nothing that is not seen.
create function fold_email(value text) returns text
  language sql immutable strict parallel safe
  return lower(normalize(lower(normalize(regexp_replace(value,
    '[\u0001-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]',
    '', 'g'), nfkc)), nfkc));

do $$
declare
  collisions text;
begin
  select string_agg(format('accounts %s (%s)', ids, folded), '; ' order by folded) into collisions
  from (select fold_email(email) as folded, string_agg(id::text, ', ' order by id) as ids
        from users group by 1 having count(*) > 1) as c;
  if collisions is not null then
    raise exception 'Some accounts have addresses that differ only in what is not seen or in the form of their letters: %. Give all but one of each another address with the former release, then update again.', collisions;
  end if;
end $$;
update users set email = fold_email(email) where email <> fold_email(email);
create unique index users_email_folded_key on users (fold_email(email));

-- Names as an eye in a hurry takes them, the same as shapeOf in features/roles/lookalike.ts: no case, accents, spaces or
-- signs, and letters by their shape.
create function name_shape(value text) returns text
  language sql immutable strict parallel safe
  return replace(replace(regexp_replace(
    translate(lower(translate(regexp_replace(normalize(value, nfkd),
      '[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]', '', 'g'),
      'АВЕКМНОРСТХУІЈЅԌԚԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧᎪᎬᎻᏞᎷᎡᏒᎠ',
      'abekmhopctxyijsgqwabezhikmnoptyxaehlmrrd')),
      'аеорсухіјѕкмтнгпԁԛԝαεικνορτυχμոօհɑɡıʜʀᴀᴅᴍɪɴᴇɢʟᴘʏᴏᴛ01!|3458@$7l',
      'aeopcyxijskmthrndqwaeikvoptuxmnohagihradminegipyotoiiieasbasti'),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u3000-\u3004\u3008-\u3020\u3030\u303d\u30fb\u3164\ufe00-\ufe0f\ufeff\uffa0]', '', 'g'),
    'rn', 'm'), 'vv', 'w');

create index employees_full_name_shape_idx on employees (name_shape(first_name || ' ' || last_name))
  where activity_status = 'active' and deleted_at is null;
create index employees_display_name_shape_idx on employees (name_shape(display_name))
  where activity_status = 'active' and deleted_at is null and display_name is not null;

-- True of a name to show that is not the person's own first and last name, and that somebody else shows or has. No SQL
-- function, because one would be planned as a part of every query that asks it.
create function is_name_taken(person bigint, shown text, first_name text, last_name text) returns boolean
  language plpgsql stable parallel safe as $$
declare
  shape text := name_shape(shown);
begin
  return shape not in ('', name_shape(first_name || ' ' || last_name)) and (
    exists (select from employees e
            where name_shape(e.first_name || ' ' || e.last_name) = shape
              and e.activity_status = 'active' and e.deleted_at is null and e.id is distinct from person)
    or exists (select from employees e
               where name_shape(e.display_name) = shape
                 and e.activity_status = 'active' and e.deleted_at is null and e.display_name is not null
                 and e.id is distinct from person));
end $$;

-- Whatever the route, nobody begins to show the name of another active person.
create function refuse_taken_name() returns trigger language plpgsql as $$
begin
  if is_name_taken(new.id, new.display_name, new.first_name, new.last_name) then
    raise unique_violation using
      message = 'the display name is that of another person', table = 'employees', constraint = 'employees_display_name_key';
  end if;
  return null;
end $$;
create trigger refuse_taken_name_on_insert after insert on employees
  for each row when (new.display_name is not null and new.activity_status = 'active' and new.deleted_at is null)
  execute function refuse_taken_name();
create trigger refuse_taken_name_on_update
  after update of display_name, first_name, last_name, activity_status, deleted_at on employees
  for each row when (
    new.display_name is not null and new.activity_status = 'active' and new.deleted_at is null
    and (new.display_name, new.first_name, new.last_name, new.activity_status, new.deleted_at)
      is distinct from (old.display_name, old.first_name, old.last_name, old.activity_status, old.deleted_at))
  execute function refuse_taken_name();
