import { sql } from "kysely";
import { setImmediate } from "node:timers/promises";
import type { ResponseCache } from "../cache.ts";
import type { Databases, Db } from "../db/connect.ts";
import { ArticleIndex } from "./article-index.ts";
import { type Held, Segment } from "./segment.ts";
import { comparePlaces, type Place } from "./popularity.ts";
import {
  type Change,
  changesSince,
  currentMoment,
  endOfWeighing,
  FORGOTTEN,
  popularRows,
  type ReadAt,
  wordsBehind,
  wordsSince,
} from "./rows-in-memory.ts";
import { Vocabulary } from "./spelling.ts";

const ROWS_AT_ONCE = 100;
/** The rows in which the most frequent tokens are counted, which takes a few milliseconds. */
const ROWS_TO_COUNT = 20;
const WORDS_AT_ONCE = 2_000;
/** A step blocks other requests for a few milliseconds. */
const LONGEST_STEP_MS = 3;
/** Room for articles that are added later; then all is loaded again. */
const FILLED = 0.95;
/** Notes of changes are kept for an hour. */
const LONGEST_PAUSE_MS = 30 * 60_000;

interface Words extends ReadAt {
  vocabulary: Vocabulary;
}

interface HeldNow extends Held, ReadAt {
  /** All is loaded again above this; it is more than was loaded, so that loading has an end. */
  maxBytes: number;
}

/** The memory at a moment. */
export interface Current {
  vocabulary: Vocabulary;
  /** Undefined while it is loaded, and where memory is off. */
  held: Held | undefined;
  /** The least popular article that weighs words; undefined if all do. */
  end: Place | undefined;
}

/**
 * What is searched, in the memory of a process: the most popular articles that it has room for. The truth is in
 * PostgreSQL; every change is read from there before the first answer after it.
 */
export class SearchMemory {
  /** Whether what there is room for has been in memory once. */
  hasLoaded: boolean;
  readonly #maxBytes: number;
  readonly #databases: Pick<Databases, "slow" | "replicas"> | undefined;
  readonly #onAnotherTimeline: () => void;
  #held: HeldNow | undefined;
  #words: Words | undefined;
  #end: Place | undefined;
  #loading: Promise<void> | undefined;
  #readAt = -Infinity;
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * @param maxBytes for the articles; 0 for none
   * @param databases where there are replicas: the memory follows the primary
   * @param onAnotherTimeline called when the database has lost what it had answered: an id may be another row now
   */
  constructor(
    maxBytes: number,
    databases?: Pick<Databases, "slow" | "replicas">,
    onAnotherTimeline = () => {},
  ) {
    this.#maxBytes = maxBytes;
    this.hasLoaded = maxBytes === 0;
    this.#databases = databases;
    this.#onAnotherTimeline = onAnotherTimeline;
  }

