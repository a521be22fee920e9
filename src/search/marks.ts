/** Lexemes that no text has, by which the index itself narrows a search to a tag or to weeks. */

const WEEK_MS = 7 * 86_400_000;
/** A longer window is as good as compared by date: most of what is found lies in it. */
const MOST_DAYS = 31;

/** The marks of an article. */
export function marksOf({ tagIds, publishedAt }: { tagIds: readonly number[]; publishedAt: Date }): string[] {
  return [...tagIds.map((id) => `~t${id}`), `~w${weekOf(publishedAt)}`];
}

/** The text of a tsquery for what the marks tell; undefined when that is nothing. The date is to be compared as well. */
export function marksFor(
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
  const marks = Array.from({ length: weekOf(to) - first + 1 }, (_, number) => `'~w${first + number}'`);
  return `(${marks.join(" | ")})`;
}

/** Weeks since 1970. */
export function weekOf(date: Date): number {
  return Math.floor(date.getTime() / WEEK_MS);
}
