-- How many groups the provider named of a person who tried to sign in, which HR sees; null where it named none at all.
alter table sso_unmatched add column groups_count integer;
