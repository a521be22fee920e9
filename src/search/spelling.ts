import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { canBeMisspelt } from "../text/vocabulary.ts";
import { editDistance } from "./edit-distance.ts";

/** A query with more misspelt words than this is hardly one that a person typed. */
export const MAX_CORRECTED = 8;
const MAX_NEAREST = 3;

/**
 * Gives the other words of the vocabulary that each of these folded words is nearest to, the best first and
 * none further away than the best. A word that nothing is near to is left out, and so are all after the
 * first eight.
 */
export async function correct(db: Db, words: readonly string[]): Promise<Map<string, string[]>> {
  const asked = [...new Set(words)].filter(canBeMisspelt).slice(0, MAX_CORRECTED);
  // Most misspelt words have one letter wrong, and those are found for a fraction of the cost.
  const close = await findNearest(db, asked, similarityOfOneWrong);
  const others = asked.filter((word) => mayHaveMoreWrong(word, close.get(word)));
  const far = await findNearest(db, others, () => MIN_SIMILARITY);
  const corrections = new Map<string, string[]>();
  for (const word of asked) {
    const nearest = far.get(word) ?? close.get(word);
    if (nearest) corrections.set(word, nearest.words);
  }
  return corrections;
}

/** How many letters of a word may be wrong. */
function allowance(letters: number): number {
  if (letters <= 4) return 1;
  return letters <= 8 ? 2 : 3;
}

function mayHaveMoreWrong(word: string, found: Nearest | undefined): boolean {
  return allowance(Array.from(word).length) > 1 && (found === undefined || found.distance >= 2);
}

/**
 * The share of trigrams that words must have in common to be compared letter by letter. At this one,
 * words of four letters are found with any one letter wrong and words of eight with nearly any two.
 */
const MIN_SIMILARITY = 0.25;

/** A little less than what words have in common that differ in one letter: all trigrams but three. */
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
  const found = new Map<string, Nearest>();
  if (asked.length === 0) return found;
  const candidates = await findCandidates(db, asked, asked.map(similarityOf));
  for (const word of asked) {
    const nearest = pickNearest(
      word,
      candidates.filter((candidate) => candidate.asked === word),
    );
    if (nearest) found.set(word, nearest);
  }
  return found;
}

/** For each word that is asked for. */
const MAX_SIMILAR = 100;

interface Candidate {
  asked: string;
  word: string;
  similarity: number;
  articles_count: number;
}

/**
 * Finds words that are as similar as said, and those that differ in the place of one letter: that
 * spoils so many trigrams that they are looked up by themselves.
 */
async function findCandidates(
  db: Db,
  asked: readonly string[],
  similarities: readonly number[],
): Promise<Candidate[]> {
  const allowances = asked.map((word) => allowance(Array.from(word).length));
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

/** The word with one letter moved by a place or two, in every way: two swapped letters are one of them. */
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

/** People rarely get the first letter wrong, so a word that begins otherwise is a little further away. */
const OTHER_BEGINNING = 0.5;

function pickNearest(asked: string, candidates: readonly Candidate[]): Nearest | undefined {
  const letters = Array.from(asked);
  const limit = allowance(letters.length);
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

/** Similar words first, then those of many articles. */
function compareCandidates(one: Candidate, other: Candidate): number {
  const difference = other.similarity - one.similarity || other.articles_count - one.articles_count;
  return difference || (one.word < other.word ? -1 : 1);
}
