import type { Db } from "../db/connect.ts";
import { quoteLexeme } from "../text/lexemes.ts";
import type { WordQuery } from "../text/search-query.ts";
import { canBeMisspelt } from "../text/vocabulary.ts";
import { occurrences } from "./popular-matches.ts";
import { correct, MAX_CORRECTED } from "./spelling.ts";

type Replacements = Map<string, string[]>;

/** A word that occurs is a misspelling only of words that occur in at least this many times as many articles. */
const TIMES_AS_OFTEN = 10;

/** A word of more articles than this is never a misspelling. It bounds what counting costs. */
const RARE = 100;

/**
 * Yields replacements for the words of a query that finds nothing: first for those that occur nowhere, then for
 * rare ones too. A rare word is more often a word than a misspelling, so it stays if the query finds something.
 */
export async function* replacementsFor(db: Db, words: WordQuery["words"]): AsyncGenerator<Replacements> {
  const counts = await occurrences(
    db,
    words.map(({ matches }) => ({ matches, most: 1 })),
  );
  const missing = words.filter((_, index) => counts[index] === 0);
  const replacements = await correct(
    db,
    missing.map(({ word }) => word),
  );
  if (replacements.size > 0) yield replacements;
  const rare = await replaceRare(
    db,
    words.filter((_, index) => counts[index] !== 0),
  );
  if (rare.size > 0) yield new Map([...replacements, ...rare]);
}

/** Finds those of the nearest words that occur much more often than the words themselves. */
async function replaceRare(db: Db, words: WordQuery["words"]): Promise<Replacements> {
  const asked = words.filter(({ word }) => canBeMisspelt(word)).slice(0, MAX_CORRECTED);
  const counts = await occurrences(
    db,
    asked.map(({ matches }) => ({ matches, most: RARE + 1 })),
  );
  const enough = new Map(
    asked.flatMap(({ word }, index) => {
      const count = counts[index] as number;
      return count > RARE ? [] : [[word, count * TIMES_AS_OFTEN]];
    }),
  );
  const nearest = [...(await correct(db, [...enough.keys()]))].flatMap(([word, near]) =>
    near.map((other) => ({ word, other, matches: quoteLexeme(other), most: enough.get(word) as number })),
  );
  const found = await occurrences(db, nearest);
  const replacements: Replacements = new Map();
  for (const [index, { word, other, most }] of nearest.entries()) {
    if (found[index] === most) replacements.set(word, [...(replacements.get(word) ?? []), other]);
  }
  return replacements;
}
