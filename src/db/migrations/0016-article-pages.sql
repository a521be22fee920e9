-- Parts of an article's page that are made with its HTML, in the thread that renders it.
alter table articles
  -- The body as the page shows it; null if that is body_html.
  add column page_html text,
  -- JSON: the headings of the list of contents, at most 200.
  add column contents text not null default '[]',
  -- BCP 47; null unless it is sure.
  add column language text,
  -- The first sentences of the body for pages, where it made the description too; null beside another description.
  add column excerpt text;
