import type { FastifyRequest } from "fastify";
import type { Fragment } from "../cache/fragments.ts";
import type { Context, Services } from "../context.ts";
import type { Answer } from "../http/answers.ts";
import { linkHeader } from "../http/links.ts";
import type { ListSource } from "./lists.ts";
import type { Page } from "./pages.ts";
import { type Ref, summaries } from "./summaries.ts";

/** What a list of articles is taken from. */
export function sourceOf({ db, now }: Context, services: Services): ListSource {
  return { db: db.replica, slow: db.slow, services, now: now() };
}

/** Each article of a page as JSON. */
export function summariesOf(context: Context, services: Services, refs: Ref[]): Promise<Fragment[]> {
  const { config, db, now } = context;
  return summaries(db.replica, refs, { fragments: services.fragments, baseUrl: config.baseUrl, now: now() });
}

const [OPENING, COMMA, CLOSING] = Buffer.from("[,]") as unknown as [number, number, number];

/** A JSON array of these, whose version is cheaper to tell from their digests than from all of its bytes. */
export function listed(items: readonly Fragment[]): Pick<Answer, "body" | "version"> {
  const body = Buffer.allocUnsafe(items.reduce((length, { json }) => length + json.length + 1, 2));
  let end = 0;
  body[end++] = OPENING;
  for (const { json } of items) {
    if (end > 1) body[end++] = COMMA;
    end += json.copy(body, end);
  }
  body[end++] = CLOSING;
  return { body: body.subarray(0, end), version: items.map(({ digest }) => digest).join(" ") };
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
