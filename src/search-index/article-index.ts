import { Arena, grown } from "./arena.ts";
import { Dictionary } from "./dictionary.ts";
import { impactOf, saturationOf, stepOf } from "./impact.ts";
import { comparePlaces, isSamePlace, type Place } from "./popularity.ts";
import { PostingLists } from "./posting-lists.ts";
import {
  fieldAt,
  fieldEnds,
  frequentTokens,
  POSITION,
  readShort,
  STEM_SIGN,
  visitTokens,
  WEIGHT_A,
} from "./row-vector.ts";
import { Titles } from "./titles.ts";
import { SMALL_NUMBERS } from "./sequence-bytes.ts";
import { TokenSequences } from "./token-sequences.ts";

/** A row of `article_search`. */
export interface IndexedRow extends Place {
  /** The version of the summary. */
  version: number;
  title_key: string;
  /** The vector as `tsvectorsend` writes it. */
  words: Buffer;
}

/** Whether the token of these bytes is wanted. */
export type IsWanted = (bytes: Buffer, from: number, to: number) => boolean;

/** The bit of a posting's impact that says that the title has the token. */
export const IN_TITLE = 0x80;

/** The bytes of a slot in all arrays, and of its entry in the map. */
const BYTES_PER_SLOT = 83;

/** An eighth more slots than articles, and some. */
const MOST_DEAD = 1.125;
const ENOUGH_DEAD = 1_000;

/** How much a stop word counts among the words of a title. */
export const TITLE_STOP_WORD = 0.3;

/**
 * Articles by their tokens, in memory. Each token has a list of the articles that have it and how much they are about
 * it; each article has the sequence of its tokens, for words that stand side by side. An article has a slot; a changed one
 * gets a new slot.
 */
