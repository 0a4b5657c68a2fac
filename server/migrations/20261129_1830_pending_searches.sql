-- Changes of people wait in a list of each word index until there are many. A search reads the whole list, so it may have
-- 256 kB and not 4 MB: a search after some thousand changes took 2 ms longer. Merging more often costs a change nothing
-- that could be measured; to merge with each change would make it 40 % dearer.

alter index employees_search_idx set (gin_pending_list_limit = 256);
alter index employees_search_text_idx set (gin_pending_list_limit = 256);
alter index employees_card_words_idx set (gin_pending_list_limit = 256);
alter index job_periods_title_words_idx set (gin_pending_list_limit = 256);
