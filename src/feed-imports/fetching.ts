import { STATUS_CODES } from "node:http";
import { inTransaction } from "../db/transaction.ts";
import type { Feed } from "../feed-parser/feed.ts";
import { isUnchanged, requestFeed } from "../feed-parser/request-feed.ts";
import type { Claim } from "../fetches/fetches.ts";
import { FetchProblem } from "../fetches/fetch-problem.ts";
import type { Fetched } from "../fetches/outcome.ts";
import type { Answer } from "../net/net.ts";
import { deduplicate, pagesWritten } from "./deduplicate.ts";
import {
  admit,
  type Importing,
  importItem,
  lockSource,
  SHARED,
  skip,
  type ImportServices,
} from "./import-item.ts";
import * as queries from "./queries.ts";

/** The pause before the rest of a feed with more new items than are imported at a time. */
const REST_SECONDS = 15 * 60;

/**
 * Fetches a feed and makes articles of its new items.
 * @throws FetchProblem, FetchFailure that say why nothing, or not all, was imported
 */
export async function fetchFeed(surroundings: ImportServices, claim: Claim): Promise<Fetched> {
  const { db, outside } = surroundings;
  const admitted = await admit(db, claim.id);
  const answer = await requestFeed(outside.net, admitted.source.url, { ...claim, queueKey: "imports" });
  if (isUnchanged(answer, claim)) return { etag: claim.etag, lastModified: claim.lastModified };
  const feed = await read(outside, answer);
  const base = feed.link ?? answer.url;
  const isAll = await importNew(feed, { ...surroundings, admitted, claim, base });
  // The validators are left out, so that the next visit reads the rest.
  if (!isAll) return { nextInSeconds: REST_SECONDS };
  return { etag: answer.headers["etag"], lastModified: answer.headers["last-modified"] };
}

type Outside = ImportServices["outside"];

/**
 * Fetches a feed and imports nothing.
 * @throws FetchProblem, FetchFailure that say why it can't be read
 */
export async function tryFeed(outside: Outside, url: string): Promise<void> {
  await read(outside, await requestFeed(outside.net, url, { queueKey: "imports" }));
}

function read({ feedReader }: Outside, { status, body, headers, url }: Answer): Promise<Feed> {
  if (status !== 200) throw new FetchProblem(describe(status));
  return feedReader.read(body, headers["content-type"], url);
}

function describe(status: number): string {
  const words = STATUS_CODES[status];
  return `The server responds with the status ${status}${words === undefined ? "" : ` (${words})`}.`;
}

async function importNew(feed: Feed, importing: Omit<Importing, "written">): Promise<boolean> {
  const { db, claim, admitted } = importing;
  const { source } = admitted;
  const { fresh, hasMore, changed, duplicates } = await deduplicate(db, source.id, feed);
  if (changed.length > 0) {
    await inTransaction(db, async (tx) => {
      await lockSource(tx, claim);
      await queries.setMarks(tx, changed);
    });
  }
  const written = await pagesWritten(db, source.user_id, fresh);
  let isAll = !hasMore;
  for (const marked of fresh) {
    if (claim.signal.aborted) return false;
    const isDone = await importItem(marked, { ...importing, written });
    isAll &&= isDone;
  }
  if (isAll && duplicates.length > 0) await skip(duplicates, importing, SHARED);
  return isAll;
}
