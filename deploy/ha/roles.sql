-- Run once on the primary, through HAProxy, once all three nodes are up:
-- TENURE_OWNER_PASSWORD=… TENURE_APP_PASSWORD=… psql -h 127.0.0.1 -p 5000 -U postgres -f roles.sql
-- Other users of the machine can see the arguments of psql, but not its environment.
\getenv owner TENURE_OWNER_PASSWORD
\getenv app TENURE_APP_PASSWORD
\set ON_ERROR_STOP on
create role tenure_owner login password :'owner';
create role tenure_app login password :'app';
-- what the service sets for its connections, for those that come through a pooler
alter role tenure_app set timezone = 'UTC';
alter role tenure_app set statement_timeout = '5s';
alter role tenure_app set parallel_setup_cost = 10000;
alter role tenure_app set jit = off;
create database tenure owner tenure_owner;
revoke all on database tenure from public;
grant connect, temporary on database tenure to tenure_app;
