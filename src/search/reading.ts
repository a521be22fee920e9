import { sql } from "kysely";
import type { Db } from "../platform/db/connect.ts";
import type { SearchLanguage } from "../platform/text/search-languages.ts";
import { optionsOf, withoutDashes } from "./index/query-parts.ts";
import { parseQuery, type WordQuery } from "./index/query.ts";
import { corrected, doubted, splitsOf, type Vocabulary } from "./index/spelling.ts";
import { apartPhrase, type Condition, type Meant, type QueryOptions } from "./index/terms.ts";
import { fold } from "../content/text/fold.ts";
import { Marker } from "./marking.ts";
import type { Ranked } from "./ranking.ts";

export interface Match {
  /**
   * Exact if an article has all words as typed, similar if one has them with misspelt words corrected, else partial;
   * undefined of nothing.
   */
  match?: "exact" | "similar" | "partial" | undefined;
  /** The query with its misspelt words as articles write them. */
  corrected?: string | undefined;
  absent?: string[] | undefined;
}

export interface Asked extends Pick<QueryOptions, "language" | "languages"> {
  q: string;
}

export interface Engine {
  db: Db;
  vocabulary: Vocabulary;
  count(conditions: Condition[]): Promise<number[]>;
  rank(query: WordQuery): Ranked;
}

/** Most articles with an option of a command stand among so many of the best. */
const READ_FOR_OPTIONS = 20;

/** The query, without the dashes that would exclude words which articles write with them, as in `go build -race`. */
export async function withoutOptions({ db, rank }: Engine, { q, ...asked }: Asked): Promise<string> {
  const options = optionsOf(q);
  const text = withoutDashes(q);
  const query = options.length === 0 ? null : parseQuery(text, asked);
  if (query === null) return q;
  const ids = rank(query)
    .hits.slice(0, READ_FOR_OPTIONS)
    .map(({ article_id }) => article_id);
  return (await areWritten(db, ids, options)) ? text : q;
}

/** Words of at most so many articles may be written apart elsewhere, or misspelt. */
const FEW = 3;
const APART = 0.7;

/** Words of at most so many articles may be misspelt; the factor of a match by a near word. */
interface Doubt {
  most: number;
  factor: number;
}
const DOUBT: Doubt = { most: FEW, factor: 0.4 };
/** Applies where no article has all of a few words. */
const MORE_DOUBT: Doubt = { most: 30, factor: 0.8 };

/** Reads words as other ones that are meant: misspelt ones, and two that are written as one. */
export async function read(engine: Engine, { q, language, languages }: Asked, typed: WordQuery) {
  const { vocabulary } = engine;
  const counts = await engine.count(typed.words.map(({ occurs }) => occurs));
  const upTo = (most: number) => typed.words.filter((_, at) => (counts[at] as number) <= most);
  const apart = await apartOf(
    engine,
    upTo(FEW).map(({ word }) => word),
    language,
  );
  const unknown = upTo(0).filter(({ word }) => !apart.has(word));
  const instead = corrected(
    unknown.map(({ word }) => word),
    vocabulary,
    language,
  );
  const rank = (meant: ReadonlyMap<string, Meant>) => {
    const query = meant.size === 0 ? typed : (parseQuery(q, { language, languages, meant }) ?? typed);
    return { query, ranked: engine.rank(query) };
  };
  const meant = new Map([...apart, ...instead]);
  const first = rank(meant);
  const doubt = first.ranked.allFirst && first.ranked.hits.withAll === 0 ? MORE_DOUBT : DOUBT;
  const doubts = await doubtsOf(engine, typed, { counts, language, ...doubt });
  const best = doubts.size === 0 ? first : rank(new Map([...doubts, ...meant]));
  const createMarker =
    typed.clauses.length === 0
      ? undefined
      : () => new Marker(best.query, language, (token) => vocabulary.articlesOf(token));
  return { ...best, first, instead, createMarker };
}

function doubtsOf(
  { vocabulary, count }: Engine,
  { words }: WordQuery,
  { counts, language, most, factor }: Doubt & { counts: readonly number[]; language: SearchLanguage },
) {
  const known = words.map(({ word }, at) => [word, counts[at] as number] as const);
  const few = known.filter(([, articles]) => articles > 0 && articles <= most);
  return doubted(new Map(few), vocabulary, {
    factor,
    language,
    count: (others) => count(others.map((token) => [[[{ token, factor: 1, isWord: true }]]])),
  });
}

