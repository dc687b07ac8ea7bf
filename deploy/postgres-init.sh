#!/bin/sh
# The role and the database of Omoide: an ordinary role, which row-level security binds.
set -eu
psql --username=postgres --set=ON_ERROR_STOP=1 --set=password="$(cat /run/secrets/database_password)" <<'SQL'
CREATE ROLE omoide LOGIN PASSWORD :'password';
CREATE DATABASE omoide OWNER omoide;
\connect omoide
CREATE EXTENSION vector;
SQL
