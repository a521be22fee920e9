import type { Channel } from "../channel.ts";
import { type Buckets, createBuckets, type Taken } from "./buckets.ts";

/** An operation on the bucket of a client. */
export type Ask = [verb: keyof Buckets, client: string, rate: number, burst: number];

/** A worker's message: the asks of all requests of one turn. */
export interface Asks {
  kind: "tokens";
  asks: Ask[];
}

/** The parent's message: the answers to the asks of one message, in their order. Give-backs have none. */
export interface Answers {
  kind: "tokens";
  answers: Taken[];
}

/** The token buckets that the workers of a computer share, in their parent. Returns what answers a worker. */
export function createLedger(): (worker: Channel) => void {
  const buckets = createBuckets();
  return (worker) => {
    const stop = worker.onMessage<Asks>("tokens", ({ asks }) => {
      const answers: Taken[] = [];
      for (const [verb, client, rate, burst] of asks) {
        const taken = buckets[verb](client, { rate, burst });
        if (verb !== "giveBack") answers.push(taken);
      }
      if (answers.length > 0) worker.send<Answers>({ kind: "tokens", answers });
    });
    // What it sent before it ended may arrive later.
    worker.closed.addEventListener("abort", stop);
  };
}
