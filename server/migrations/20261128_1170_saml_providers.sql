-- Providers of SAML 2.0 beside those of OpenID Connect. All columns have values that mean a provider of OpenID Connect, so
-- the release before goes on as it did. It has no secret for a provider of SAML and answers 404 for one.

alter table identity_providers
  add column kind text not null default 'oidc',
  -- where browsers go to sign in; issuer is the entity id of the provider
  add column sso_url text,
  -- what its signatures are checked with, as base64 of DER: two while one follows the other
  add column certificates text[] not null default '{}',
  -- the attribute that says who it is; null: the persistent name id
  add column subject_attribute text,
  -- the attribute with the address
  add column address_attribute text;
alter table identity_providers add constraint identity_providers_kind_check check (
  case kind
    when 'oidc' then sso_url is null and cardinality(certificates) = 0
    when 'saml' then sso_url is not null and cardinality(certificates) between 1 and 2
    else false
  end) not valid;

-- What was asked of providers of SAML. An answer is kept until the browser that asked comes for it, for a minute.
create table saml_requests (
  id bigint generated always as identity primary key,
  provider_id bigint not null references identity_providers on delete cascade,
  request_hash text not null constraint saml_requests_request_hash_key unique,
  handoff_hash text constraint saml_requests_handoff_hash_key unique,
  -- sealed for this table, column and row, and never sealed again: it lives for a minute
  answer text,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now()
);
create index saml_requests_provider_id_idx on saml_requests (provider_id);
create index saml_requests_expires_at_idx on saml_requests (expires_at);
