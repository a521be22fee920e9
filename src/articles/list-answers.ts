import type { FastifyRequest } from "fastify";
import type { Context, Engine } from "../context.ts";
import { linkHeader } from "../http/links.ts";
import type { ListSource } from "./lists.ts";
import type { Page } from "./pages.ts";
import { type Ref, texts } from "./summaries.ts";

/** What a list of articles is taken from. */
export function sourceOf({ db, now }: Context, engine: Engine): ListSource {
  return { db: db.replica, slow: db.slow, engine, now: now() };
}

/** The JSON text of each article of a page. */
export function summaries(context: Context, engine: Engine, refs: Ref[]): Promise<string[]> {
  const { config, db, now } = context;
  return texts(db.replica, refs, { fragments: engine.fragments, baseUrl: config.baseUrl, now: now() });
}

interface Paging {
  page: Page<Ref>;
  index: number;
  /** What the first page is called. */
  first: number;
}

/** Where the pages around this one are: the next one behind a cursor. */
export function links(
  { config }: Context,
  request: FastifyRequest,
  { page, index, first }: Paging,
): Record<string, string> {
  const isBehindCursor = request.given["cursor"] !== undefined;
  return linkHeader({
    request,
    baseUrl: config.baseUrl,
    first: { page: first },
    prev: !isBehindCursor && index > first ? { page: index - 1 } : undefined,
    next: page.nextCursor === undefined ? undefined : { cursor: page.nextCursor },
  });
}
