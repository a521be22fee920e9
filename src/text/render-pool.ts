import { invalid, unavailable } from "../errors.ts";
import { type RenderThread, openRenderThread } from "./render-thread.ts";
import type { Rendered } from "./render-worker.ts";

export interface RenderPool {
  /** Renders a body without front matter; refuses one that is too long or takes too long. */
  render(markdown: string): Promise<Rendered>;
  /** Ends the threads; bodies not rendered by then are refused as unavailable. */
  close(): Promise<void>;
}

interface Turn {
  resolve: (thread: RenderThread) => void;
  reject: (error: unknown) => void;
}

const MAX_BODY_BYTES = 819_200;

/**
 * Makes up to `size` threads that render Markdown beside the main one, first come, first served. They
 * start when they are needed. A body over the deadline costs its thread, and a new one takes its place.
 */
export function createRenderPool(options: { size?: number; deadlineMs?: number } = {}): RenderPool {
  const { size = 2, deadlineMs = 2000 } = options;
  const threads = new Set<RenderThread>();
  const idle: RenderThread[] = [];
  const turns: Turn[] = [];
  let isClosed = false;

  function open(): RenderThread {
    const thread = openRenderThread(deadlineMs);
    threads.add(thread);
    return thread;
  }

  function takeIdle(): RenderThread | undefined {
    for (let thread = idle.pop(); thread !== undefined; thread = idle.pop()) {
      if (thread.isAlive()) return thread;
      threads.delete(thread);
    }
    return undefined;
  }

  async function acquire(): Promise<RenderThread> {
    const thread = takeIdle();
    if (thread !== undefined) return thread;
    if (threads.size < size) return open();
    return new Promise((resolve, reject) => turns.push({ resolve, reject }));
  }

  function release(thread: RenderThread): void {
    if (thread.isAlive()) idle.push(thread);
    else threads.delete(thread);
    const turn = isClosed ? undefined : turns.shift();
    if (turn === undefined) return;
    try {
      turn.resolve(takeIdle() ?? open());
    } catch (error) {
      turn.reject(error);
    }
  }

  return {
    async render(markdown) {
      if (Buffer.byteLength(markdown) > MAX_BODY_BYTES) {
        throw invalid(`Body markdown is too long (maximum is ${MAX_BODY_BYTES} bytes)`);
      }
      if (isClosed) throw unavailable();
      const thread = await acquire();
      try {
        return await thread.render(markdown);
      } finally {
        release(thread);
      }
    },
    async close() {
      isClosed = true;
      for (const turn of turns.splice(0)) turn.reject(unavailable());
      await Promise.all([...threads].map((thread) => thread.stop()));
    },
  };
}
