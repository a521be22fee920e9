import { AppError, invalid } from "../../platform/errors.ts";
import type { Waiter } from "../../platform/fair-queue.ts";
import { createPool } from "../../platform/jobs/workers.ts";
import type { RenderOptions as MarkdownOptions } from "./markdown/state.ts";
import type { BodyPage } from "./page-html.ts";
import type { SearchLanguage } from "../../platform/text/search-languages.ts";

export const MAX_BODY_BYTES = 819_200;

export interface RenderOptions extends MarkdownOptions {
  /** Asks for the parts of its page. */
  isArticle?: boolean | undefined;
  /** The site's; asks for the terms of the body. */
  searchLanguage?: SearchLanguage | undefined;
}

export interface Rendered {
  html: string;
  /** The beginning of its running text. */
  text: string;
  warnings: string[];
  readingMinutes: number;
  /** Only articles have one. */
  page?: BodyPage;
  /** The body's part of an article's search row. */
  terms?: BodyTerms;
}

/** The search row of an article is made of those of its head and its body. */
export interface Terms {
  vector: string;
  words: string[];
}

export interface BodyTerms extends Terms {
  language: SearchLanguage;
  version: number;
}

export interface Question {
  markdown: string;
  options: RenderOptions;
}

export interface Renderer {
  /** Empty when it isn't known. */
  readonly baseUrl: string;
  /**
   * Renders Markdown that has no front matter.
   * @throws AppError invalid for a body too long or too slow, unavailable when its turn doesn't come
   */
  render(markdown: string, options?: RenderOptions): Promise<Rendered>;
}

/** Renders for the program itself, whose work waits beside that of people. */
export interface RenderPool extends Renderer {
  for(waiter: Waiter): Renderer;
  /** Refuses the waiting bodies as unavailable. */
  close(): Promise<void>;
}

interface PoolOptions {
  size?: number;
  /** Bounds the time that a thread works for one body. */
  deadlineMs?: number;
  /** Threads without work end after this time; never by default. */
  idleMs?: number;
  baseUrl?: string;
}

/** Renders in up to `size` threads. A body over the deadline is refused for good, however busy the machine is. */
export function createRenderPool({
  size = 2,
  deadlineMs = 2_000,
  idleMs,
  baseUrl = "",
}: PoolOptions = {}): RenderPool {
  const pool = createPool<Question, Rendered>({
    kind: "thread",
    module: "community/articles/render-worker",
    label: "The render worker",
    size,
    deadlineMs,
    ...(idleMs !== undefined && { idleMs }),
    explain,
  });
  const rendererFor = (waiter: Waiter): Renderer => ({
    baseUrl,
    async render(markdown, options = {}) {
      if (Buffer.byteLength(markdown) > MAX_BODY_BYTES) {
        throw invalid(`Body markdown is too long (maximum is ${MAX_BODY_BYTES} bytes)`);
      }
      return pool.ask(waiter, { markdown, options });
    },
  });
  return {
    ...rendererFor({ key: undefined }),
    for: rendererFor,
    close: () => pool.close(),
  };
}

function explain(error: Error): Error {
  switch (error.name) {
    case "WorkerTimeout":
      return invalid("Body markdown takes too long to render (render_timeout)");
    case "WorkerOutOfMemory":
      return new AppError("invalid", "Body markdown takes too much memory to render", { cause: error });
    case "RangeError":
      return new AppError("invalid", "Body markdown is nested too deeply to render", { cause: error });
    default:
      return error;
  }
}
