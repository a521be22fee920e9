/** Longer ranges are cheaper by date: most matches are in them. */
const MOST_DAYS = 31;

/** Tokens that no text has, by which the index itself narrows a search to a tag or to weeks. */
export function filterTokensOf(article: { tagIds: readonly number[]; publishedAt: Date }): string[] {
  return [...article.tagIds.map((id) => `~t${id}`), `~w${weekOf(article.publishedAt)}`];
}

/** A superset of the articles has one token of each list. */
export function filterTokensFor(
  { tagId, since }: { tagId: number | undefined; since: Date | undefined },
  now: Date,
): string[][] {
  const lists = tagId === undefined ? [] : [[`~t${tagId}`]];
  if (since && now.getTime() - since.getTime() <= MOST_DAYS * 86_400_000) {
    const weeks = [];
    for (let week = weekOf(since); week <= weekOf(now); week++) weeks.push(`~w${week}`);
    lists.push(weeks);
  }
  return lists;
}

/** Weeks since 1970. */
export function weekOf(date: Date): number {
  return Math.floor(date.getTime() / (7 * 86_400_000));
}
