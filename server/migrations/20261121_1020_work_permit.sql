alter table employees add column work_permit_until date;
