-- Titles above the headings of a file are skipped: an import says which row has its headings.

alter table imports add column header_row integer;
