import { sql } from "kysely";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { ResponseCache } from "../../platform/cache.ts";
import type { Databases, Db } from "../../platform/db/connect.ts";
import { ArticleIndex } from "./article-index.ts";
import {
  type Change,
  changesSince,
  currentMoment,
  FORGOTTEN,
  popularRows,
  type ReadAt,
  type Row,
  toIndexed,
  wordsBehind,
  wordsSince,
} from "./rows-in-memory.ts";
import { Segment } from "./segment.ts";
import { Vocabulary } from "./spelling.ts";

const ROWS_AT_ONCE = 100;
/** The rows in which the most frequent tokens are counted, which takes a few milliseconds. */
const ROWS_TO_COUNT = 20;
const WORDS_AT_ONCE = 20_000;
/** A step blocks other requests for a few milliseconds. */
const LONGEST_STEP_MS = 3;
/** A small community is in memory before the first answer. */
const FIRST_WAIT_MS = 200;
/** Room for the bodies of articles that are added later. */
const FILLED = 0.95;
/** Notes of changes are kept for an hour. */
const LONGEST_PAUSE_MS = 30 * 60_000;

interface Words extends ReadAt {
  vocabulary: Vocabulary;
}

/** The articles in memory: their heads, and the bodies of the most popular ones. */
interface Held extends ReadAt {
  segment: Segment;
  /** While articles are loaded: those that changed meanwhile, whose rows in a batch may be older. */
  changed: Set<number> | undefined;
  isRead: boolean;
}

export interface Current {
  vocabulary: Vocabulary;
  segment: Segment;
  /** Whether the heads of all articles are in memory. */
  isLoaded: boolean;
  /** Whether the bodies are too. */
  isWhole: boolean;
}

/**
 * What is searched, in the memory of a process: all titles, tags, names and descriptions, and the bodies of the most
 * popular articles, as many as there is room for. The truth is in PostgreSQL; every change is read from there before the
 * first answer after it.
 */
export class SearchMemory {
  readonly #maxBytes: number;
  readonly #databases: Pick<Databases, "shared" | "replicas"> | undefined;
  readonly #onAnotherTimeline: () => void;
  #held: Held | undefined;
  #words: Words | undefined;
  #isLoading = false;
  #readAt = -Infinity;
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * @param maxBytes for the bodies
   * @param databases where there are replicas, the memory follows the primary
   * @param onAnotherTimeline called when the database has lost what it had answered: an id may be another row now
   */
  constructor(
    maxBytes: number,
    databases?: Pick<Databases, "shared" | "replicas">,
    onAnotherTimeline = () => {},
  ) {
    this.#maxBytes = maxBytes;
    this.#databases = databases;
    this.#onAnotherTimeline = onAnotherTimeline;
  }

  /** Whether searches find what they need, in memory or in PostgreSQL. */
  get isReady(): boolean {
    return this.#held !== undefined;
  }

