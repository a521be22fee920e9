-- A limit is the number of actions that pass. These were stored as one less; 100000 is the most a setting holds.
update settings
set value = to_jsonb(least(value::numeric + 1, 100000))
where key in (
    'article_create_limit', 'article_create_new_account_limit', 'article_update_limit', 'image_upload_limit',
    'listing_create_limit', 'organization_create_limit', 'reaction_create_limit'
  )
  and jsonb_typeof(value) = 'number';
