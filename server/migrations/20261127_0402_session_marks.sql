-- How a session began and what it proved. The release before leaves these out: its sessions begin with a password.

alter table session_register
  add column method text not null default 'password',
  add column factors smallint not null default 1,
  -- it may only add a second factor
  add column enrol_only boolean not null default false,
  -- no reference: the providers are a table of a later release
  add column provider_id bigint,
  add column sso_sid text,
  -- when the person last proved that it is them; null for a session of before, which did when it began
  add column proved_at timestamptz(3),
  add constraint session_register_method_check check (method in ('password', 'passkey', 'sso')) not valid,
  add constraint session_register_factors_check check (factors in (1, 2)) not valid,
  add constraint session_register_provider_check check ((method = 'sso') = (provider_id is not null)) not valid;
alter table session_register alter column proved_at set default now();
