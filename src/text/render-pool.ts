import { availableParallelism, loadavg } from "node:os";
import { unavailable } from "../errors.ts";
import { createFairQueue, type Waiter } from "../fair-queue.ts";
import { checkBodySize } from "./body-size.ts";
import type { RenderOptions } from "./markdown/surroundings.ts";
import { RenderThread } from "./render-thread.ts";
import type { Rendered } from "./render-worker.ts";

export interface Renderer {
  /** The address of the site whose texts these are; empty when it isn't known. */
  readonly baseUrl: string;
  /**
   * Renders a body without front matter.
   * @throws AppError invalid when it is too long or takes too long, unavailable when its turn doesn't come
   */
  render(markdown: string, options?: RenderOptions): Promise<Rendered>;
}

/** What it renders by itself is the program's own work, which waits beside that of people. */
export interface RenderPool extends Renderer {
  /** The same for the bodies of a person. */
  for(waiter: Waiter): Renderer;
  /** Ends the threads; bodies not rendered by then are refused as unavailable. */
  close(): Promise<void>;
}

interface PoolOptions {
  size?: number;
  deadlineMs?: number;
  isBusy?: () => boolean;
  baseUrl?: string;
}

/**
 * Makes up to `size` threads that render Markdown beside the main one. They start when they are needed.
 * A body over the deadline costs its thread, and a new one takes its place. It is to blame for that
 * unless the machine is busy: then it may come again.
 */
export function createRenderPool({
  size = 2,
  deadlineMs = 2_000,
  isBusy = isMachineBusy,
  baseUrl = "",
}: PoolOptions = {}): RenderPool {
  const threads = new Threads({ deadlineMs, isBusy });
  const queue = createFairQueue({ size });
  const rendererFor = (waiter: Waiter): Renderer => ({
    baseUrl,
    async render(markdown, options = {}) {
      checkBodySize(markdown);
      return queue.run(waiter, () => threads.render({ markdown, options }));
    },
  });
  return {
    ...rendererFor({ key: undefined }),
    for: rendererFor,
    async close() {
      queue.close();
      await threads.close();
    },
  };
}

/** Whether more wants to run than can: the deadline is one of the clock. */
function isMachineBusy(): boolean {
  return (loadavg()[0] ?? 0) > availableParallelism();
}

/** The threads of a pool, as many as were ever needed at once. */
class Threads {
  readonly #options: ConstructorParameters<typeof RenderThread>[0];
  readonly #all = new Set<RenderThread>();
  readonly #idle: RenderThread[] = [];
  #isClosed = false;

  constructor(options: ConstructorParameters<typeof RenderThread>[0]) {
    this.#options = options;
  }

  async render(question: Parameters<RenderThread["render"]>[0]): Promise<Rendered> {
    if (this.#isClosed) throw unavailable();
    const thread = this.#takeIdle() ?? this.#open();
    try {
      return await thread.render(question);
    } finally {
      if (thread.isAlive) this.#idle.push(thread);
      else this.#all.delete(thread);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((thread) => thread.stop()));
  }

  #open(): RenderThread {
    const thread = new RenderThread(this.#options);
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
