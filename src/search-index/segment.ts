import type { ArticleIndex } from "./article-index.ts";
import { grown } from "./arena.ts";
import { Matcher, type Matches } from "./matching.ts";
import type { Place } from "./popularity.ts";
import type { WordQuery } from "./query.ts";
import { SequenceReader } from "./sequences.ts";
import { Sums, type Weights } from "./sums.ts";
import type { Condition } from "./terms.ts";

export interface Narrowing {
  /** Articles with this title are hits. */
  titleKey: string;
  /** The ids of the only articles that are hits by their title, where a minus of the query may belong to a title. */
  titled: readonly number[] | undefined;
  /** An article has one token of each list. */
  filterTokens: readonly (readonly string[])[];
  since: Date | undefined;
  /** Articles with a later date are left out: they were published before the clock was set back. */
  now: Date;
}

/** A hit has at least this share of the weight of the words. */
export const LEAST_SHARE = 0.5;
/** Sums of weights in single precision may fall this short of all. */
export const NEARLY_ALL = 0.999;

/** Spelling asks for no larger count. */
const FREQUENT = 301;

const EXCLUDED = 255;

/** Kinds of articles that match: with all words, with half of their weight in the title, behind those that weigh words. */
export const HAS_ALL = 1;
export const IS_TITLED = 2;
export const BEHIND = 4;

export interface Matching {
  size: number;
  /** The number of articles with all words. */
  all: number;
  /** The kinds that occur, together. */
  present: number;
  slots: Int32Array;
  kinds: Uint8Array;
}

const roomFor = (size: number): Matching => ({
  size: 0,
  all: 0,
  present: 0,
  slots: new Int32Array(Math.ceil(1.5 * size)),
  kinds: new Uint8Array(Math.ceil(1.5 * size)),
});

/** The articles in memory, the most popular of all. */
export interface Held {
  segment: Segment;
  /** The least popular of them; undefined if they are all. */
  last: Place | undefined;
}

/** Articles that are searched together. */
export class Segment {
  readonly index: ArticleIndex;
  readonly sums = new Sums();
  readonly sequences: SequenceReader;
  readonly #matcher: Matcher;
  #found: readonly (Matches | undefined)[] = [];
  /** For each slot, the number of conditions that it meets. */
  #met = new Uint8Array(0);
  #marks = new Uint8Array(0);
  #matching = roomFor(0);

  constructor(index: ArticleIndex) {
    this.index = index;
    this.#matcher = new Matcher(index);
    this.sequences = new SequenceReader(index);
  }

  /** A zero for each slot; the caller sets it back to zero. */
  get marks(): Uint8Array {
    if (this.#marks.length < this.index.slots) this.#marks = grown(this.#marks, this.index.slots);
    return this.#marks;
  }

  /** The number of articles that match each condition. */
  count(conditions: readonly Condition[]): number[] {
    this.#matcher.begin();
    return conditions.map((condition) => this.#matcher.matches(condition).articles);
  }

  /** The same for spelling, to which frequent words are all alike: a lower bound spares reading their lists. */
  countRoughly(conditions: readonly Condition[]): number[] {
    return conditions.map((condition) => {
      const least = this.#leastCount(condition);
      return least >= FREQUENT ? least : (this.count([condition])[0] as number);
    });
  }

  /** A lower bound, read from the beginnings of the lists, where the most popular articles are. */
  #leastCount(condition: Condition): number {
    const { tokens, isAlive, isBehind } = this.index;
    const forms = condition.flatMap((phrase) => (phrase.length === 1 ? (phrase[0] ?? []) : []));
    const counts = forms
      .flatMap(({ token }) => tokens.numbersOf(token))
      .map((number) => {
        const { count, slots } = this.index.postings(number, 2 * FREQUENT);
        let weighing = 0;
        for (let at = 0; at < count; at++) {
          const slot = slots[at] as number;
          if (isAlive[slot] === 1 && isBehind[slot] === 0) weighing++;
        }
        return weighing;
      });
    return Math.max(0, ...counts);
  }

  /** Reads what the query asks for; gives the number of articles of each word. */
  match({ clauses }: WordQuery): number[] {
    this.#matcher.begin();
    this.#found = clauses.map(({ condition, isStopWord }) =>
      isStopWord ? undefined : this.#matcher.matches(condition),
    );
    return this.#found.map((matches) => matches?.articles ?? 0);
  }

