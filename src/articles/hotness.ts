import { type RawBuilder, sql } from "kysely";

/** By how much an article younger than these hours is lifted; the steps add up. Source: docs/search.md. */
const FRESHNESS: readonly (readonly [hours: number, lift: number])[] = [
  [1, 28],
  [8, 31],
  [12, 80],
  [26, 395],
  [48, 330],
  [96, 330],
];

/** The most that freshness lifts an article. */
export const MAX_LIFT = FRESHNESS.reduce((sum, [, lift]) => sum + lift, 0);

/** SQL for the hotness of an article with this score, measured from this date: score plus freshness. */
export function hotness(
  score: RawBuilder<number>,
  freshFrom: RawBuilder<Date>,
  now: Date,
): RawBuilder<number> {
  const lifts = FRESHNESS.map(
    ([hours, lift]) =>
      sql`case when ${freshFrom} > ${now}::timestamptz - make_interval(hours => ${hours}) then ${lift}::int else 0 end`,
  );
  return sql<number>`(${score} + ${sql.join(lifts, sql` + `)})`;
}
