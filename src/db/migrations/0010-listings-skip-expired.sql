-- The indexes of lists hold the expiry date, so that lists skip expired listings without reading them.

-- Its indexes go with it.
alter table listings drop column has_expired;
create index listings_shown on listings (bumped_at desc, id desc, expires_at) where published;
create index listings_of_category on listings (category_id, bumped_at desc, id desc, expires_at) where published;
create index listings_of_organization on listings (organization_id, bumped_at desc, id desc, expires_at)
  where published and organization_id is not null;
