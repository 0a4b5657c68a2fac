-- The days of the pauses of a probation, of which a review on the way counts none. Pauses that ended before this release
-- are not known: their probations keep the days of their reviews.
alter table employees add column probation_pauses datemultirange not null default '{}';

-- The day of a probation after so many days, not counting those of pauses.
create function probation_day(start date, pauses datemultirange, days integer) returns date
  language plpgsql immutable as $$
declare
  day date := start + days;
  pause daterange;
begin
  -- the start may have been corrected since
  for pause in select p from unnest(pauses) as p where upper(p) > start order by p loop
    exit when lower(pause) > day;
    day := day + (upper(pause) - greatest(lower(pause), start));
  end loop;
  return day;
end $$;

-- The days of a probation until its end, not counting those of pauses.
create function probation_days(start date, pauses datemultirange, last date) returns integer
  language sql immutable as $$
  select greatest(0, last - start - coalesce((
    select sum(upper(p) - greatest(lower(p), start)) from unnest(pauses) as p where upper(p) > start), 0))::integer
$$;
