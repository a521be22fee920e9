-- Where articles were found before their author, organization or slug changed: links that are out
-- in the world go on working. Paths are ASCII; "C" keeps their order, and with it the order of an
-- export, the same in every database.
create table retired_paths (
  path       text collate "C" primary key check (path = lower(path)),
  article_id int not null references articles on delete cascade
);
create index retired_paths_article on retired_paths (article_id);

-- An original has one copy here that readers may see; drafts are nobody's business, and block nobody.
create unique index articles_canonical_url on articles (canonical_url)
  where state in ('published', 'scheduled') and canonical_url is not null;
