-- The roles and the database of compose.postgres.yaml, as docs/run/install.md creates them.
\getenv password INKSTONE_PASSWORD
\getenv owner_password INKSTONE_OWNER_PASSWORD
create role inkstone_owner login password :'owner_password';
create role inkstone login password :'password';
create database inkstone owner inkstone_owner encoding 'UTF8' locale 'C.UTF-8' template template0;
