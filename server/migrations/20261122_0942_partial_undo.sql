-- An undo takes back the rows that its sender may take back and that nothing came in the way of; the others stay.
alter table imports drop constraint imports_status_check;
alter table imports add constraint imports_status_check check (status in
  ('processing', 'needs_mapping', 'preview', 'completed', 'failed', 'undone', 'partly_undone', 'expired'));
-- what stayed at the last undo: {count, for, rows: [{row, reason}]}; `for` is the account that may read the reasons
alter table imports add column kept jsonb;
-- why an undo leaves the row as it is; of the last one that was tried
alter table import_rows add column kept_reason text;
