-- The last day of a probation after its extension, as it was decided. New ends are counted by people/probation days;
-- decisions of before keep the day that they said.
alter table probation_reviews
  add column extended_until date,
  add check (extended_until is null or outcome = 'extend');
update probation_reviews
set extended_until = (probation_end_date + make_interval(months => outcome_extension_months))::date
where outcome = 'extend' and outcome_extension_months is not null;
