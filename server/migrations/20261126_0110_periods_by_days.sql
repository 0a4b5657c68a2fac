-- Finds the periods of a day in their order, to count them; days repeat, so that the index is a fraction of the table.
create index job_periods_days_idx on job_periods (first_day, last_day);
