-- Searches of the audit log: each word of a search begins a word of an entry's label or action, whatever case, accents
-- and punctuation. By index, because there are millions of entries.
create function audit_search_text(value text) returns text
  language sql immutable parallel safe
  return translate(fold(value), '''!"#$%&()*+,-./:;<=>?@[\]^_`{|}~', '                                ');

create function audit_words(label text, action text) returns tsvector
  language sql immutable parallel safe
  return to_tsvector('simple', audit_search_text(coalesce(label, '') || ' ' || action));

-- Null where a search has no letter or digit, so that it finds nothing.
create function audit_query(search text) returns tsquery
  language sql immutable parallel safe
  return (
    select string_agg('''' || word || ''':*', ' & ')::tsquery
    from regexp_split_to_table(audit_search_text(search), '\s+') as word where word <> '');

create index audit_log_search_idx on audit_log using gin (audit_words(subject_label, action));
