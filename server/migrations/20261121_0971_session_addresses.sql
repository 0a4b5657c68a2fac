-- Addresses a session was used from after the one it began at, the latest fifty: each new one is noted once.
alter table session_register add column other_ips text[] not null default '{}';
