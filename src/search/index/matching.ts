import { type ArticleIndex, IN_TITLE } from "./article-index.ts";
import { grown } from "./arena.ts";
import { impactOfStep, MAX_STEP } from "./impact.ts";
import { SequenceReader } from "./sequences.ts";
import type { Condition, Form, Phrase, Forms } from "./terms.ts";

/** The articles that match, without order: the first `size` entries of the arrays. */
export interface Matches {
  size: number;
  slots: Int32Array;
  /** How much each is about what is looked for. */
  impacts: Float32Array;
  /** How well the title has it, from 0 to 1. */
  titles: Float32Array;
  /** The number of articles that have the word itself in any inflection, or if none has, of all that match. */
  articles: number;
}

const IMPACTS = Float32Array.from({ length: MAX_STEP + 1 }, (_, step) => impactOfStep(step));

export class Matcher {
  readonly #index: ArticleIndex;
  readonly #sequences: SequenceReader;
  readonly #results: Matches[] = [];
  #used = 0;
  /** The best impact and title of each slot for the condition that is read. */
  #impacts = new Float32Array(0);
  #titles = new Float32Array(0);
  /** The words of a phrase that match each slot so far, counted, and their least impact. */
  #seen = new Uint8Array(0);
  #least = new Float32Array(0);
  #found = new Int32Array(0);
  #size = 0;
  #typedBonus = 0;
  readonly #factors = new Map<number, number>();

  constructor(index: ArticleIndex) {
    this.#index = index;
    this.#sequences = new SequenceReader(index);
  }

