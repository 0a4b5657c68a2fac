-- The company directory: cards of active people by name, and the words on them. Nothing of it covers other fields.
create index employees_card_name_idx on employees (fold(name) collate "C", id)
  where activity_status = 'active' and deleted_at is null;
create index employees_card_words_idx on employees
  using gin (array_to_tsvector(search_words(name || ' ' || email || ' ' || coalesce(job_title, ''))))
  where activity_status = 'active' and deleted_at is null;
