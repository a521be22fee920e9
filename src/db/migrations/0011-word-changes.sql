-- One row for the words of an article instead of a row for each word.
alter table search_word_changes alter column word type text[] using array[word];
alter table search_word_changes rename column word to words;

create or replace function note_word_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into search_word_changes (words, delta) select words, 1 from after_rows where words <> '{}';
  elsif tg_op = 'DELETE' then
    insert into search_word_changes (words, delta) select words, -1 from before_rows where words <> '{}';
  else
    insert into search_word_changes (words, delta)
    select changed.words, delta
    from before_rows join after_rows using (article_id)
    cross join lateral (values
      (array(select unnest(after_rows.words) except select unnest(before_rows.words)), 1),
      (array(select unnest(before_rows.words) except select unnest(after_rows.words)), -1)
    ) as changed (words, delta)
    where changed.words <> '{}';
  end if;
  return null;
end $$;
