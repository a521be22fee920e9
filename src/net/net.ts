import { type Answer, followRedirects, type Surroundings, type Wanted } from "./redirects.ts";
import { FetchFailure } from "./failure.ts";
import { createResolve } from "./resolving.ts";

/** The only way to other computers, except for the database. */
export interface Net {
  /**
   * Any status is an answer.
   * @throws FetchFailure
   */
  request: (url: string, options: RequestOptions) => Promise<Answer>;
  /** Stops running requests. */
  close: () => Promise<void>;
}

export type { Answer };

export interface RequestOptions extends Wanted {
  /** Including redirects. */
  timeoutMs: number;
  signal?: AbortSignal;
}

export type NetOptions = Omit<Surroundings, "resolve" | "signal"> & Partial<Pick<Surroundings, "resolve">>;

export function createNet(options: NetOptions): Net {
  const surroundings = { resolve: createResolve(), ...options };
  const running = new Map<Promise<unknown>, () => void>();
  let isClosed = false;
  return {
    async request(url, { timeoutMs, signal, ...wanted }) {
      if (isClosed || signal?.aborted) throw stopped();
      const ending = new AbortController();
      const stop = () => ending.abort(stopped());
      const late = new FetchFailure("timeout", "There was no whole answer in time.");
      const timer = setTimeout(() => ending.abort(late), timeoutMs);
      signal?.addEventListener("abort", stop);
      const answer = followRedirects(url, wanted, { ...surroundings, signal: ending.signal });
      running.set(answer, stop);
      try {
        return await answer;
      } finally {
        running.delete(answer);
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
      }
    },
    async close() {
      isClosed = true;
      for (const stop of running.values()) stop();
      await Promise.allSettled(running.keys());
    },
  };
}

function stopped(): FetchFailure {
  return new FetchFailure("stopped", "This was stopped before there was an answer.");
}
