import { unavailable } from "./errors.ts";

/** Whose turn it is to be, and for how long somebody waits for it. */
export interface Place {
  /**
   * The number of a person, or what else takes turns, of whose work one piece is done at a time. Undefined for what the
   * program does by itself: that waits beside the people's for as long as it takes.
   */
  lane: number | string | undefined;
  /** Gives the place up, if its turn hasn't come by then. */
  signal?: AbortSignal;
}

/** Lets so many pieces of work run at once; the people who wait take turns, however much each brings. */
export interface Turns {
  /** @throws AppError unavailable when too much waits, or the place is given up */
  take<T>(place: Place, work: () => Promise<T>): Promise<T>;
  /** Refuses what waits, and whatever comes later. */
  close(): void;
}

interface Entry {
  lane: Place["lane"];
  begin: () => void;
  refuse: () => void;
}

/** A burst of a hundred writes fits, of one person or of a hundred. */
const MAX_WAITING = 128;

/** Makes turns for `size` at once. When too many wait, whoever has most waiting is refused the last of it. */
export function createTurns({ size, queue = MAX_WAITING }: { size: number; queue?: number }): Turns {
  const waiting = new Waiting();
  const busy = new Set<number | string>();
  let running = 0;
  let isClosed = false;
  const isFree = (lane: Place["lane"]) => lane === undefined || !busy.has(lane);

  function occupy(lane: Place["lane"]): void {
    running++;
    if (lane !== undefined) busy.add(lane);
  }

  function leave(lane: Place["lane"]): void {
    running--;
    if (lane !== undefined) busy.delete(lane);
    waiting.moveToEnd(lane);
    const next = waiting.take(isFree);
    if (next === undefined) return;
    occupy(next.lane);
    next.begin();
  }

  async function enter({ lane, signal }: Place): Promise<void> {
    if (isClosed || signal?.aborted) throw unavailable();
    if (running < size && isFree(lane)) return occupy(lane);
    return new Promise((resolve, reject) => {
      const entry = { lane, begin: resolve, refuse: () => reject(unavailable()) };
      // Of no effect once its turn has come.
      const giveUp = () => {
        waiting.remove(entry);
        entry.refuse();
      };
      signal?.addEventListener("abort", giveUp);
      waiting.add(entry);
      if (waiting.ofPeople > queue) waiting.takeLastOfLongest()?.refuse();
    });
  }

  return {
    async take(place, work) {
      await enter(place);
      try {
        return await work();
      } finally {
        leave(place.lane);
      }
    },
    close() {
      isClosed = true;
      for (let entry = waiting.take(); entry !== undefined; entry = waiting.take()) entry.refuse();
    },
  };
}

/** Who waits, by lane. The lane whose last turn is longest ago comes first. */
class Waiting {
  readonly #lanes = new Map<Place["lane"], Set<Entry>>();
  #ofPeople = 0;

  /** How much of what waits is somebody's. */
  get ofPeople(): number {
    return this.#ofPeople;
  }

  add(entry: Entry): void {
    const lane = this.#lanes.get(entry.lane) ?? new Set();
    this.#lanes.set(entry.lane, lane.add(entry));
    if (entry.lane !== undefined) this.#ofPeople++;
  }

  remove(entry: Entry): void {
    const lane = this.#lanes.get(entry.lane);
    if (lane?.delete(entry) && entry.lane !== undefined) this.#ofPeople--;
    if (lane?.size === 0) this.#lanes.delete(entry.lane);
  }

  /** Takes the next one out. */
  take(isFree: (lane: Place["lane"]) => boolean = () => true): Entry | undefined {
    for (const [lane, entries] of this.#lanes) {
      const [first] = entries;
      if (first === undefined || !isFree(lane)) continue;
      this.remove(first);
      this.moveToEnd(lane);
      return first;
    }
    return undefined;
  }

  moveToEnd(lane: Place["lane"]): void {
    const entries = this.#lanes.get(lane);
    if (entries === undefined) return;
    this.#lanes.delete(lane);
    this.#lanes.set(lane, entries);
  }

  takeLastOfLongest(): Entry | undefined {
    const people = [...this.#lanes].filter(([lane]) => lane !== undefined).map(([, entries]) => entries);
    const longest = people.reduce((one, other) => (other.size > one.size ? other : one));
    const last = [...longest].at(-1);
    if (last !== undefined) this.remove(last);
    return last;
  }
}
