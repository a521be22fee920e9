import type { ArticleIndex } from "./article-index.ts";
import { grown } from "./arena.ts";
import { Matcher, type Matches } from "./matching.ts";
import type { WordQuery } from "./query.ts";
import { SequenceReader } from "./sequences.ts";
import type { Condition } from "./terms.ts";

export interface Narrowing {
  /** Articles with this title are hits; none is empty. */
  titleKey: string;
  /** An article has one token of each list. */
  filterTokens: readonly (readonly string[])[];
  since: Date | undefined;
  /** Articles with a later date are left out: they were published before the clock was set back. */
  now: Date;
}

/** Sums of weights in single precision may fall this short of all. */
const NEARLY_ALL = 0.999;

/** Spelling asks for no larger count. */
const FREQUENT = 301;

const EXCLUDED = 255;

export class Segment {
  readonly index: ArticleIndex;
  readonly sums = new Sums();
  readonly sequences: SequenceReader;
  readonly #matcher: Matcher;
  #found: readonly (Matches | undefined)[] = [];
  #met = new Uint8Array(0);

  constructor(index: ArticleIndex) {
    this.index = index;
    this.#matcher = new Matcher(index);
    this.sequences = new SequenceReader(index);
  }

  count(conditions: readonly Condition[]): number[] {
    this.#matcher.begin(0);
    return conditions.map((condition) => this.#matcher.matches(condition).articles);
  }

  /** The same for spelling, to which frequent words are all alike: a lower bound spares reading their lists. */
  countRoughly(conditions: readonly Condition[]): number[] {
    return conditions.map((condition) => {
      const least = this.#leastCount(condition);
      return least >= FREQUENT ? least : (this.count([condition])[0] as number);
    });
  }

  /** A lower bound, read from the beginnings of the lists. */
  #leastCount(condition: Condition): number {
    const { tokens, isAlive } = this.index;
    const forms = condition.flatMap((phrase) => (phrase.length === 1 ? (phrase[0] ?? []) : []));
    const counts = forms
      .flatMap(({ token }) => tokens.numbersOf(token))
      .map((number) => {
        const { count, slots } = this.index.postings(number, 2 * FREQUENT);
        let alive = 0;
        for (let at = 0; at < count; at++) alive += isAlive[slots[at] as number] as number;
        return alive;
      });
    return Math.max(0, ...counts);
  }

  /**
   * Reads what the query asks for; gives the number of articles of each word.
   * @param typedBonus what a word as typed adds to its impact
   */
  match({ clauses }: WordQuery, typedBonus: number): number[] {
    this.#matcher.begin(typedBonus);
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

  /** Visits the articles that are hits, in any order. */
  visit(query: WordQuery, narrowing: Narrowing, each: (slot: number, hasAll: boolean) => void): void {
    const { needed, lists } = this.#conditions(query, narrowing);
    const { publishedAt } = this.index;
    const [from, to] = periodOf(narrowing);
    const { slots, size, shares, total } = this.sums;
    const nearlyAll = NEARLY_ALL * total;
    const met = this.#met;
    for (let nth = 0; nth < size; nth++) {
      const slot = slots[nth] as number;
      const at = publishedAt[slot] as number;
      if (met[slot] === needed && at > from && at <= to) each(slot, (shares[slot] as number) >= nearlyAll);
    }
    for (const { size: listed, slots: some } of lists)
      for (let at = 0; at < listed; at++) met[some[at] as number] = 0;
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

  titled(narrowing: Narrowing): number[] {
    const { publishedAt } = this.index;
    const [from, to] = periodOf(narrowing);
    const same = this.index.titled(narrowing.titleKey).filter((slot) => {
      const at = publishedAt[slot] as number;
      return at > from && at <= to;
    });
    if (same.length === 0) return same;
    const sets = narrowing.filterTokens.map((tokens) => {
      const { size, slots } = this.#anyOf(tokens);
      return new Set(slots.subarray(0, size));
    });
    return same.filter((slot) => sets.every((set) => set.has(slot)));
  }
}

function periodOf({ since, now }: Narrowing): [from: number, to: number] {
  return [since?.getTime() ?? -Infinity, now.getTime()];
}

/** Adds up, for each article, what the words of a query say of it: by slot. */
class Sums {
  #scores = new Float32Array(0);
  shares = new Float32Array(0);
  titles = new Float32Array(0);
  total = 0;
  slots = new Int32Array(0);
  size = 0;

  /**
   * @param size the number of slots
   * @param weights of each; 0 for those that don't count
   * @param total the weight of all
   */
  add(size: number, found: readonly (Matches | undefined)[], { weights, total }: Weights): void {
    if (this.#scores.length < size) this.#grow(size);
    const [scores, shares, titles] = [this.#scores, this.shares, this.titles];
    const all = this.slots;
    let count = 0;
    this.total = total;
    for (let word = 0; word < found.length; word++) {
      const matches = found[word];
      if (matches === undefined) continue;
      const weight = weights[word] as number;
      const { size: matching, slots, impacts, titles: inTitles } = matches;
      for (let at = 0; at < matching; at++) {
        const slot = slots[at] as number;
        const share = shares[slot] as number;
        if (share === 0) all[count++] = slot;
        shares[slot] = share + weight;
        scores[slot] = (scores[slot] as number) + weight * (impacts[at] as number);
        const inTitle = inTitles[at] as number;
        if (inTitle > 0) titles[slot] = (titles[slot] as number) + inTitle;
      }
    }
    this.size = count;
  }

  #grow(size: number): void {
    this.#scores = grown(this.#scores, size);
    this.shares = grown(this.shares, size);
    this.titles = grown(this.titles, size);
    this.slots = grown(this.slots, size);
  }

  /** The mean impact that the words have on an article, by weight. */
  scoreOf(slot: number): number {
    return this.total === 0 ? 0 : (this.#scores[slot] as number) / this.total;
  }

  clear(): void {
    for (let at = 0; at < this.size; at++) {
      const slot = this.slots[at] as number;
      this.#scores[slot] = this.shares[slot] = this.titles[slot] = 0;
    }
    this.size = 0;
  }
}

export interface Weights {
  weights: readonly number[];
  total: number;
}
