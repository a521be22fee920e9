-- An endpoint is sent what happens after it was made. Clocks can't decide that: those of two computers differ,
-- and a transaction's now() is when it began. So an endpoint takes a number from the sequence of the events:
-- events committed before its request have lower numbers, events requested after its commit higher ones.
alter table webhook_endpoints add column after_event bigint not null default 0;
-- Only now, so that the endpoints that are there get what still waits for them.
alter table webhook_endpoints alter column after_event set default nextval('events_id_seq');
