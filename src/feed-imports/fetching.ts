import { STATUS_CODES } from "node:http";
import type { Services } from "../context.ts";
import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Feed } from "../feed-parser/feed.ts";
import type { Claim } from "../fetches/claim.ts";
import { FetchProblem } from "../fetches/fetch-problem.ts";
import type { Fetched } from "../fetches/outcome.ts";
import type { Answer } from "../net/net.ts";
import type { Renderer } from "../text/render-pool.ts";
import { type Admitted, admit } from "./import-permission.ts";
import type { Converter } from "./converter.ts";
import { pagesWritten, sort } from "./known.ts";
import * as queries from "./queries.ts";
import { holdSource, leaveOut, take } from "./taking.ts";

export interface Surroundings {
  db: Db;
  outside: Pick<Services, "net" | "feedReader">;
  renderer: Renderer;
  converter: Converter;
  now: () => Date;
}

const MAX_BYTES = 5 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 3;

/** When the rest follows of a feed with more new items than are taken in at a time. */
const REST_SECONDS = 15 * 60;

/**
 * Fetches a feed and makes articles of what is new in it.
 * @throws FetchProblem, FetchFailure that say why nothing, or not all, was taken in
 */
export async function fetchFeed(surroundings: Surroundings, claim: Claim): Promise<Fetched> {
  const { db, outside } = surroundings;
  const admitted = await admit(db, claim.id);
  const { source } = admitted;
  const answer = await request(outside, source.url, claim);
  const wasRead = claim.etag !== undefined || claim.lastModified !== undefined;
  if (answer.status === 304 && wasRead) return { etag: claim.etag, lastModified: claim.lastModified };
  const feed = await read(outside, answer);
  const isAll = await takeNew(feed, { surroundings, admitted, claim, base: feed.link ?? answer.url });
  // Without these the same feed is read again, the rest of it this time.
  if (!isAll) return { nextInSeconds: REST_SECONDS };
  return { etag: answer.headers["etag"], lastModified: answer.headers["last-modified"] };
}

type Outside = Surroundings["outside"];

/**
 * Fetches a feed and takes nothing in.
 * @throws FetchProblem, FetchFailure that say why it can't be read
 */
export async function tryFeed(outside: Outside, url: string): Promise<void> {
  await read(outside, await request(outside, url));
}

function read({ feedReader }: Outside, { status, body, headers, url }: Answer): Promise<Feed> {
  if (status !== 200) throw new FetchProblem(describe(status));
  return feedReader.read(body, headers["content-type"], url);
}

function request({ net }: Outside, url: string, { etag, lastModified, signal }: Partial<Claim> = {}) {
  return net.request(url, {
    headers: {
      accept: "application/rss+xml, application/atom+xml, application/feed+json, */*;q=0.5",
      ...(etag !== undefined && { "if-none-match": etag }),
      ...(lastModified !== undefined && { "if-modified-since": lastModified }),
    },
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
    maxRedirects: MAX_REDIRECTS,
    queueKey: "imports",
    ...(signal && { signal }),
  });
}

function describe(status: number): string {
  const words = STATUS_CODES[status];
  return `The server answers with the status ${status}${words === undefined ? "" : ` (${words})`}.`;
}

interface Taking {
  surroundings: Surroundings;
  admitted: Admitted;
  claim: Claim;
  base: string;
}

/** Returns whether nothing is left to be taken in. */
async function takeNew(feed: Feed, { surroundings, admitted, claim, base }: Taking): Promise<boolean> {
  const { db, renderer, converter, now } = surroundings;
  const { source } = admitted;
  const { fresh, hasMore, changed, leftOut } = await sort(db, source.id, feed);
  if (changed.length > 0) await noteChanged(db, claim, changed);
  const written = await pagesWritten(db, source.user_id, fresh);
  let isAll = !hasMore;
  for (const marked of fresh) {
    if (claim.signal.aborted) return false;
    const isTaken = await take(marked, {
      db,
      claim,
      admitted,
      converter,
      renderer,
      now: now(),
      base,
      written,
    });
    isAll &&= isTaken;
  }
  if (isAll && leftOut.length > 0) await leaveOut(leftOut, { db, claim, now: now() });
  return isAll;
}

async function noteChanged(
  db: Db,
  claim: Claim,
  changed: Awaited<ReturnType<typeof sort>>["changed"],
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (await holdSource(tx, claim)) await queries.setMarks(tx, changed);
  });
}
