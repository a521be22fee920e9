import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { ArticleIndex, type IsWanted } from "../search-index/article-index.ts";
import * as matching from "./matching-rows.ts";
import { type Held, type Narrowing, Segment } from "../search-index/segment.ts";
import { comparePlaces, type Place, WEIGHING_TIER } from "../search-index/popularity.ts";
import type { WordQuery } from "../search-index/query.ts";
import { type Facts, rank, type Ranked, weightsOf } from "./ranking.ts";
import {
  isWhole,
  mostPopular,
  type PopularPart,
  type Results,
  toPopularRow,
  withAllWords,
} from "./results.ts";
import { type Row, toIndexed } from "../search-index/rows-in-memory.ts";
import { ENOUGH_RANKED, MOST_RANKED, MOST_TITLED } from "./selection.ts";
import { type Condition, writeExact } from "../search-index/terms.ts";
import { otherForm } from "../search-index/tokens.ts";
import { conjoin, type Plan, planOf, writeAny } from "./plan.ts";

/** The data that a search reads. */
export interface Source {
  db: Db;
  /** The articles in memory; undefined for none. */
  held: Held | undefined;
  /** The least popular article that weighs words; undefined if all do. */
  end: Place | undefined;
}

/** The same search where memory has only some articles or none: PostgreSQL finds the others that are ranked. */
export async function searchBoth(source: Source, query: WordQuery, narrowing: Narrowing): Promise<Results> {
  const { db, held, end } = source;
  const facts = await factsOf(source, query);
  const plan = planOf(query, narrowing, weightsOf(query, facts).weights);
  const segments = held ? [held.segment] : [];
  const first = rank(segments, query, narrowing, facts);
  const rows = await loadMissing(source, plan, { narrowing, first });
  const others = new Segment(new ArticleIndex());
  const isWanted = wantedTokens(query);
  for (const row of rows) others.index.add(toIndexed(row), isWanted);
  others.index.endWeighing(end);
  const ranked = rows.length === 0 ? first : rank([...segments, others], query, narrowing, facts);
  const popular = async ({ after, skip, limit }: PopularPart, besides: number[]) => {
    const found = await matching.mostPopular(db, {
      ...plan,
      lookedUp: plan.all,
      after,
      besides,
      skip,
      limit,
      ...ALL_TIERS,
    });
    return found.map(toPopularRow);
  };
  return {
    ranked,
    isWhole: isWhole(ranked, end === undefined),
    others: async (part) => {
      if (part.limit === 0 || isWhole(ranked, end === undefined)) return [];
      const besides = ranked.hits.slice().map(({ article_id }) => article_id);
      return popular(part, besides);
    },
    popular: async (part) => {
      if (plan.size === 0) return [];
      const found = held ? mostPopular(held.segment.index, withAllWords(first), part) : [];
      return found.length === part.limit ? found : popular(part, []);
    },
  };
}

/** The number of articles that match each condition and weigh words; 1 if only others match. */
export async function countMatches(
  { db, held, end }: Source,
  conditions: readonly Condition[],
): Promise<number[]> {
  // Where memory has not all that weigh words, its counts say nothing.
  const counts =
    held && holdsAllThatWeigh(held, end) ? held.segment.count(conditions) : conditions.map(() => 0);
  const texts = conditions.map((condition, at) =>
    counts[at] === 0 && condition.length > 0 ? writeExact(condition) : "",
  );
  const found = await matching.countRows(db, texts);
  return counts.map((count, at) => count || (found[at] as number));
}

function holdsAllThatWeigh({ last }: Held, end: Place | undefined): boolean {
  return last === undefined || (end !== undefined && comparePlaces(end, last) <= 0);
}

/** The articles with exactly this title, the most popular first. */
export function titled(db: Db, narrowing: Narrowing, after?: Place): Promise<Row[]> {
  const { titleKey, filterTokens, since, now } = narrowing;
  const filter = conjoin(filterTokens.map(writeAny)) || null;
  return matching.sameTitle(db, { titleKey, filter, since: since ?? null, now, after });
}

/** Titles to the letter, where a minus may mean an exclusion. */
export async function literallyTitled(db: Db, titleKey: string, q: string): Promise<number[]> {
  const rows = await db
    .selectFrom("article_search")
    .innerJoin("articles", "articles.id", "article_search.article_id")
    .select("article_id")
    .where("title_key", "=", titleKey)
    .where(sql<boolean>`lower(title) = lower(${q.toWellFormed().replaceAll("\0", "").trim()})`)
    .execute();
  return rows.map(({ article_id }) => article_id);
}

