-- A domain belongs to one of the providers that are on, and may be prepared for another one that is off. All domains are
-- in provider_domains. identity_domains, whose key is the domain, keeps those of the providers that are on, which the
-- release before reads and writes; triggers keep the two alike, whichever release writes.

create table provider_domains (
  provider_id bigint not null references identity_providers on delete cascade,
  domain text not null,
  primary key (provider_id, domain)
);
insert into provider_domains (provider_id, domain) select provider_id, domain from identity_domains;
delete from identity_domains d using identity_providers p where p.id = d.provider_id and not p.is_enabled;

-- A domain of a provider that is on; one that another provider has is refused by the key of identity_domains.
create function offer_domain() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from identity_domains where provider_id = old.provider_id and domain = old.domain;
    return null;
  end if;
  -- it is switched on before, and is seen, or after, and offers this domain then
  perform from identity_providers where id = new.provider_id and is_enabled for key share;
  if found then
    insert into identity_domains (domain, provider_id)
    select new.domain, new.provider_id
    where not exists (
      select from identity_domains d where d.domain = new.domain and d.provider_id = new.provider_id);
  end if;
  return null;
end $$;
create trigger offer after insert or delete on provider_domains
  for each row execute function offer_domain();

create function offer_domains_of_provider() returns trigger language plpgsql as $$
begin
  if new.is_enabled then
    insert into identity_domains (domain, provider_id)
    select d.domain, d.provider_id from provider_domains d where d.provider_id = new.id
    order by d.domain;
  else
    delete from identity_domains where provider_id = new.id;
  end if;
  return null;
end $$;
create trigger offer_domains after update of is_enabled on identity_providers
  for each row when (old.is_enabled <> new.is_enabled) execute function offer_domains_of_provider();

-- The release before writes identity_domains alone.
create function keep_domain() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from provider_domains where provider_id = old.provider_id and domain = old.domain;
    return null;
  end if;
  insert into provider_domains (provider_id, domain) values (new.provider_id, new.domain) on conflict do nothing;
  -- one that is off keeps no domain from others
  delete from identity_domains d using identity_providers p
  where d.domain = new.domain and d.provider_id = new.provider_id and p.id = d.provider_id and not p.is_enabled;
  return null;
end $$;
create trigger keep after insert or delete on identity_domains
  for each row when (pg_trigger_depth() = 0) execute function keep_domain();
