-- The audit log: what was changed by whom, append-only, chained so that tampering shows, searched by index.

-- Partitioned by month, so that years of it stay cheap to keep and to search.
create table audit_log (
  id bigint generated always as identity,
  at timestamptz(3) not null default now(),
  actor_id bigint,
  actor_name text not null,
  action text not null,
  subject_type text not null,
  subject_id bigint,
  subject_label text,
  entity_id bigint,
  -- Whose review the entry is about: through the log, people learn no more of their own review than from the review
  -- itself, even after its deletion. Not hashed: it says who may read the entry, not what happened.
  about_employee_id bigint,
  changes jsonb not null default '{}',
  reason text,
  request_id text,
  ip text,
  -- the transaction that wrote the row: rows of transactions older than every running one are complete
  transaction xid8 not null default pg_current_xact_id(),
  primary key (id, at)
) partition by range (at);
create index audit_log_at_idx on audit_log (at desc, id desc);
create index audit_log_subject_idx on audit_log (subject_type, subject_id, at desc);
create index audit_log_actor_idx on audit_log (actor_id, at desc);
create index audit_log_entity_idx on audit_log (entity_id, at desc);
create index audit_log_action_idx on audit_log (action, at desc);
-- what jobs and imports write comes from no request
create index audit_log_request_idx on audit_log (request_id) where request_id is not null;
create index audit_log_about_idx on audit_log (about_employee_id) where about_employee_id is not null;
create index audit_log_transaction_idx on audit_log (transaction, id);
create trigger append_only before update or delete on audit_log for each row execute function refuse_change();
create trigger append_only_truncate before truncate on audit_log for each statement execute function refuse_change();

-- Each word of a search begins a word of an entry's label or action, without regard to case, accents and punctuation. By
-- index, because there are millions of entries.
create function audit_search_text(value text) returns text
  language sql immutable parallel safe
  return translate(fold(value), '''!"#$%&()*+,-./:;<=>?@[\]^_`{|}~', '                                ');
create function audit_words(label text, action text) returns tsvector
  language sql immutable parallel safe
  return to_tsvector('simple', audit_search_text(coalesce(label, '') || ' ' || action));
-- null where a search has no letter or digit, so that it finds nothing
create function audit_query(search text) returns tsquery
  language sql immutable parallel safe
  return (
    select string_agg('''' || word || ''':*', ' & ')::tsquery
    from regexp_split_to_table(audit_search_text(search), '\s+') as word where word <> '');
create index audit_log_search_idx on audit_log using gin (audit_words(subject_label, action));

create table audit_log_default partition of audit_log default;

-- Makes the partitions of this month and the next ones; the daily job calls it. A row of a month without a partition goes
-- to the default one. Partitions belong to the owner of the log, so this runs as the owner.
create function ensure_audit_partitions(months_ahead integer) returns void language plpgsql security definer as $$
declare
  month date := date_trunc('month', now())::date;
  name text;
begin
  for i in 0..months_ahead loop
    name := 'audit_log_' || to_char(month, 'YYYYMM');
    if to_regclass(name) is null
       and not exists (select 1 from audit_log_default where at >= month and at < month + interval '1 month') then
      execute format('create table %I partition of audit_log for values from (%L) to (%L)',
                     name, month::timestamptz, (month + interval '1 month')::timestamptz);
    end if;
    month := (month + interval '1 month')::date;
  end loop;
end $$;
select ensure_audit_partitions(12);

-- Each link of the chain hashes its row and the link before it, so that a row that was changed, removed or inserted later
-- is found. Rows are chained some seconds after their commit, by the job that calls chain_audit_log.
create table audit_chain (
  position bigint primary key,
  audit_id bigint not null constraint audit_chain_audit_id_key unique,
  hash bytea not null check (octet_length(hash) = 32)
);
create trigger append_only before update or delete on audit_chain for each row execute function refuse_change();
create trigger append_only_truncate before truncate on audit_chain for each statement execute function refuse_change();

-- One row: rows of transactions before this one are chained.
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

-- Chains at most this many rows and returns how many it were. Runs as the owner: the application may only read the chain.
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

-- The links from `first` on, at most this many, that do not match their row or the link before them.
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

-- What runs as the owner finds its tables here, whatever the caller put on its own search path.
do $$
begin
  execute format('alter function chain_audit_log(integer) set search_path = %I, pg_temp', current_schema());
  execute format('alter function ensure_audit_partitions(integer) set search_path = %I, pg_temp', current_schema());
end $$;
