/** Tokens that no text has, by which the index itself narrows a search to a tag or to weeks. */
export function filterTokensOf(article: { tagIds: readonly number[]; publishedAt: Date }): string[] {
  return [...article.tagIds.map(tagToken), `~w${weekOf(article.publishedAt)}`];
}

export const tagToken = (id: number): string => `~t${id}`;

export function weekTokens(since: Date, now: Date): string[] {
  const weeks = [];
  for (let week = weekOf(since); week <= weekOf(now); week++) weeks.push(`~w${week}`);
  return weeks;
}

/** Weeks since 1970. */
export function weekOf(date: Date): number {
  return Math.floor(date.getTime() / (7 * 86_400_000));
}
