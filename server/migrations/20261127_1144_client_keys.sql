-- Keys by which the service proves to providers who it is, in place of a secret that both know. A key is published before
-- it signs, and for a day after the next one began to.

create table client_keys (
  id bigint generated always as identity primary key,
  kid text not null unique,
  public_key jsonb not null,
  private_key text constraint client_keys_private_key_sealed check (private_key ~ '^1[.][0-9a-f]{12}[.][A-Za-z0-9_-]+$'),
  signs_from timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now()
);
create index client_keys_private_key_key_idx on client_keys (substr(private_key, 3, 12), id) where private_key is not null;

alter table identity_providers add column uses_key boolean not null default false;
