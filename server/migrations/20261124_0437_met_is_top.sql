-- An item that is met or missed (yes or no, on target) has the highest score when it is met. Evaluations that exist keep
-- the rule they began with: there 100 % is 4 of 5.
alter table kpi_evaluations add column met_is_top boolean not null default false;
alter table kpi_evaluations alter column met_is_top set default true;
