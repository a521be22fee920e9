const DAY_MS = 86_400_000;

const DAYS = 30;

const REFERRERS = [undefined, "search.example", undefined, "social.example", "news.example"];

const READ_CHARACTERS_A_SECOND = 20;

function readable({ slug, published_at, imported_reactions_count, body_markdown }: Record<string, unknown>) {
  if (published_at === undefined) return [];
  return {
    slug: String(slug),
    publishedAt: new Date(published_at as string),
    reactions: Number(imported_reactions_count),
    readSeconds: Math.round(String(body_markdown).length / READ_CHARACTERS_A_SECOND),
  };
}

/** Many views of new articles, fewer of old ones, always the same. */
export function viewsOf(articles: readonly Record<string, unknown>[], readers: readonly string[], now: Date) {
  return articles.flatMap(readable).flatMap((article, place) =>
    daysSince(article.publishedAt, now).flatMap(({ on, age }) => {
      const turn = place + age;
      const count = Math.round((3 + article.reactions) / (1 + age / 3) + ((turn * 7) % 4));
      const anonymous = { count, referrer: REFERRERS[turn % REFERRERS.length] };
      const named = { user: readers[turn % readers.length], read_time_seconds: article.readSeconds };
      const views = [...(count > 0 ? [anonymous] : []), ...(turn % 3 === 0 ? [named] : [])];
      return views.map((view) => ({ type: "page_view", article: article.slug, on, ...view }));
    }),
  );
}

function daysSince(publishedAt: Date, now: Date): { on: string; age: number }[] {
  const first = Math.floor(publishedAt.getTime() / DAY_MS);
  const last = Math.floor(now.getTime() / DAY_MS);
  return Array.from({ length: DAYS }, (_, index) => last - index)
    .filter((day) => day >= first)
    .map((day) => ({ on: new Date(day * DAY_MS).toISOString().slice(0, 10), age: day - first }));
}
