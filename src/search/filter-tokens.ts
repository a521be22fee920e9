/** Longer ranges are cheaper by date: most matches are in them. */
const MOST_DAYS = 31;

/** Tokens that no text has, by which the index itself narrows a search to a tag or to weeks. */
export function filterTokensOf(article: { tagIds: readonly number[]; publishedAt: Date }): string[] {
  return [...article.tagIds.map((id) => `~t${id}`), `~w${weekOf(article.publishedAt)}`];
}

/** A superset of the articles; undefined if it would narrow nothing. */
export function filterTokensFor(
  { tagId, since }: { tagId: number | undefined; since: Date | undefined },
  now: Date,
): string | undefined {
  const conditions = tagId === undefined ? [] : [`'~t${tagId}'`];
  if (since && now.getTime() - since.getTime() <= MOST_DAYS * 86_400_000) {
    const weeks = [];
    for (let week = weekOf(since); week <= weekOf(now); week++) weeks.push(`'~w${week}'`);
    conditions.push(`(${weeks.join(" | ")})`);
  }
  return conditions.length === 0 ? undefined : conditions.join(" & ");
}

/** Weeks since 1970. */
export function weekOf(date: Date): number {
  return Math.floor(date.getTime() / (7 * 86_400_000));
}
