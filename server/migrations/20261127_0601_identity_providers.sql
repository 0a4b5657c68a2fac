-- Providers of single sign-on (OpenID Connect), whom their subjects are here, and people who tried and were not found.
-- There is none until an administrator adds one.

create table identity_providers (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 2 and 60),
  is_enabled boolean not null default false,
  -- compared byte by byte with the iss of its tokens
  issuer text not null,
  client_id text not null,
  client_auth text not null default 'client_secret_basic'
    check (client_auth in ('client_secret_basic', 'client_secret_post')),
  -- sealed for this table, column and row: see server/src/access/sealed-columns.ts
  client_secret text constraint identity_providers_client_secret_sealed
    check (client_secret ~ '^1[.][0-9a-f]{12}[.][A-Za-z0-9_-]+$'),
  scopes text[] not null default '{openid,profile,email}',
  -- companies whose people it signs in; null: all
  entity_ids bigint[] check (cardinality(entity_ids) > 0),
  match_rule text not null default 'verified_email'
    check (match_rule in ('linked_only', 'verified_email', 'tenant_address')),
  -- the claim that says who it is, and the one with the address
  subject_claim text not null default 'sub' check (subject_claim in ('sub', 'oid')),
  address_claim text not null default 'email' check (address_claim in ('email', 'preferred_username', 'upn')),
  -- whether its sign-ins count as two factors: by these values of amr or acr
  second_factor text not null default 'never' check (second_factor in ('never', 'always', 'values')),
  second_factor_values text[] not null default '{}',
  session_max_hours double precision check (session_max_hours > 0),
  -- its endpoints and algorithms as its discovery document last said
  metadata jsonb not null,
  checked_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index identity_providers_name_key on identity_providers (fold(name));
-- the values of a key are counted and sealed again without reading those of the others
create index identity_providers_client_secret_key_idx on identity_providers (substr(client_secret, 3, 12), id)
  where client_secret is not null;
create trigger touch before update on identity_providers for each row execute function touch_row();

-- Domains of addresses whose owners sign in through a provider.
create table identity_domains (
  domain text constraint identity_domains_domain_key primary key,
  provider_id bigint not null references identity_providers on delete cascade
);
create index identity_domains_provider_id_idx on identity_domains (provider_id);

create table user_identities (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  provider_id bigint not null references identity_providers on delete cascade,
  subject text not null check (length(subject) between 1 and 255),
  -- the address in the last token; it changes nothing here
  email text,
  linked_by text not null check (linked_by in ('rule', 'person', 'hr')),
  -- another person who could have linked an account of their own: who linked it, or set the address it was found by
  linked_by_id bigint references users on delete set null,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint user_identities_subject_key unique (provider_id, subject),
  constraint user_identities_user_id_key unique (user_id, provider_id)
);

create index user_identities_linked_by_id_idx on user_identities (linked_by_id) where linked_by_id is not null;

-- People whom a provider knows and for whom there was no account; kept for thirty days.
create table sso_unmatched (
  id bigint generated always as identity primary key,
  provider_id bigint not null references identity_providers on delete cascade,
  subject text not null,
  email text,
  name text,
  tries integer not null default 1,
  last_try_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now(),
  constraint sso_unmatched_subject_key unique (provider_id, subject)
);
create index sso_unmatched_last_try_at_idx on sso_unmatched (last_try_at);

-- What may be presented once: the state of a sign-in. The hash only, until it is out of date anyway.
create table used_once (
  purpose text not null,
  hash text not null,
  expires_at timestamptz(3) not null,
  primary key (purpose, hash)
);
create index used_once_expires_at_idx on used_once (expires_at);
