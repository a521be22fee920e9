import { hash } from "node:crypto";
import { Arena, grown } from "./arena.ts";
import type { SearchLanguage } from "../../platform/text/search-languages.ts";
import { Dictionary } from "./dictionary.ts";
import { countsPerField, priorOf, saturate, stepOf } from "./impact.ts";
import type { Place } from "./popularity.ts";
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
import { languageOfStem } from "./stemming.ts";
import { SMALL_NUMBERS } from "./sequence-bytes.ts";
import { TokenSequences } from "./token-sequences.ts";

/** A row of `search_rows` and `published_articles`. */
export interface IndexedRow extends Place {
  version: number;
  title_key: string;
  hasBody: boolean;
  /** The vector of the article, or of its head alone, as `tsvectorsend` writes it. */
  words: Buffer;
}

/** Whether the token of these bytes, a word or a stem, is wanted. */
export type IsWanted = (bytes: Buffer, from: number, to: number) => boolean;

/** The bit of a posting's impact that says that the title has the token. */
export const IN_TITLE = 0x80;

/** The bytes of a slot in all arrays, and of its entries in the maps. */
const BYTES_PER_SLOT = 190;

/** An eighth more slots than articles, and some. */
const MOST_DEAD = 1.125;
const ENOUGH_DEAD = 1_000;

/** 48 bits: two different titles of a community don't meet. */
const digestOf = (titleKey: string): number => hash("sha1", titleKey, "buffer").readUIntBE(0, 6);

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
  /** Those of all articles that were added. */
  readonly languages = new Set<SearchLanguage>();

  #slots = 0;
  readonly #slotOf = new Map<number, number>();
  /** By the digest of their titles. */
  readonly #slotsTitled = new Map<number, number[]>();
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
  /** Whether the words of its body are here too. */
  hasBody = new Uint8Array(256);
  /** The part of a score that comes from popularity and date. */
  priors = new Float32Array(256);
  #bodies = 0;

  /** The number of slots, those of removed articles among them. */
  get slots(): number {
    return this.#slots;
  }

  get size(): number {
    return this.#slotOf.size;
  }

  get hasAllBodies(): boolean {
    return this.size === this.#bodies;
  }

  /** Estimated, with what V8 keeps. */
  get bytes(): number {
    const lists = this.tokens.bytes + this.#postings.bytes + this.sequences.bytes;
    return this.#arena.bytes + lists + this.ids.length * BYTES_PER_SLOT;
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
    const perField = countsPerField(ends);
    const { stems } = this.tokens;
    let language: SearchLanguage = "simple";
    this.sequences.begin();
    stems.begin();
    visitTokens(words, (from, to, hash, positions, count) => {
      // Stems come first. They are found by the words that have them.
      if (words[from] === STEM_SIGN) {
        if (language === "simple") language = languageOfStem(words, from);
        if (isWanted?.(words, from, to) !== false) stems.note(words, hash, positions, count);
        return;
      }
      const first = count > 0 ? readShort(words, positions) & POSITION : 0;
      const isInTitle = first > 0 && first <= ends.title;
      if (!isInTitle && isWanted?.(words, from, to) === false && stems.at(first) === 0) return;
      const number = this.tokens.add(words, from, to, hash);
      let inTitle = 0;
      // Late words of a long text have no position.
      let occurrences = count === 0 ? (perField[3] as number) : 0;
      for (let at = positions, end = positions + 2 * count; at < end; at += 2) {
        const entry = readShort(words, at);
        const position = entry & POSITION;
        occurrences += perField[fieldAt(position, ends)] as number;
        if (entry >>> 14 === WEIGHT_A) inTitle = IN_TITLE;
        this.sequences.add(position, number);
        stems.meet(number, position);
      }
      if (count === 0) stems.meet(number, 0);
      this.#postings.append(number, slot, stepOf(saturate(occurrences)) | inTitle);
    });
    this.tokens.endStems(language);
    this.languages.add(language);
    this.titleEnds[slot] = ends.title;
    this.headEnds[slot] = ends.description;
    this.titleWeights[slot] = this.#titleWeight(ends.title, language);
    this.sequences.end(slot);
  }

  #titleWeight(end: number, language: SearchLanguage): number {
    const stopWords = this.tokens.stopWordsOf(language);
    let weight = 0;
    let before = 0;
    this.sequences.visit((position, number) => {
      if (position !== before) weight += stopWords.has(number) ? TITLE_STOP_WORD : 1;
      before = position;
    }, end);
    return weight;
  }

  update({ article_id, reactions, published_at, version }: Place & { version: number }): void {
    const slot = this.#slotOf.get(article_id);
    if (slot === undefined) return;
    this.versions[slot] = version;
    if (this.reactions[slot] === reactions && this.publishedAt[slot] === published_at) return;
    this.reactions[slot] = reactions;
    this.publishedAt[slot] = published_at;
    this.priors[slot] = priorOf(reactions, published_at);
  }

  remove(articleId: number): void {
    const slot = this.#slotOf.get(articleId);
    if (slot === undefined) return;
    this.isAlive[slot] = 0;
    this.#bodies -= this.hasBody[slot] as number;
    this.#slotOf.delete(articleId);
  }

  slotOf(articleId: number): number | undefined {
    return this.#slotOf.get(articleId);
  }

  placeOf(slot: number): Place {
    return {
      reactions: this.reactions[slot] as number,
      published_at: this.publishedAt[slot] as number,
      article_id: this.ids[slot] as number,
    };
  }

  titled(titleKey: string): number[] {
    return (this.#slotsTitled.get(digestOf(titleKey)) ?? []).filter((slot) => this.isAlive[slot] === 1);
  }

  /** The list of a token, or its first entries, good until the next reading; `count` entries of the arrays are of it. */
  postings(token: number, most?: number): { count: number; slots: Int32Array; impacts: Uint8Array } {
    const count = this.#postings.read(token, most);
    return { count, slots: this.#postings.slots, impacts: this.#postings.impacts };
  }

  #newSlot(row: IndexedRow): number {
    const { article_id, reactions, published_at, version, title_key, hasBody } = row;
    const slot = this.#slots++;
    if (slot === this.ids.length) this.#growSlots();
    this.#slotOf.set(article_id, slot);
    this.ids[slot] = article_id;
    this.reactions[slot] = reactions;
    this.publishedAt[slot] = published_at;
    this.versions[slot] = version;
    this.isAlive[slot] = 1;
    this.hasBody[slot] = hasBody ? 1 : 0;
    if (hasBody) this.#bodies++;
    this.priors[slot] = priorOf(reactions, published_at);
    const title = digestOf(title_key);
    if (!this.#slotsTitled.get(title)?.push(slot)) this.#slotsTitled.set(title, [slot]);
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
    this.hasBody = grown(this.hasBody, size);
    this.priors = grown(this.priors, size);
  }
}
