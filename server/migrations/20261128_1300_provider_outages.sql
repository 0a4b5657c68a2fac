-- Since when sign-ins through a provider fail for reasons of the provider or of its settings, and since when its discovery
-- document can not be read. A row goes with the next success. Not in identity_providers, whose revision would rise.

create table provider_outages (
  provider_id bigint not null references identity_providers on delete cascade,
  part text not null check (part in ('sign_in', 'discovery')),
  reason text not null check (reason in ('away', 'refused', 'answer', 'unreadable', 'issuer')),
  -- in a row, by all processes
  failures integer not null default 0,
  since timestamptz(3) not null default now(),
  -- when administrators were notified of it
  notified_at timestamptz(3),
  primary key (provider_id, part)
);
