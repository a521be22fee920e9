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
    async request(url, wanted) {
      if (isClosed) throw stopped();
      const limit = limitTime(wanted);
      const answer = followRedirects(url, wanted, { ...surroundings, signal: limit.signal });
      running.set(answer, limit.stop);
      try {
        return await answer;
      } finally {
        running.delete(answer);
        limit.release();
      }
    },
    async close() {
      isClosed = true;
      for (const stop of running.values()) stop();
      await Promise.allSettled(running.keys());
    },
  };
}

function limitTime({ timeoutMs, signal }: RequestOptions) {
  const controller = new AbortController();
  const stop = () => controller.abort(stopped());
  const timer = setTimeout(
    () => controller.abort(new FetchFailure("timeout", "There was no whole answer in time.")),
    timeoutMs,
  );
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  return {
    signal: controller.signal,
    stop,
    release() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    },
  };
}

function stopped(): FetchFailure {
  return new FetchFailure("stopped", "This was stopped before there was an answer.");
}
