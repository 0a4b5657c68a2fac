-- Scores and comments of items are saved with each draft: new pages keep room for them.

alter table kpi_evaluation_items set (fillfactor = 85);
