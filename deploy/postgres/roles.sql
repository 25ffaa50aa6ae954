-- The roles and databases of one PostgreSQL server: docs/operations.md, "Database roles". compose.yaml runs this file
-- when it creates its server. On another server, run it as a superuser. It can be repeated, and then only sets the
-- passwords again:
--
--   OWNER_PASSWORD=… SERVICE_PASSWORD=… TEMPORAL_PASSWORD=… psql --no-psqlrc --file roles.sql "$ADMIN_URL"

\set ON_ERROR_STOP on
\getenv owner_password OWNER_PASSWORD
\getenv service_password SERVICE_PASSWORD
\getenv temporal_password TEMPORAL_PASSWORD

select format('create role %I', name)
from unnest(array['council', 'council_service', 'temporal']) as name where to_regrole(name) is null
\gexec

-- Migrates. Owns the tables, and is the only role that can change them.
alter role council login password :'owner_password';
-- API, workers and the command line. Each migration grants it what it needs.
alter role council_service login password :'service_password';
-- Temporal, in its two databases only.
alter role temporal login password :'temporal_password';
-- The owner may end sessions of the service.
grant council_service to council;

select format('create database %I owner %I', name, owner)
from (values ('council', 'council'), ('temporal', 'temporal'), ('temporal_visibility', 'temporal')) as db (name, owner)
where name not in (select datname from pg_database)
\gexec

revoke all on database council, temporal, temporal_visibility from public;
grant connect on database council to council_service;
