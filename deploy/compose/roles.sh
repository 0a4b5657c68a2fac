#!/bin/sh
# Runs once, when the database server starts for the first time: one role owns the tables, the other uses them.
set -eu
secret() { cat "/run/secrets/$1"; }
psql -v ON_ERROR_STOP=1 -v owner="$(secret tenure_owner_password)" -v app="$(secret tenure_app_password)" <<'SQL'
create role tenure_owner login createdb password :'owner';
create role tenure_app login password :'app';
create database tenure owner tenure_owner;
revoke all on database tenure from public;
grant connect, temporary on database tenure to tenure_app;
SQL
