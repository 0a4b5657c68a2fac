-- Where an account signed in from before, and with which browsers: these have tries of their own, which strangers cannot
-- use up; see access/known-origins.ts. Keys are hashes.
create table known_origins (
  user_id bigint not null references users on delete cascade,
  kind text not null check (kind in ('network', 'device')),
  key text not null check (length(key) = 64),
  last_at timestamptz(3) not null default now(),
  primary key (user_id, kind, key)
);
create index known_origins_last_idx on known_origins (last_at);

-- The browser a session began in, so that ending the session can forget it.
alter table session_register add column device text;

-- Of the attempts, those that failed; the others are being looked at.
alter table login_attempts add column failed integer not null default 0;

-- Nobody begins as a stranger at the address they sign in from. Networks of IPv6 are learned at the next sign-in.
insert into known_origins (user_id, kind, key, last_at)
select user_id, 'network', encode(sha256(convert_to(ip, 'utf8')), 'hex'), max(created_at)
from session_register where ip ~ '^[0-9.]+$'
group by user_id, ip;
