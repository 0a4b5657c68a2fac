-- What a person proves a second factor with. Nothing asks for it yet; its secret is the first sealed column.

create table authenticators (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  kind text not null check (kind in ('totp', 'passkey')),
  name text not null check (length(name) between 1 and 100),
  -- sealed for this table, column and row: see server/src/access/sealed-columns.ts
  secret text constraint authenticators_secret_sealed check (secret ~ '^1[.][0-9a-f]{12}[.][A-Za-z0-9_-]+$'),
  -- the last step of time whose code was used: no code works twice
  last_step bigint,
  credential_id bytea constraint authenticators_credential_id_key unique,
  public_key bytea,
  counter bigint,
  transports text[],
  rp_id text,
  backed_up boolean,
  -- it counts only from then on
  confirmed_at timestamptz(3),
  last_used_at timestamptz(3),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index authenticators_user_id_idx on authenticators (user_id);
-- the values of a key are counted and sealed again without reading those of the others
create index authenticators_secret_key_idx on authenticators (substr(secret, 3, 12), id) where secret is not null;
