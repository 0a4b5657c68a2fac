alter table employees add column cost_centre text;