export class ArticleIndex {
  readonly #arena = new Arena();
  readonly tokens = new Dictionary(this.#arena);
  readonly #postings = new PostingLists(this.#arena);
  readonly sequences = new TokenSequences(this.#arena);

  #slots = 0;
  readonly #slotOf = new Map<number, number>();
  readonly #titles = new Titles();
  ids = new Int32Array(256);
  reactions = new Int32Array(256);
  publishedAt = new Float64Array(256);
  versions = new Float64Array(256);
  titleEnds = new Uint16Array(256);
  /** The last position of title, tags, names and description. */
  headEnds = new Uint16Array(256);
  /** The words of the title; stop words count less. */
  titleWeights = new Float32Array(256);
  isAlive = new Uint8Array(256);
  /** Less popular than the articles that weigh words. */
  isBehind = new Uint8Array(256);
  /** Whether slots are no longer in the order of popularity here. */
  isMoved = new Uint8Array(256);
  #behind = 0;
  #end: Place | undefined;

  /** The place of the last slot that is not moved. */
  #lastSorted: Place | undefined;

  /** The number of slots, those of removed articles among them. */
  get slots(): number {
    return this.#slots;
  }

  get size(): number {
    return this.#slotOf.size;
  }

  /** The number of articles that weigh words. */
  get weighing(): number {
    return this.size - this.#behind;
  }

  /** Estimated, with what V8 keeps. */
  get bytes(): number {
    const lists = this.tokens.bytes + this.#postings.bytes + this.sequences.bytes;
    return this.#arena.bytes + lists + this.#titles.bytes + this.ids.length * BYTES_PER_SLOT;
  }

  /** Whether it should be made again: removed articles stay in the lists. */
  get isSparse(): boolean {
    return this.#slots > MOST_DEAD * this.size + ENOUGH_DEAD;
  }

  /** Gives the most frequent tokens of some rows the numbers that take the least room. */
  numberFirst(rows: readonly IndexedRow[]): void {
    const vectors = rows.map(({ words }) => words);
    for (const token of frequentTokens(vectors, SMALL_NUMBERS)) this.tokens.addToken(token);
  }

  /** @param isWanted leaves out the other tokens of the article, but for those of its title */
  add(row: IndexedRow, isWanted?: IsWanted): void {
    this.remove(row.article_id);
    const slot = this.#newSlot(row);
    const { words } = row;
    const ends = fieldEnds(words);
    const saturation = saturationOf(ends);
    const counts = [0, 0, 0, 0];
    this.sequences.begin();
    visitTokens(words, (from, to, hash, positions, count) => {
      // Stems are found by the words that have them.
      if (words[from] === STEM_SIGN) return;
      const isInTitle = count > 0 && (readShort(words, positions) & POSITION) <= ends.title;
      if (!isInTitle && isWanted?.(words, from, to) === false) return;
      const number = this.tokens.add(words, from, to, hash);
      let inTitle = 0;
      counts.fill(0);
      for (let at = positions, end = positions + 2 * count; at < end; at += 2) {
        const entry = readShort(words, at);
        const position = entry & POSITION;
        const field = fieldAt(position, ends);
        (counts[field] as number)++;
        if (entry >>> 14 === WEIGHT_A) inTitle = IN_TITLE;
        this.sequences.add(position, number);
      }
      // Late words of a long text have no position.
      if (count === 0) counts[3] = 1;
      this.#postings.append(number, slot, stepOf(impactOf(counts, saturation)) | inTitle);
    });
    this.titleEnds[slot] = ends.title;
    this.headEnds[slot] = ends.description;
    this.titleWeights[slot] = this.#titleWeight(ends.title);
    this.sequences.end(slot);
  }

  #titleWeight(end: number): number {
    let weight = 0;
    let before = 0;
    this.sequences.visit((position, number) => {
      if (position <= end && position !== before)
        weight += this.tokens.isStopWord(number) ? TITLE_STOP_WORD : 1;
      before = position;
    });
    return weight;
  }

  has(articleId: number): boolean {
    return this.#slotOf.has(articleId);
  }

  /** Changes all but the words. */
  update({ article_id, reactions, published_at, version }: Omit<IndexedRow, "words" | "title_key">): void {
    const slot = this.#slotOf.get(article_id);
    if (slot === undefined) return;
    this.versions[slot] = version;
    if (this.reactions[slot] === reactions && this.publishedAt[slot] === published_at) return;
    this.reactions[slot] = reactions;
    this.publishedAt[slot] = published_at;
    this.isMoved[slot] = 1;
    this.#setBehind(slot);
  }

  remove(articleId: number): void {
    const slot = this.#slotOf.get(articleId);
    if (slot === undefined) return;
    this.isAlive[slot] = 0;
    this.#behind -= this.isBehind[slot] as number;
    this.#slotOf.delete(articleId);
  }

  /** Articles that are less popular than this place don't weigh words. */
  endWeighing(end: Place | undefined): void {
    if (isSamePlace(end, this.#end)) return;
    this.#end = end;
    for (let slot = 0; slot < this.#slots; slot++) if (this.isAlive[slot] === 1) this.#setBehind(slot);
  }

  #setBehind(slot: number): void {
    const isBehind = this.#end !== undefined && comparePlaces(this.placeOf(slot), this.#end) > 0 ? 1 : 0;
    this.#behind += isBehind - (this.isBehind[slot] as number);
    this.isBehind[slot] = isBehind;
  }

  placeOf(slot: number): Place {
    return {
      reactions: this.reactions[slot] as number,
      published_at: this.publishedAt[slot] as number,
      article_id: this.ids[slot] as number,
    };
  }

  /** The order of `top`: by reactions, date and id, the highest first. */
  readonly byPopularity = (one: number, other: number): number =>
    (this.isMoved[one] as number) + (this.isMoved[other] as number) === 0
      ? one - other
      : (this.reactions[other] as number) - (this.reactions[one] as number) ||
        (this.publishedAt[other] as number) - (this.publishedAt[one] as number) ||
        (this.ids[other] as number) - (this.ids[one] as number);

  /** The articles with this title. */
  titled(titleKey: string): number[] {
    return this.#titles.slotsOf(titleKey).filter((slot) => this.isAlive[slot] === 1);
  }

  /** The list of a token, or its first entries, good until the next reading; `count` entries of the arrays are of it. */
  postings(token: number, most?: number): { count: number; slots: Int32Array; impacts: Uint8Array } {
    const count = this.#postings.read(token, most);
    return { count, slots: this.#postings.slots, impacts: this.#postings.impacts };
  }

  #newSlot({ article_id, reactions, published_at, version, title_key }: IndexedRow): number {
    const slot = this.#slots++;
    if (slot === this.ids.length) this.#growSlots();
    this.#slotOf.set(article_id, slot);
    this.ids[slot] = article_id;
    this.reactions[slot] = reactions;
    this.publishedAt[slot] = published_at;
    this.versions[slot] = version;
    this.isAlive[slot] = 1;
    const place = { reactions, published_at, article_id };
    if (this.#lastSorted !== undefined && comparePlaces(this.#lastSorted, place) > 0) this.isMoved[slot] = 1;
    else this.#lastSorted = place;
    this.#setBehind(slot);
    this.#titles.add(slot, title_key);
    return slot;
  }

  #growSlots(): void {
    const size = this.ids.length + 1;
    this.ids = grown(this.ids, size);
    this.reactions = grown(this.reactions, size);
    this.publishedAt = grown(this.publishedAt, size);
    this.versions = grown(this.versions, size);
    this.titleEnds = grown(this.titleEnds, size);
    this.headEnds = grown(this.headEnds, size);
    this.titleWeights = grown(this.titleWeights, size);
    this.isAlive = grown(this.isAlive, size);
    this.isBehind = grown(this.isBehind, size);
    this.isMoved = grown(this.isMoved, size);
  }
}