  /**
   * Takes back the memory of all matches that were found.
   * @param typedBonus what a word as typed adds to its impact
   */
  begin(typedBonus: number): void {
    this.#used = 0;
    this.#typedBonus = typedBonus;
    const slots = this.#index.slots;
    if (this.#impacts.length >= slots) return;
    this.#impacts = grown(this.#impacts, slots);
    this.#titles = grown(this.#titles, slots);
    this.#seen = grown(this.#seen, slots);
    this.#least = grown(this.#least, slots);
    this.#found = grown(this.#found, slots);
  }

  matches(condition: Condition): Matches {
    const [only, ...others] = condition.map((phrase) => this.#phrase(phrase));
    return only && others.length === 0 ? only : this.#union([...(only ? [only] : []), ...others]);
  }

  #phrase(phrase: Phrase): Matches {
    const places = phrase.filter((place) => place.length > 0).map((place) => this.#place(place));
    return phrase.length === 1 && places[0] ? places[0] : this.#sideBySide(phrase, places);
  }

  #place(place: Forms): Matches {
    const { tokens } = this.#index;
    this.#factors.clear();
    let word = "";
    const addForm = ({ token, factor }: Form) => {
      const isStem = token.startsWith("=");
      if (!isStem) word = token;
      for (const number of tokens.numbersOf(token)) {
        const isOther = isStem && !isInflection(word, tokens.wordOf(number));
        const own = isOther ? OTHER_OF_ROOT * factor : factor;
        // A word's list is often also one of its stem.
        if ((this.#factors.get(number) ?? 0) >= own) continue;
        this.#factors.set(number, own);
        this.#addList(number, own, isOther ? 0 : this.#typedBonus);
      }
    };
    for (const form of place.filter(isOfWord)) addForm(form);
    const ofWordItself = this.#size;
    const goesOn = place.some((form) => form.isBeginning === true);
    if (goesOn && ofWordItself <= MOST_UNFINISHED) this.#takeBackBonus();
    for (const form of place) {
      if (form.isBeginning === true)
        for (const longer of tokens.longerThan(form.token)) this.#addList(longer, form.factor, 0);
      else if (!isOfWord(form)) addForm(form);
    }
    return this.#collect(ofWordItself);
  }

  #addList(token: number, factor: number, bonus: number): void {
    const { count, slots, impacts } = this.#index.postings(token);
    const [best, titles, found] = [this.#impacts, this.#titles, this.#found];
    const { isAlive } = this.#index;
    let size = this.#size;
    for (let at = 0; at < count; at++) {
      const slot = slots[at] as number;
      const step = impacts[at] as number;
      const impact = factor * (IMPACTS[step & MAX_STEP] as number) + bonus;
      const known = best[slot] as number;
      if (known === 0) {
        if (isAlive[slot] === 0) continue;
        found[size++] = slot;
      }
      if (impact > known) best[slot] = impact;
      if (step >= IN_TITLE && factor > (titles[slot] as number)) titles[slot] = factor;
    }
    this.#size = size;
  }

  #takeBackBonus(): void {
    for (const slot of this.#found.subarray(0, this.#size))
      this.#impacts[slot] = (this.#impacts[slot] as number) - this.#typedBonus;
  }

  #add(slot: number, impact: number, title: number): void {
    const known = this.#impacts[slot] as number;
    if (known === 0) this.#found[this.#size++] = slot;
    if (impact > known) this.#impacts[slot] = impact;
    if (title > (this.#titles[slot] as number)) this.#titles[slot] = title;
  }

  #union(all: readonly Matches[]): Matches {
    for (const { size, slots, impacts, titles } of all) {
      for (let at = 0; at < size; at++)
        this.#add(slots[at] as number, impacts[at] as number, titles[at] as number);
    }
    return this.#collect(this.#size);
  }

  #sideBySide(phrase: Phrase, places: readonly Matches[]): Matches {
    const [first, last] = [places[0], places.at(-1)];
    if (first === undefined || last === undefined) return this.#collect(0);
    for (const [nth, { size, slots, impacts }] of places.entries()) {
      for (let at = 0; at < size; at++) {
        const slot = slots[at] as number;
        if (this.#seen[slot] !== nth) continue;
        this.#seen[slot] = nth + 1;
        if (nth === 0 || (impacts[at] as number) < (this.#least[slot] as number))
          this.#least[slot] = impacts[at] as number;
      }
    }
    this.#sequences.load(phrase);
    for (let at = 0; at < last.size; at++) {
      const slot = last.slots[at] as number;
      if (this.#seen[slot] === places.length && this.#sequences.isPhrase(slot))
        this.#add(slot, this.#least[slot] as number, last.titles[at] as number);
    }
    for (let at = 0; at < first.size; at++) this.#seen[first.slots[at] as number] = 0;
    return this.#collect(this.#size);
  }

  #collect(ofWordItself: number): Matches {
    const size = this.#size;
    const result = this.#result(size);
    const [best, allTitles, { slots, impacts, titles }] = [this.#impacts, this.#titles, result];
    for (let at = 0; at < size; at++) {
      const slot = this.#found[at] as number;
      slots[at] = slot;
      impacts[at] = best[slot] as number;
      titles[at] = allTitles[slot] as number;
      best[slot] = 0;
      allTitles[slot] = 0;
    }
    this.#size = 0;
    result.articles = ofWordItself > 0 ? ofWordItself : size;
    return result;
  }

  #result(size: number): Matches {
    let result = this.#results[this.#used++];
    if (result === undefined || result.slots.length < size) {
      const room = Math.ceil(1.5 * size);
      result = {
        size,
        slots: new Int32Array(room),
        impacts: new Float32Array(room),
        titles: new Float32Array(room),
        articles: 0,
      };
      this.#results[this.#used - 1] = result;
    }
    result.size = size;
    return result;
  }
}

/** The factor of a word with the same stem that isn't the same word: "operations" for "operator". */
const OTHER_OF_ROOT = 0.5;
const LONGEST_ENDING = 3;

/** Inflections of a word differ by a short ending. A longer one makes another word of the same root. */
function isInflection(word: string, other: string): boolean {
  let same = 0;
  while (same < word.length && word[same] === other[same]) same++;
  return Math.max(word.length, other.length) - same <= LONGEST_ENDING;
}

/** The last word of a query is more likely the beginning of another word if no more articles have it. */
const MOST_UNFINISHED = 3;

const isOfWord = (form: Form) => form.isWord === true;
