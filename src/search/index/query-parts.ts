import { type Term, terms } from "./tokens.ts";

export interface QueryPart {
  terms: Term[];
  isPhrase: boolean;
  isExcluded: boolean;
  hasApostrophe: boolean;
}

/** The longest query of the API, and the most of its words that count. */
export const MAX_QUERY = 1_000;
const MOST_WORDS = 64;

const PART = /(?<minus>(?<!\S)-(?=[^\s-]))?(?:"(?<phrase>[^"]*)"|(?<words>[^\s"]+)|")/g;
/** A dash before a word that is not quoted. */
const DASH = /(?<!\S)-(?=[^\s"“”„‟-])/g;

interface Found extends QueryPart {
  hasDash: boolean;
  hasMinus: boolean;
}

/**
 * Takes a query apart; parts without words are left out. Quotes and a minus mean something, no other character does.
 *
 * `-"quoted words"` exclude wherever they stand. `-word` excludes at the end of a query, where nothing but further
 * exclusions follows: `pasta -vegan`, `rust -game -engine`. A dash with a plain word behind it is one of a command or
 * a sentence, as in `docker run -it alpine`, and so is every dash beside `--option`; their words are searched like any other.
 * find.ts also reads `go build -race` so where articles write `-race`.
 */
export function readParts(q: string): QueryPart[] {
  const parts: Found[] = [];
  const text = q.slice(0, MAX_QUERY).replaceAll(/[“”„‟]/g, '"');
  for (const { groups } of text.matchAll(PART)) {
    const { phrase, minus, words = "" } = groups ?? {};
    const found = [...terms(phrase ?? words)];
    if (found.length === 0) continue;
    parts.push({
      terms: found,
      isPhrase: phrase !== undefined,
      isExcluded: false,
      hasApostrophe: /['’]/.test(words),
      hasDash: phrase === undefined && (minus !== undefined || words.startsWith("-")),
      hasMinus: minus !== undefined,
    });
  }
  const first = parts.findIndex(({ hasDash }) => hasDash);
  const areExclusions = parts.slice(first).every(({ hasMinus }) => hasMinus);
  for (const part of parts) part.isExcluded = part.hasMinus && (part.isPhrase || areExclusions);
  return tellingOf(parts);
}

/** The words that a dash excludes, each with the dash, as typed. */
export function optionsOf(q: string): string[] {
  if (q.search(DASH) < 0) return [];
  if (!readParts(q).some(({ isPhrase, isExcluded }) => isExcluded && !isPhrase)) return [];
  return Array.from(q.matchAll(DASH), ({ index }) =>
    q
      .slice(index)
      .split(/[\s"“”„‟]/, 1)
      .join(""),
  );
}

export const withoutDashes = (q: string) => q.replaceAll(DASH, " ");

/** Beyond the most words, quoted and excluded ones and then the longest count: these tell the most. */
function tellingOf(parts: readonly QueryPart[]): QueryPart[] {
  const all = parts.flatMap((part) =>
    part.terms.map((term) => ({ term, rank: part.isPhrase || part.isExcluded ? Infinity : lengthOf(term) })),
  );
  const kept = new Map<Term, Term>();
  let room = MOST_WORDS;
  for (const { term } of all.toSorted((one, other) =>
    one.rank === other.rank ? 0 : other.rank - one.rank,
  )) {
    if (room <= 0) break;
    const short = shorten(term, room);
    kept.set(term, short);
    room -= "run" in short ? short.run.length : short.words.length;
  }
  return parts
    .map((part) => ({ ...part, terms: part.terms.flatMap((term) => kept.get(term) ?? []) }))
    .filter((part) => part.terms.length > 0);
}

function lengthOf(term: Term): number {
  if ("run" in term) return term.run.length;
  return Math.max(...term.words.map(({ text }) => text.length));
}

function shorten(term: Term, room: number): Term {
  if ("run" in term) return { ...term, run: term.run.slice(0, room) };
  return term.words.length <= room ? term : { words: term.words.slice(0, room), joined: undefined };
}
