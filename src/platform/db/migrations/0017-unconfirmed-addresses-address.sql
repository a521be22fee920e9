-- expand

create index concurrently if not exists unconfirmed_addresses_address on unconfirmed_addresses (lower(address));
