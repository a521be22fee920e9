import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { editDistance } from "../nearest-name.ts";
import { occurrences } from "./matches.ts";
import type { WordQuery } from "./query.ts";
import { canBeMisspelt, quoteLexeme } from "./tokens.ts";

type Replacements = Map<string, string[]>;

/** An existing word is a misspelling only of words of this many times as many articles. */
const TIMES_AS_OFTEN = 10;

/** Words of more articles are never misspellings. Bounds the counting. */
const RARE = 100;

/**
 * Replacements for the words of a query without matches: first for unknown words, then for rare ones, which are more
 * often words than misspellings.
 */
export async function* replacementsFor(db: Db, words: WordQuery["words"]): AsyncGenerator<Replacements> {
  const counts = await occurrences(
    db,
    words.map(({ matches }) => ({ matches, most: 1 })),
  );
  const missing = words.flatMap(({ word }, index) => (counts[index] === 0 ? word : []));
  const replacements = await correct(db, missing);
  if (replacements.size > 0) yield replacements;
  const rare = await replaceRare(
    db,
    words.filter((_, index) => counts[index] !== 0),
  );
  if (rare.size > 0) yield new Map([...replacements, ...rare]);
}

async function replaceRare(db: Db, words: WordQuery["words"]): Promise<Replacements> {
  const asked = words.filter(({ word }) => canBeMisspelt(word)).slice(0, MAX_CORRECTED);
  const counts = await occurrences(
    db,
    asked.map(({ matches }) => ({ matches, most: RARE + 1 })),
  );
  const rare = new Map(asked.map(({ word }, index) => [word, counts[index] as number]));
  for (const [word, count] of rare) if (count > RARE) rare.delete(word);
  const nearest = [...(await correct(db, [...rare.keys()]))].flatMap(([word, near]) => {
    const most = (rare.get(word) as number) * TIMES_AS_OFTEN;
    return near.map((other) => ({ word, other, matches: quoteLexeme(other), most }));
  });
  const found = await occurrences(db, nearest);
  const replacements: Replacements = new Map();
  for (const [index, { word, other, most }] of nearest.entries()) {
    if (found[index] === most) replacements.set(word, [...(replacements.get(word) ?? []), other]);
  }
  return replacements;
}

/** A person's query has fewer misspelt words. */
const MAX_CORRECTED = 8;
const MAX_NEAREST = 3;

/**
 * The nearest words of the vocabulary, the best first. Words without a near one are left out, and all after the first
 * eight.
 */
export async function correct(db: Db, words: readonly string[]): Promise<Map<string, string[]>> {
  const asked = [...new Set(words)].filter(canBeMisspelt).slice(0, MAX_CORRECTED);
  // Most misspelt words have one wrong letter, and are found at a fraction of the cost.
  const close = await findNearest(db, asked, similarityOfOneWrong);
  const others = asked.filter((word) => allowanceOf(word) > 1 && (close.get(word)?.distance ?? 2) >= 2);
  const far = await findNearest(db, others, () => MIN_SIMILARITY);
  return new Map([...close, ...far].map(([word, { words }]) => [word, words]));
}

function allowanceOf(word: string): number {
  const letters = Array.from(word).length;
  if (letters <= 4) return 1;
  return letters <= 8 ? 2 : 3;
}

/** Finds words of four letters with one wrong letter, and words of eight with nearly any two. */
const MIN_SIMILARITY = 0.25;

/** Words with one wrong letter share all trigrams but three. */
function similarityOfOneWrong(word: string): number {
  const letters = Array.from(word).length;
  return Math.max(MIN_SIMILARITY, (letters - 2) / (letters + 5));
}

interface Nearest {
  distance: number;
  words: string[];
}

async function findNearest(
  db: Db,
  asked: readonly string[],
  similarityOf: (word: string) => number,
): Promise<Map<string, Nearest>> {
  if (asked.length === 0) return new Map();
  const candidates = await findCandidates(db, asked, asked.map(similarityOf));
  return new Map(
    asked.flatMap((word) => {
      const nearest = pickNearest(
        word,
        candidates.filter((candidate) => candidate.asked === word),
      );
      return nearest ? [[word, nearest] as const] : [];
    }),
  );
}

const MAX_SIMILAR = 100;

interface Candidate {
  asked: string;
  word: string;
  similarity: number;
  articles_count: number;
}

/** Similar words, and words with one misplaced letter, which spoils too many trigrams. */
async function findCandidates(
  db: Db,
  asked: readonly string[],
  similarities: readonly number[],
): Promise<Candidate[]> {
  const allowances = asked.map(allowanceOf);
  const moved = asked.flatMap((word) => moves(word).map((move) => ({ word, move })));
  // What % takes for similar is set before the words similar to a row are looked up, and lasts no
  // longer than the statement.
  const { rows } = await sql<Candidate>`
    select asked.word as asked, similar_words.*
    from (
      select word, allowance, set_config('pg_trgm.similarity_threshold', similarity::text, true)
      from unnest(${asked}::text[], ${allowances}::int[], ${similarities}::float8[])
        as given (word, allowance, similarity)
    ) as asked
    cross join lateral (
      select word, similarity(word, asked.word), articles_count
      from search_words
      where word % asked.word and word <> asked.word
        and abs(char_length(word) - char_length(asked.word)) <= asked.allowance
        and articles_count > 0
      order by similarity desc, articles_count desc, word
      limit ${MAX_SIMILAR}
    ) as similar_words
    union
    select given.word, search_words.word, similarity(search_words.word, given.word), articles_count
    from unnest(${moved.map(({ word }) => word)}::text[], ${moved.map(({ move }) => move)}::text[])
      as given (word, move)
    join search_words on search_words.word = given.move
    where articles_count > 0`.execute(db);
  return rows;
}

/** Every move of one letter by a place or two, swaps included. */
function moves(word: string): string[] {
  const letters = Array.from(word);
  const moved = letters.flatMap((letter, from) => {
    const others = letters.toSpliced(from, 1);
    return [from - 2, from - 1, from + 1, from + 2]
      .filter((to) => to >= 0 && to < letters.length)
      .map((to) => others.toSpliced(to, 0, letter).join(""));
  });
  return [...new Set(moved)].filter((other) => other !== word);
}

/** People rarely get the first letter wrong. */
const OTHER_BEGINNING = 0.5;

function pickNearest(asked: string, candidates: readonly Candidate[]): Nearest | undefined {
  const letters = Array.from(asked);
  const limit = allowanceOf(asked);
  const measured = candidates.map((candidate) => {
    const other = Array.from(candidate.word);
    const beginning = other[0] === letters[0] ? 0 : OTHER_BEGINNING;
    return { ...candidate, distance: editDistance(letters, other, limit) + beginning };
  });
  const distance = Math.min(...measured.map((candidate) => candidate.distance));
  if (distance === Infinity) return undefined;
  const nearest = measured.filter((candidate) => candidate.distance === distance).toSorted(compareCandidates);
  return { distance, words: nearest.slice(0, MAX_NEAREST).map(({ word }) => word) };
}

function compareCandidates(one: Candidate, other: Candidate): number {
  const difference = other.similarity - one.similarity || other.articles_count - one.articles_count;
  return difference || (one.word < other.word ? -1 : 1);
}
