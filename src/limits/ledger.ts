import type { Channel } from "../channel.ts";
import { createBuckets } from "./buckets.ts";

/** A request of a client: how many tokens it takes, 1 or 0, and whether the worker wants some in advance. */
export type Ask = [client: string, rate: number, burst: number, tokens: number, inAdvance: boolean];

/** Whether there was a token, how many are left, and how many the worker got in advance. */
export type Answer = [isAllowed: boolean, left: number, portion: number];

/** How many tokens of its portion a worker no longer holds, and how many return to the bucket. */
export type Return = [client: string, rate: number, burst: number, released: number, givenBack: number];

/** A worker's message: what all requests of one turn ask. The returns count first. */
export interface Asks {
  kind: "tokens";
  asks: Ask[];
  returns: Return[];
}

/** The parent's message: the answers to the asks of one message, in their order. */
export interface Answers {
  kind: "tokens";
  answers: Answer[];
}

/** A worker holds at most this share of a bucket in advance. */
const PORTION = 1 / 16;

/** The parent's side of the token buckets that the workers of a computer share. */
export function createLedger(buckets = createBuckets()) {
  /** Tokens of each client that workers hold in advance. */
  const advanced = new Map<string, number>();

  /** Together with what workers hold, a bucket fills up to its burst. */
  function change([client, rate, burst]: Ask | Return, by: number): number {
    const capacity = Math.max(0, burst - (advanced.get(client) ?? 0));
    return buckets.change(client, { rate, burst: capacity }, by);
  }

  /** @param own what the worker holds in advance */
  function settle(own: Map<string, Return>, entry: Return): void {
    const [client, rate, burst, released, givenBack] = entry;
    // Until now it had room for less.
    change(entry, 0);
    const held = (own.get(client)?.[3] ?? 0) - released;
    if (held > 0) own.set(client, [client, rate, burst, held, held]);
    else own.delete(client);
    const left = (advanced.get(client) ?? 0) - released;
    if (left > 0) advanced.set(client, left);
    else advanced.delete(client);
    change(entry, givenBack);
  }

  function answer(own: Map<string, Return>, ask: Ask): Answer {
    const [client, rate, burst, tokens, inAdvance] = ask;
    const level = change(ask, 0);
    if (level < 1) return [false, level, 0];
    const held = own.get(client)?.[3] ?? 0;
    const portion = inAdvance ? Math.max(0, Math.floor(level * PORTION) - held) : 0;
    const left = change(ask, -tokens - portion);
    // Taken first: a bucket that is full has no room for what is out.
    if (portion > 0) settle(own, [client, rate, burst, -portion, 0]);
    return [true, left, portion];
  }

  /** Answers a worker. What it holds when it ends returns, although it may have spent some. */
  return (worker: Channel): void => {
    const own = new Map<string, Return>();
    const stop = worker.onMessage<Asks>("tokens", ({ asks, returns }) => {
      for (const entry of returns) settle(own, entry);
      const answers = asks.map((ask) => answer(own, ask));
      if (answers.length > 0) worker.send<Answers>({ kind: "tokens", answers });
    });
    worker.closed.addEventListener("abort", () => {
      // What it sent before it ended may arrive later.
      stop();
      for (const entry of own.values()) settle(own, entry);
    });
  };
}