  /**
   * The memory with all changes up to this moment.
   * @param db which has what is behind the memory
   */
  async current(db: Db, cache: ResponseCache): Promise<Current> {
    const { replicas, slow = db } = this.#databases ?? {};
    const source = replicas === undefined ? db : slow;
    await cache.memoize("search-memory", () => this.#inTurn(() => this.#refresh(source)).then(() => true));
    await replicas?.meetMemory(db);
    return { vocabulary: (this.#words as Words).vocabulary, held: this.#held, end: this.#end };
  }

  /** Waits until what there is room for is in memory. */
  async load(db: Db, cache: ResponseCache): Promise<void> {
    await this.current(db, cache);
    await this.#loading;
  }

  /** Two readings at once could apply an older state after a newer one. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const replicas = this.#databases?.replicas;
    const read = () => replicas?.readPrimary(work, { isLoaded: this.#words !== undefined }) ?? work();
    const turn = this.#turn.then(read);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** @param held replaces the articles in memory, unless it is of another timeline */
  async #refresh(db: Db, held = this.#held): Promise<void> {
    const now = await currentMoment(db);
    const isTooLate = performance.now() - this.#readAt > LONGEST_PAUSE_MS;
    const kept = <Part extends ReadAt>(part: Part | undefined) =>
      !isTooLate && part?.timeline === now.timeline ? part : undefined;
    if (this.#words !== undefined && this.#words.timeline !== now.timeline) this.#onAnotherTimeline();
    this.#words = await this.#readWords(db, now, kept(this.#words));
    this.#end = await endOfWeighing(db);
    this.#held = await this.#catchUp(db, kept(held));
    this.hasLoaded ||= this.#held !== undefined;
    if (this.#held === undefined) this.#startLoading(db);
    this.#readAt = performance.now();
  }

  /** @returns undefined if it has no room for all changes */
  async #catchUp(db: Db, held: HeldNow | undefined): Promise<HeldNow | undefined> {
    if (held === undefined) return undefined;
    const { index } = held.segment;
    const step = new Step();
    let snapshot: string | undefined;
    for (let after = 0, isMore = true; isMore;) {
      const changes = await changesSince(db, {
        since: held.snapshot,
        after,
        limit: ROWS_AT_ONCE,
        // An article that becomes more popular than the last one is new here.
        withTexts: held.last !== undefined,
      });
      // The next reading asks again for what changes between two batches.
      snapshot ??= changes.snapshot;
      for (const change of changes.articles) {
        apply(held, change);
        await step.pause();
      }
      after = changes.articles.at(-1)?.article_id ?? after;
      isMore = changes.articles.length === ROWS_AT_ONCE;
    }
    index.endWeighing(this.#end);
    const isFull = index.bytes > held.maxBytes || index.isSparse;
    return isFull ? undefined : { ...held, snapshot: snapshot ?? held.snapshot };
  }

  async #readWords(db: Db, now: ReadAt, known: Words | undefined): Promise<Words> {
    const changed = known && (await wordsSince(db, known.snapshot));
    if (known !== undefined && !changed?.some(([word]) => word === FORGOTTEN)) {
      for (const [word, articles] of changed ?? []) known.vocabulary.set(word, articles);
      return { vocabulary: known.vocabulary, ...now };
    }
    const vocabulary = new Vocabulary();
    for (let after: string | undefined = FORGOTTEN; after !== undefined;) {
      const words = await wordsBehind(db, after, WORDS_AT_ONCE);
      for (const [word, articles] of words) vocabulary.set(word, articles);
      after = words.length < WORDS_AT_ONCE ? undefined : words.at(-1)?.[0];
    }
    return { vocabulary, ...now };
  }

  /** Searches go on meanwhile, over what PostgreSQL finds. */
  #startLoading(db: Db): void {
    if (this.#maxBytes === 0) return;
    this.#loading ??= this.#load(db).finally(() => (this.#loading = undefined));
    // The next reading starts to load again.
    this.#loading.catch(() => {});
  }

  async #load(db: Db): Promise<void> {
    const now = await currentMoment(db);
    const index = new ArticleIndex();
    const step = new Step();
    let last: Place | undefined;
    for (let isMore = true, isFull = false; isMore && !isFull;) {
      const rows = await popularRows(db, last, ROWS_AT_ONCE);
      isMore = rows.length === ROWS_AT_ONCE;
      if (last === undefined) index.numberFirst(rows.slice(0, ROWS_TO_COUNT));
      for (const row of rows) {
        isFull = index.bytes > FILLED * this.#maxBytes;
        if (isFull) break;
        index.add(row);
        last = row;
        await step.pause();
      }
      // Not even one has room.
      if (isFull && last === undefined) return void (this.hasLoaded = true);
      if (!isMore && !isFull) last = undefined;
    }
    // Searches of this moment may know of later changes.
    const maxBytes = Math.max(this.#maxBytes, index.bytes + (1 - FILLED) * this.#maxBytes);
    await this.#inTurn(() => this.#refresh(db, { segment: new Segment(index), last, maxBytes, ...now }));
  }
}

function apply({ segment: { index }, last }: Held, { article_id, now }: Change): void {
  if (now === undefined || (last !== undefined && comparePlaces(now, last) > 0)) index.remove(article_id);
  else if (now.text && (now.hasNewText || !index.has(article_id))) index.add({ ...now, ...now.text });
  else index.update(now);
}

/** Lets other requests run from time to time. */
class Step {
  #began = performance.now();

  async pause(): Promise<void> {
    if (performance.now() - this.#began < LONGEST_STEP_MS) return;
    await setImmediate();
    this.#began = performance.now();
  }
}

/** Takes away notes that every process has read, or is too late for, and the words that had no article then. */
export async function purgeChanges(db: Db): Promise<void> {
  await sql`
    with old as (
      delete from search_changes where noted_at < now() - interval '1 hour' returning changed_in
    )
    delete from search_words where articles_count = 0 and changed_in <= (select max(changed_in) from old)`.execute(
    db,
  );
}
