-- A process that waited for another one to chain looks at what is running after the wait: an entry that was committed
-- meanwhile comes before those of later transactions.

create or replace function chain_audit_log(most integer) returns integer
  language plpgsql security definer as $$
declare
  reached xid8;
  horizon xid8;
  head bigint;
  link bytea;
  entry record;
  ids bigint[] := '{}';
  links bytea[] := '{}';
begin
  perform from audit_chain_reached for update;
  select transaction, pg_snapshot_xmin(pg_current_snapshot()) into reached, horizon from audit_chain_reached;
  select position, hash into head, link from audit_chain order by position desc limit 1;
  for entry in
    select a.id, a.transaction, convert_to(audit_text(a), 'UTF8') as hashed from (
      select * from audit_log where transaction >= reached and transaction < horizon
      union all
      -- a visible row of a transaction that is still to come was restored from another server
      select * from audit_log where transaction >= pg_snapshot_xmax(pg_current_snapshot())) as a
    where not exists (select from audit_chain c where c.audit_id = a.id)
    order by a.transaction, a.id limit most
  loop
    link := sha256(coalesce(link, ''::bytea) || entry.hashed);
    ids := ids || entry.id;
    links := links || link;
  end loop;
  insert into audit_chain (position, audit_id, hash)
  select coalesce(head, 0) + place, id, hash from unnest(ids, links) with ordinality as chained (id, hash, place);
  update audit_chain_reached
  set transaction = case when cardinality(ids) < most then horizon else least(entry.transaction, horizon) end;
  return cardinality(ids);
end $$;

-- What runs as the owner finds its tables here, whatever the caller put on its own search path.
do $$
begin
  execute format('alter function chain_audit_log(integer) set search_path = %I, pg_temp', current_schema());
end $$;
