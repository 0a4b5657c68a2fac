-- The audit log is chained: each link hashes its row and the link before it, so that a row that was changed, removed or
-- slipped in later shows. Rows are chained some seconds after their commit, by the job that calls chain_audit_log.

-- The transaction that wrote the row: rows of transactions older than every running one are complete.
alter table audit_log add column transaction xid8 not null default pg_current_xact_id();
create index audit_log_transaction_idx on audit_log (transaction, id);

create table audit_chain (
  position bigint primary key,
  audit_id bigint not null constraint audit_chain_audit_id_key unique,
  hash bytea not null check (octet_length(hash) = 32)
);
create trigger append_only before update or delete on audit_chain for each row execute function refuse_change();
create trigger append_only_truncate before truncate on audit_chain for each statement execute function refuse_change();

-- Rows of transactions before this one are chained.
create table audit_chain_reached (
  id boolean primary key default true check (id),
  transaction xid8 not null default '0'
);
insert into audit_chain_reached default values;

-- One field of a row: "-" for null, else its length in bytes, a colon and its text.
create function audit_field(value text) returns text
  language sql immutable parallel safe
  return coalesce(octet_length(convert_to(value, 'UTF8')) || ':' || value, '-');

-- What is hashed of a row; scripts/audit-verify.mjs builds the same text by itself.
create function audit_text(r audit_log) returns text
  language sql stable parallel safe
  return audit_field(r.id::text) || audit_field(to_char(r.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      || audit_field(r.actor_id::text) || audit_field(r.actor_name) || audit_field(r.action)
      || audit_field(r.subject_type) || audit_field(r.subject_id::text) || audit_field(r.subject_label)
      || audit_field(r.entity_id::text) || audit_field(r.changes::text) || audit_field(r.reason)
      || audit_field(r.request_id) || audit_field(r.ip);

create function audit_link(previous bytea, r audit_log) returns bytea
  language sql stable parallel safe
  return sha256(coalesce(previous, ''::bytea) || convert_to(audit_text(r), 'UTF8'));

-- Chains at most so many rows and returns how many it were. Runs as the owner: the application may read the chain only.
create function chain_audit_log(most integer) returns integer
  language plpgsql security definer as $$
declare
  reached xid8;
  horizon xid8 := pg_snapshot_xmin(pg_current_snapshot());
  beyond xid8 := pg_snapshot_xmax(pg_current_snapshot());
  last audit_chain;
  entry audit_log;
  chained integer := 0;
begin
  select transaction into reached from audit_chain_reached for update;
  select * into last from audit_chain order by position desc limit 1;
  for entry in
    select * from (
      select * from audit_log where transaction >= reached and transaction < horizon
      union all
      -- a visible row of a transaction that is still to come was restored from another server
      select * from audit_log where transaction >= beyond) as a
    where not exists (select from audit_chain c where c.audit_id = a.id)
    order by transaction, id limit most
  loop
    last := row(coalesce(last.position, 0) + 1, entry.id, audit_link(last.hash, entry));
    insert into audit_chain values (last.position, last.audit_id, last.hash);
    chained := chained + 1;
  end loop;
  update audit_chain_reached
  set transaction = case when chained < most then horizon else least(entry.transaction, horizon) end;
  return chained;
end $$;

-- The links from `first` on, at most so many, that do not fit their row or the link before them.
create function broken_audit_links(first bigint, most integer)
  returns table ("position" bigint, audit_id bigint, fault text)
  language sql stable as $$
  with links as (
    select c.position, c.audit_id, c.hash,
           lag(c.position) over (order by c.position) as before, lag(c.hash) over (order by c.position) as previous
    from audit_chain c where c.position >= first - 1 and c.position < first + most
  )
  select l.position, l.audit_id,
         case when a.id is null then 'missing row' when coalesce(l.before, 0) <> l.position - 1 then 'missing link'
              else 'changed row' end
  from links l left join audit_log a on a.id = l.audit_id
  where l.position >= first
    and (a.id is null or coalesce(l.before, 0) <> l.position - 1 or l.hash <> audit_link(l.previous, a))
  order by l.position
$$;

-- The owner makes the partitions, also for a job that runs as the application.
alter function ensure_audit_partitions(integer) security definer;

-- What runs as the owner finds its tables here, whatever the caller put on its own path.
do $$
begin
  execute format('alter function chain_audit_log(integer) set search_path = %I, pg_temp', current_schema());
  execute format('alter function ensure_audit_partitions(integer) set search_path = %I, pg_temp', current_schema());
end $$;