  /** Adds up the scores of what was matched; `clear` takes them back. */
  weigh(weights: Weights): void {
    this.sums.add(this.index.slots, this.#found, weights);
  }

  clear(): void {
    this.sums.clear();
  }

  /** The articles that may be hits, in any order; good until the next ones. */
  matching(query: WordQuery, narrowing: Narrowing): Matching {
    const { needed, lists } = this.#conditions(query, narrowing);
    const { publishedAt, isBehind } = this.index;
    const [from, to] = periodOf(narrowing);
    const { slots: some, size: most, shares, titleShares, total } = this.sums;
    const [least, nearlyAll] = [LEAST_SHARE * NEARLY_ALL * total, NEARLY_ALL * total];
    const met = this.#met;
    if (this.#matching.slots.length < most) this.#matching = roomFor(most);
    const result = this.#matching;
    const { slots, kinds } = result;
    result.size = result.all = result.present = 0;
    for (let nth = 0; nth < most; nth++) {
      const slot = some[nth] as number;
      const share = shares[slot] as number;
      const at = publishedAt[slot] as number;
      if (share < least || met[slot] !== needed || at <= from || at > to) continue;
      let kind = isBehind[slot] === 1 ? BEHIND : 0;
      if (share >= nearlyAll) {
        kind |= HAS_ALL;
        result.all++;
      }
      if ((titleShares[slot] as number) >= least) kind |= IS_TITLED;
      result.present |= kind;
      slots[result.size] = slot;
      kinds[result.size++] = kind;
    }
    for (const { size, slots: listed } of lists)
      for (let at = 0; at < size; at++) met[listed[at] as number] = 0;
    return result;
  }

  #conditions({ clauses, exclusions }: WordQuery, { filterTokens }: Narrowing) {
    if (this.#met.length < this.index.slots) this.#met = grown(this.#met, this.index.slots);
    const met = this.#met;
    const required = this.#found.filter((_, at) => clauses[at]?.isRequired === true) as Matches[];
    const all = [...required, ...filterTokens.map((tokens) => this.#anyOf(tokens))];
    for (const { size, slots } of all)
      for (let at = 0; at < size; at++) (met[slots[at] as number] as number)++;
    const excluded = exclusions.map((condition) => this.#matcher.matches(condition));
    for (const { size, slots } of excluded)
      for (let at = 0; at < size; at++) met[slots[at] as number] = EXCLUDED;
    return { needed: all.length, lists: [...all, ...excluded] };
  }

  #anyOf(tokens: readonly string[]): Matches {
    return this.#matcher.matches([[tokens.map((token) => ({ token, factor: 1, isWord: true }))]]);
  }

  /** The articles with the same title as the query. */
  titled(narrowing: Narrowing): number[] {
    const { ids, publishedAt } = this.index;
    const [from, to] = periodOf(narrowing);
    const sets = narrowing.filterTokens.map((tokens) => {
      const { size, slots } = this.#anyOf(tokens);
      return new Set(slots.subarray(0, size));
    });
    return this.index.titled(narrowing.titleKey).filter((slot) => {
      const at = publishedAt[slot] as number;
      const isWanted = narrowing.titled?.includes(ids[slot] as number) !== false;
      return isWanted && at > from && at <= to && sets.every((set) => set.has(slot));
    });
  }
}

function periodOf({ since, now }: Narrowing): [from: number, to: number] {
  return [since?.getTime() ?? -Infinity, now.getTime()];
}
