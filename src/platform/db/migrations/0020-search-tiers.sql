-- contract in 0.2.0

drop table article_search, search_tiers;
drop function copy_search_row, search_matches, search_titles, search_count, search_tier_of, clean_pending_lists,
  set_text_indexes;
