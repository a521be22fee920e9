import { type RawBuilder, sql } from "kysely";
import type { WordQuery } from "../text/search-query.ts";

/** The heaviest query whose words' nearness is measured; nearness costs more with each word. */
const MAX_NEAR = 40;

/** Weights of body, description, tags and names, title. */
const WEIGHTS = sql`'{0.05, 0.1, 0.4, 1}'::real[]`;
const BODY_WEIGHTS = sql`'{0.2, 0.2, 0.2, 0.2}'::real[]`;
const TITLE_ONLY = sql`'{0, 0, 0, 1}'::real[]`;

/** The value of ts_rank for one word in a title. */
const IN_TITLE = sql`0.6079`;

export interface RankValues {
  any: string;
  anyPerCondition: number;
  anyWhole: string;
  anyWholePerCondition: number;
  size: number;
  near: string | null;
  nearInBody: string | null;
  together: string | null;
  titleKey: string;
}

export function rankValues(
  { any, anyWhole, size, weight, together, exact, loose }: WordQuery,
  titleKey: string,
): RankValues {
  return {
    any: any.query,
    anyPerCondition: any.perCondition,
    anyWhole: anyWhole.query,
    anyWholePerCondition: anyWhole.perCondition,
    size,
    near: size === 1 || weight > MAX_NEAR ? null : (exact ?? loose),
    nearInBody: weight > MAX_NEAR ? null : size === 1 ? anyWhole.query : (exact ?? loose),
    together: together ?? null,
    titleKey,
  };
}

/** The number of matches, best first, for which bodies are read: reading them costs more than all the rest. */
export const BEST = 40;

/** The rank of one of the best matches, with the frequency and nearness of the words in its body. */
export function RANK_OF_BEST(value: (key: keyof RankValues) => RawBuilder<unknown>): RawBuilder<number> {
  return sql`case when ${value("nearInBody")}::text is null then rank
    else rank + 0.05 * ts_rank_cd(${BODY_WEIGHTS}, words, ${value("nearInBody")}::tsquery, 32) end`;
}

/** How well an article answers by its head; docs/search.md gives the reasons. Bodies are read only for words that may stand side by side. */
export function RANK(value: (key: keyof RankValues) => RawBuilder<unknown>): RawBuilder<number> {
  const inHead = (weights: RawBuilder<unknown>, lexemes: "any" | "anyWhole") =>
    sql`${value(`${lexemes}PerCondition`)}::float8 * ts_rank(${weights}, head, ${value(lexemes)}::tsquery)`;
  return sql`(
    0.5 * least(${IN_TITLE}, ${inHead(WEIGHTS, "any")}) + 0.5 * ${inHead(WEIGHTS, "anyWhole")}
    + 0.3 * least(1, ${value("size")}::int * least(1, ${inHead(TITLE_ONLY, "anyWhole")} / ${IN_TITLE})
        / cardinality(string_to_array(title_key, ' ')))
    -- Otherwise its value is 0, and finding that out takes several times as long.
    + case when head @@ ${value("near")}::tsquery
        then 0.4 * ts_rank_cd(${WEIGHTS}, head, ${value("near")}::tsquery, 32) else 0 end
    + case when ${value("together")}::text is null then 0
        when words @@ ${value("together")}::tsquery then 0.4 else 0 end
    + case when title_key = ${value("titleKey")} then 10 else 0 end
    + 0.01 * ln(1 + reactions) + 0.01 * extract(epoch from published_at)::float8 / 31557600)::float8`;
}