  /**
   * The memory with all changes up to this moment.
   * @param db is read where there are no replicas
   */
  async current(db: Db, cache: ResponseCache): Promise<Current> {
    const { replicas, shared = db } = this.#databases ?? {};
    const source = replicas === undefined ? db : shared;
    await cache.memoize("search-memory", () => this.#inTurn(() => this.#refresh(source)).then(() => true));
    const { segment, changed } = this.#held as Held;
    return {
      vocabulary: (this.#words as Words).vocabulary,
      segment,
      isLoaded: changed === undefined,
      isWhole: changed === undefined && segment.index.hasAllBodies,
    };
  }

  /** Two readings at once could apply an older state after a newer one. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #refresh(db: Db): Promise<void> {
    const now = await currentMoment(db);
    // A standby answers while the primary is away: the memory stays as it is.
    if (now.timeline === null && this.#held !== undefined) return;
    const isTooLate = performance.now() - this.#readAt > LONGEST_PAUSE_MS;
    const kept = <Part extends ReadAt>(part: Part | undefined) =>
      !isTooLate && part?.timeline === now.timeline ? part : undefined;
    if (this.#words !== undefined && this.#words.timeline !== now.timeline) this.#onAnotherTimeline();
    this.#words = await this.#readWords(db, now, kept(this.#words));
    const held = kept(this.#held);
    if (held === undefined) await this.#begin(db, now);
    else await this.#catchUp(db, held);
    this.#readAt = performance.now();
  }

  /** Searches go on meanwhile, over what is loaded and what PostgreSQL finds. */
  async #begin(db: Db, now: ReadAt): Promise<void> {
    const held = emptyAt(now);
    this.#held = held;
    // The next reading begins again.
    const fail = () => void (held.timeline = FAILED);
    const loading = this.#load(db, held);
    await Promise.race([loading.catch(fail), sleep(FIRST_WAIT_MS, undefined, { ref: false })]);
    if (held.isRead) return this.#catchUp(db, held);
    this.#isLoading = true;
    void loading
      .then(() => this.#inTurn(() => this.#catchUp(db, held)))
      .catch(fail)
      .finally(() => (this.#isLoading = false));
  }

  /** Removed articles take room until all is loaded again, beside what is searched. */
  #loadAgain(db: Db): void {
    const load = async () => {
      const held = emptyAt(await currentMoment(db));
      await this.#load(db, held);
      await this.#inTurn(async () => {
        await this.#catchUp(db, held);
        this.#held = held;
      });
    };
    // The next reading starts to load again.
    if (this.#isLoading) return;
    this.#isLoading = true;
    void load()
      .catch(() => {})
      .finally(() => (this.#isLoading = false));
  }

  async #load(db: Db, held: Held): Promise<void> {
    const { index } = held.segment;
    const step = new Step();
    const read = (after?: Row) =>
      popularRows(db, after, { limit: ROWS_AT_ONCE, hasBody: this.#hasRoom(index, FILLED) });
    // The next rows are read while these are added.
    for (let next = read(); ;) {
      const rows = await next;
      const last = rows.length === ROWS_AT_ONCE ? rows.at(-1) : undefined;
      if (last !== undefined) next = read(last);
      // Its failure is this loading's, when its turn comes.
      next.catch(() => {});
      if (index.slots === 0) index.numberFirst(rows.slice(0, ROWS_TO_COUNT).map(toIndexed));
      for (const row of rows) {
        if (held.changed?.has(row.article_id) !== true && row.words !== null) index.add(toIndexed(row));
        await step.pause();
      }
      if (last === undefined) break;
    }
    held.isRead = true;
  }

  #hasRoom(index: ArticleIndex, share = 1): boolean {
    return index.bytes <= share * this.#maxBytes;
  }

  async #catchUp(db: Db, held: Held): Promise<void> {
    const { index } = held.segment;
    const wasRead = held.isRead;
    const step = new Step();
    let snapshot: string | undefined;
    for (let after = 0, isMore = true; isMore;) {
      const changes = await changesSince(db, {
        since: held.snapshot,
        after,
        limit: ROWS_AT_ONCE,
        withTexts: held.changed !== undefined,
        hasBody: this.#hasRoom(index),
      });
      // The next reading asks again for what changes between two batches.
      snapshot ??= changes.snapshot;
      for (const change of changes.articles) {
        apply(index, change);
        held.changed?.add(change.article_id);
        await step.pause();
      }
      after = changes.articles.at(-1)?.article_id ?? after;
      isMore = changes.articles.length === ROWS_AT_ONCE;
    }
    held.snapshot = snapshot ?? held.snapshot;
    // An article that became more popular while all were read may be in no batch: a reading behind them has its text.
    if (wasRead) held.changed = undefined;
    if (index.isSparse && held.changed === undefined) this.#loadAgain(db);
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
}

const FAILED = "failed";

function emptyAt(now: ReadAt): Held {
  return { segment: new Segment(new ArticleIndex()), changed: new Set(), isRead: false, ...now };
}

function apply(index: ArticleIndex, { article_id, now }: Change): void {
  if (now === undefined) index.remove(article_id);
  else if (now.text) index.add(now.text);
  else index.update(now);
}

/** Lets other requests run from time to time. */
export class Step {
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
