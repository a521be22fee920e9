import { invalid, unavailable } from "../errors.ts";
import type { RenderOptions } from "./markdown/surroundings.ts";
import { RenderThread } from "./render-thread.ts";
import type { Rendered } from "./render-worker.ts";

export interface RenderPool {
  /** The address of the site whose texts these are; empty when it isn't known. */
  readonly baseUrl: string;
  /** Renders a body without front matter; refuses one that is too long or takes too long. */
  render(markdown: string, options?: RenderOptions): Promise<Rendered>;
  /** Ends the threads; bodies not rendered by then are refused as unavailable. */
  close(): Promise<void>;
}

interface Turn {
  resolve: (thread: RenderThread) => void;
  reject: (error: unknown) => void;
}

interface PoolOptions {
  size?: number;
  deadlineMs?: number;
  baseUrl?: string;
}

const MAX_BODY_BYTES = 819_200;

/**
 * Makes up to `size` threads that render Markdown beside the main one, first come, first served. They
 * start when they are needed. A body over the deadline costs its thread, and a new one takes its place.
 */
export function createRenderPool(given: PoolOptions = {}): RenderPool {
  const threads = new Threads(given.size ?? 2, given.deadlineMs ?? 2000);
  return {
    baseUrl: given.baseUrl ?? "",
    async render(markdown, options = {}) {
      if (Buffer.byteLength(markdown) > MAX_BODY_BYTES) {
        throw invalid(`Body markdown is too long (maximum is ${MAX_BODY_BYTES} bytes)`);
      }
      const thread = await threads.acquire();
      try {
        return await thread.render({ markdown, options });
      } finally {
        threads.release(thread);
      }
    },
    close: () => threads.close(),
  };
}

/** The threads of a pool, and who waits for one. */
class Threads {
  readonly #size: number;
  readonly #deadlineMs: number;
  readonly #all = new Set<RenderThread>();
  readonly #idle: RenderThread[] = [];
  readonly #turns: Turn[] = [];
  #isClosed = false;

  constructor(size: number, deadlineMs: number) {
    this.#size = size;
    this.#deadlineMs = deadlineMs;
  }

  async acquire(): Promise<RenderThread> {
    if (this.#isClosed) throw unavailable();
    const thread = this.#takeIdle();
    if (thread !== undefined) return thread;
    if (this.#all.size < this.#size) return this.#open();
    return new Promise((resolve, reject) => this.#turns.push({ resolve, reject }));
  }

  release(thread: RenderThread): void {
    if (thread.isAlive) this.#idle.push(thread);
    else this.#all.delete(thread);
    const turn = this.#turns.shift();
    if (turn === undefined) return;
    try {
      turn.resolve(this.#takeIdle() ?? this.#open());
    } catch (error) {
      turn.reject(error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const turn of this.#turns.splice(0)) turn.reject(unavailable());
    await Promise.all([...this.#all].map((thread) => thread.stop()));
  }

  #open(): RenderThread {
    const thread = new RenderThread(this.#deadlineMs);
    this.#all.add(thread);
    return thread;
  }

  #takeIdle(): RenderThread | undefined {
    for (let thread = this.#idle.pop(); thread !== undefined; thread = this.#idle.pop()) {
      if (thread.isAlive) return thread;
      this.#all.delete(thread);
    }
    return undefined;
  }
}