/** The two words that most articles have side by side instead of one: "open source". */
async function apartOf(engine: Engine, words: string[], language: SearchLanguage) {
  const splits = words.flatMap((word) => splitsOf(word, engine.vocabulary).map((parts) => ({ word, parts })));
  const meant = new Map<string, Meant>();
  if (splits.length === 0) return meant;
  const counts = await engine.count(splits.map(({ parts }) => [apartPhrase(parts, { language }, APART)]));
  const most = new Map<string, number>();
  for (const [at, { word, parts }] of splits.entries()) {
    const count = counts[at] as number;
    if (count <= (most.get(word) ?? 0)) continue;
    most.set(word, count);
    meant.set(word, { words: [], isInstead: false, apart: parts, factor: APART });
  }
  return meant;
}

interface Reading {
  q: string;
  ranked: Ranked;
  instead: ReadonlyMap<string, Meant>;
}

/** The texts of the best show how a word is written. */
const READ_FOR_WORDS = 3;

export async function describe(
  { db }: Engine,
  typed: WordQuery,
  { q, ranked, instead }: Reading,
): Promise<Match> {
  const { hits, isAbsent, isTitle } = ranked;
  if (isTitle) return { match: "exact" };
  if (hits.withAll === 0 || isAbsent.some(Boolean)) {
    return {
      match: "partial",
      absent: typed.clauses.filter((_, at) => isAbsent[at]).map(({ text }) => text),
    };
  }
  if (instead.size === 0) return { match: "exact" };
  const ids = hits.slice(0, READ_FOR_WORDS).map(({ article_id }) => article_id);
  return { match: "similar", corrected: await asWritten(db, q, { ids, instead }) };
}

/** Each is looked for in all of the texts. */
const MOST_OPTIONS = 3;
/** What is read of a text, in characters: some are very long. */
const READ_OF_BODY = 50_000;

/**
 * Whether one of the articles writes all options of a command, such as "-race", to the letter: behind a word of the line,
 * a quote or a bracket, as at the beginning of a line a dash may be one of a list.
 */
async function areWritten(db: Db, ids: number[], options: readonly string[]): Promise<boolean> {
  const distinct = [...new Set(options)];
  if (distinct.length > MOST_OPTIONS) return false;
  const patterns = distinct.map((option) => {
    const letters = option
      .toWellFormed()
      .replaceAll("\0", "")
      .replaceAll(/[^\p{L}\p{N}\p{M}]/gu, String.raw`\$&`);
    return String.raw`(?:\S[ \t]+|[\`"'(\[])${letters}(?!\w)`;
  });
  const { rows } = await sql<{ areWritten: boolean }>`
    select exists (
      select from articles
      where id = any(${ids}::int[]) and (
        select bool_and(title || ' ' || left(body_markdown, ${READ_OF_BODY}) ~* pattern) from unnest(${patterns}::text[]) as pattern
      )
    ) as "areWritten"`.execute(db);
  return rows[0]?.areWritten === true;
}

/** What articles are about stands at their beginning. */
const READ_FOR_SPELLING = 2_000;
const WORDS = /[\p{L}\p{N}\p{M}_]+/gu;

/** The query as a person would have typed it: words are read as others, which are written as most often in the articles. */
async function asWritten(
  db: Db,
  q: string,
  { ids, instead }: { ids: number[]; instead: ReadonlyMap<string, Meant> },
): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select concat_ws(' ', title, description, left(body_markdown, ${READ_FOR_SPELLING})) as text
    from articles where id = any(${ids}::int[])`.execute(db);
  const wanted = new Set([...instead.values()].flatMap(({ words }) => words));
  const counts = new Map<string, Map<string, number>>();
  const mayHave = (sentence: string) => {
    const folded = fold(sentence);
    return [...wanted].some((word) => folded.includes(word));
  };
  // Most sentences have none of the words, which is cheaper to see than to fold each word.
  for (const sentence of rows.flatMap(({ text }) => text.split(/[.\n]/)).filter(mayHave)) {
    for (const [word] of sentence.matchAll(WORDS)) {
      const folded = fold(word);
      if (!wanted.has(folded)) continue;
      const spellings = counts.get(folded) ?? new Map<string, number>();
      counts.set(folded, spellings.set(word, (spellings.get(word) ?? 0) + 1));
    }
  }
  const written = (word: string) =>
    [...(counts.get(word) ?? [])].toSorted(([, one], [, other]) => other - one)[0]?.[0];
  return q.replaceAll(WORDS, (word) => {
    const [nearest, ...others] = instead.get(fold(word))?.words ?? [];
    if (nearest === undefined) return word;
    return [nearest, ...others].map(written).find((each) => each !== undefined) ?? nearest;
  });
}
