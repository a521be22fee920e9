-- Lists of pending entries: a publication appends its words instead of finding the place of each in the indexes. The
-- server empties the lists within about a second (src/search/pending-lists.ts), because searches read through them.
drop index article_search_words;
drop index article_search_head;
create index article_search_words on article_search using gin (words);
create index article_search_head on article_search using gin (head);
