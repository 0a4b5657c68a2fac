-- Each row of an import is written when it is read, checked and written. With room beside it a changed row stays on its
-- page, and no index is written for a check.
alter table import_rows set (fillfactor = 50);
