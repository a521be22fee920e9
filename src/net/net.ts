import { type Answer, followRedirects, type Surroundings, type Wanted } from "./redirects.ts";
import { FetchFailure } from "./failure.ts";
import { createResolve } from "./resolving.ts";

export type Net = ReturnType<typeof createNet>;

export type { Answer };

export interface RequestOptions extends Wanted {
  /** Including redirects. */
  timeoutMs: number;
  signal?: AbortSignal;
}

export type NetOptions = Omit<Surroundings, "resolve" | "signal"> & Partial<Pick<Surroundings, "resolve">>;

/** The only way to other computers, except for the database. */
export function createNet(options: NetOptions) {
  const surroundings = { resolve: createResolve(), ...options };
  const running = new Map<Promise<unknown>, () => void>();
  let isClosed = false;
  return {
    /**
     * Any status is an answer.
     * @throws FetchFailure
     */
    async request(url: string, { timeoutMs, signal, ...wanted }: RequestOptions): Promise<Answer> {
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
    /** Stops running requests. */
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
