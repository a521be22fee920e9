/** Lexemes that no text has, by which the index itself narrows a search to a tag or to weeks. */

const WEEK_MS = 7 * 86_400_000;
/** A longer window costs less by date alone: most matches lie in it. */
const MOST_DAYS = 31;

export function filterTokensOf(article: { tagIds: readonly number[]; publishedAt: Date }): string[] {
  return [...article.tagIds.map((id) => `~t${id}`), `~w${weekOf(article.publishedAt)}`];
}

/** A tsquery that these articles match, and older ones of the first week; undefined if it would narrow nothing. */
export function filterTokensFor(
  { tagId, since }: { tagId: number | undefined; since: Date | undefined },
  now: Date,
): string | undefined {
  const conditions = [
    ...(tagId === undefined ? [] : [`'~t${tagId}'`]),
    ...(since && now.getTime() - since.getTime() <= MOST_DAYS * 86_400_000 ? [weeks(since, now)] : []),
  ];
  return conditions.length === 0 ? undefined : conditions.join(" & ");
}

function weeks(from: Date, to: Date): string {
  const first = weekOf(from);
  const tokens = Array.from({ length: weekOf(to) - first + 1 }, (_, number) => `'~w${first + number}'`);
  return `(${tokens.join(" | ")})`;
}

/** Weeks since 1970. */
export function weekOf(date: Date): number {
  return Math.floor(date.getTime() / WEEK_MS);
}
