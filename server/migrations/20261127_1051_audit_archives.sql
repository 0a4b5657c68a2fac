-- Months of the audit log that were written to an archive and removed from the database. Their links stay in
-- audit_chain, so that the chain has no gap, and an archived month can be compared with it at any time.

create table audit_archives (
  month date primary key check (month = date_trunc('month', month)),
  entries bigint not null check (entries > 0),
  -- the links of its entries
  positions int8multirange not null,
  -- of the manifest in the archive, which holds the SHA-256 of every file
  manifest_sha256 text not null check (manifest_sha256 ~ '^[0-9a-f]{64}$'),
  -- where it was written to; it may have been moved since
  location text not null,
  archived_at timestamptz(3) not null default now()
);
create trigger append_only before update or delete on audit_archives for each row execute function refuse_change();
create trigger append_only_truncate before truncate on audit_archives for each statement execute function refuse_change();
comment on table audit_archives is 'Months of the audit log that are in an archive.';

-- The links from `first` on, at most this many, that do not match their row or the link before them. The row of an archived
-- link is in the archive.
create or replace function broken_audit_links(first bigint, most integer)
  returns table ("position" bigint, audit_id bigint, fault text)
  language sql stable as $$
  with archived as (
    select range_agg(p.positions) as positions from audit_archives a, unnest(a.positions) as p (positions)
  ), links as (
    select c.position, c.audit_id, c.hash,
           lag(c.position) over (order by c.position) as before, lag(c.hash) over (order by c.position) as previous
    from audit_chain c where c.position >= first - 1 and c.position < first + most
  ), faults as (
    select l.position, l.audit_id,
           case when coalesce(l.before, 0) <> l.position - 1 then 'missing link'
                when a.id is not null and l.hash <> audit_link(l.previous, a) then 'changed row'
                when a.id is null and not coalesce(x.positions @> l.position, false) then 'missing row' end as fault
    from links l cross join archived x left join audit_log a on a.id = l.audit_id
    where l.position >= first
  )
  select f.position, f.audit_id, f.fault from faults f where f.fault is not null order by f.position
$$;
