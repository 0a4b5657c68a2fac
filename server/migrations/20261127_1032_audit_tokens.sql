-- Which token a change was made with. The text of entries without one stays as it was, so that their links still verify.

alter table audit_log add column token_id bigint;

create or replace function audit_text(r audit_log) returns text
  language sql stable parallel safe
  return audit_field(r.id::text) || audit_field(to_char(r.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      || audit_field(r.actor_id::text) || audit_field(r.actor_name) || audit_field(r.action)
      || audit_field(r.subject_type) || audit_field(r.subject_id::text) || audit_field(r.subject_label)
      || audit_field(r.entity_id::text) || audit_field(r.changes::text) || audit_field(r.reason)
      || audit_field(r.request_id) || audit_field(r.ip)
      || case when r.token_id is null then '' else audit_field(r.token_id::text) end;