async function factsOf(source: Source, { clauses }: WordQuery): Promise<Facts> {
  const { db, held, end } = source;
  const counted = clauses.map(({ condition, isStopWord }) => (isStopWord ? [] : condition));
  const words = counted.map((condition) => wordsOnly(condition) ?? []);
  const [articles, ofWords] = await Promise.all([
    held && holdsAllThatWeigh(held, end) ? held.segment.index.weighing : matching.countWeighing(db, end),
    countMatches(source, words),
  ]);
  const others = await countMatches(
    source,
    counted.map((condition, at) => (ofWords[at] === 0 ? condition : [])),
  );
  return { articles, counts: ofWords.map((count, at) => count || (others[at] as number)) };
}

/** A single word without longer ones, and without what else may be meant. */
function wordsOnly([phrase = [], ...others]: Condition): Condition | undefined {
  const [place = [], ...more] = phrase;
  if (others.length > 0 || more.length > 0) return undefined;
  const forms = place.filter(({ isWord }) => isWord === true).map(({ token, factor }) => ({ token, factor }));
  return forms.length === 0 ? undefined : [[forms]];
}

const ALL_TIERS = { first_tier: 0, last_tier: 5 };
/** popularity-tiers.ts ends the articles that weigh words here. */
const WEIGHING = { first_tier: 0, last_tier: WEIGHING_TIER };
const BEHIND = { first_tier: WEIGHING_TIER + 1, last_tier: 5 };

interface Begun {
  narrowing: Narrowing;
  /** The articles of memory, ranked. */
  first: Ranked;
}

/** The articles outside of memory that are ranked; some more do no harm. */
async function loadMissing(
  { db, held, end }: Source,
  plan: Plan,
  { narrowing, first }: Begun,
): Promise<Row[]> {
  const after = held?.last;
  const same = await titled(db, narrowing, after);
  if (plan.size === 0) return same;
  const isOpen = held === undefined || !holdsAllThatWeigh(held, end);
  const part = { after, besides: [], skip: 0 };
  const { missing } = first;
  const all = { ...plan, lookedUp: plan.all };
  // One or two words must both match, if some article has both.
  const weighing = isOpen
    ? await matching.mostPopular(db, {
        ...(plan.size <= 2 ? all : plan),
        ...part,
        ...WEIGHING,
        limit: missing.ranked,
      })
    : [];
  const behind =
    end && missing.behind > 0
      ? await matching.mostPopular(db, { ...all, ...part, ...BEHIND, limit: missing.behind })
      : [];
  const needsAll = plan.size <= 2 && (first.haveAll || weighing.length > 0 || behind.length > 0);
  const wanted = needsAll ? all : plan;
  const rows = [...same, ...weighing, ...behind];
  const more = async (tiers: typeof WEIGHING, limit: number) => {
    if (limit > 0) rows.push(...(await matching.mostPopular(db, { ...wanted, ...part, ...tiers, limit })));
  };
  if (isOpen && plan.size === 2 && !needsAll) await more(WEIGHING, missing.ranked);
  if (end && !first.haveAll && !needsAll && behind.length === 0) await more(BEHIND, ENOUGH_RANKED);
  const titles = async (tiers: typeof WEIGHING, limit: number) => {
    if (limit > 0)
      rows.push(
        ...(await matching.mostPopularTitles(db, { ...wanted, after, titled: plan.titled, ...tiers, limit })),
      );
  };
  if (isOpen && rows.length >= missing.ranked) await titles(WEIGHING, MOST_RANKED + MOST_TITLED);
  if (end) await titles(BEHIND, missing.titledBehind);
  return rows;
}

/** The tokens of articles that the ranking asks for. */
function wantedTokens({ clauses, inPlace, exclusions }: WordQuery): IsWanted {
  const forms = [
    ...[...clauses.map(({ condition }) => condition), ...exclusions].flat(3),
    ...inPlace.flatMap(({ place }) => place),
  ];
  const tokens = new Set(forms.map(({ token }) => token));
  const beginnings = forms.filter(({ isBeginning }) => isBeginning === true).map(({ token }) => token);
  // Inflections begin like their stem: this spares most tokens theirs.
  const letters = new Set([...tokens].map((token) => token.codePointAt(token.startsWith("=") ? 1 : 0)));
  return (bytes, from, to) => {
    if (bytes[from] === FILTER_SIGN) return true;
    const isAscii = (bytes[from] as number) < 128;
    if (isAscii && !letters.has(bytes[from])) return false;
    const token = bytes.toString("utf8", from, to);
    return (
      tokens.has(token) ||
      beginnings.some((beginning) => token.startsWith(beginning)) ||
      tokens.has(otherForm(token) ?? "")
    );
  };
}

const FILTER_SIGN = "~".charCodeAt(0);
