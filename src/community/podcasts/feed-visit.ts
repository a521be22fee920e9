import type { Db } from "../../platform/db/connect.ts";
import { FetchProblem } from "../../platform/fetches/fetch-problem.ts";
import { isExplained } from "../../platform/fetches/outcome.ts";
import type { Feed } from "../../content/feeds/feed.ts";
import type { FeedReader } from "../../content/feeds/feed-reader.ts";
import { isUnchanged, requestFeed, type Validators } from "../../content/feeds/request-feed.ts";
import type { Answer, Net } from "../../platform/net/net.ts";
import { safeAddress } from "./feed-texts.ts";

export interface Outside {
  net: Net;
  feedReader: FeedReader;
  /** Bounds the whole answer; 10 seconds when left out. */
  feedTimeoutMs?: number;
}

export interface Round {
  db: Db;
  outside: Outside;
  now: () => Date;
  signal?: AbortSignal | undefined;
}

interface FeedRequest extends Validators {
  url: string;
  signal?: AbortSignal | undefined;
}

export interface Visit {
  /** The address of the feed from now on. */
  address: string;
  feed: Feed | undefined;
  etag: string | undefined;
  lastModified: string | undefined;
}

type FeedVisit = Visit & { feed: Feed };

/** The host says that the feed is gone for good. */
export class FeedGone extends FetchProblem {
  override name = "FeedGone";
}

/**
 * Reads a feed, also at the new address that it gives for itself.
 * @throws FetchProblem, FeedGone
 */
export async function visit(outside: Outside, wanted: FeedRequest): Promise<Visit> {
  const { url, etag, lastModified } = wanted;
  const answer = await ask(outside, wanted);
  const address = safeAddress(answer.movedTo) ?? url;
  if (isUnchanged(answer, wanted)) return { address, feed: undefined, etag, lastModified };
  const found = await read(outside, answer, address);
  return (await follow(outside, found, wanted.signal)) ?? found;
}

/** Reads a feed for the first time: only what was read before can be unchanged. */
export function visitFirst(outside: Outside, url: string): Promise<FeedVisit> {
  return visit(outside, { url }) as Promise<FeedVisit>;
}

function ask({ net, feedTimeoutMs }: Outside, { url, ...wanted }: FeedRequest): Promise<Answer> {
  // A person waits for a request without a signal, so its lookup doesn't queue with those of other feeds.
  const queueKey = wanted.signal && { queueKey: "feeds" };
  return requestFeed(net, url, { ...wanted, ...queueKey, timeoutMs: feedTimeoutMs });
}

async function read({ feedReader }: Outside, answer: Answer, address: string): Promise<FeedVisit> {
  const { status, headers, body, url } = answer;
  if (status === 410) throw new FeedGone("The feed is gone for good: its host responds with 410.");
  if (status !== 200) throw new FetchProblem(`The host responds with ${status} instead of a feed.`);
  const feed = await feedReader.read(body, headers["content-type"], url);
  return { address, feed, etag: headers["etag"], lastModified: headers["last-modified"] };
}

/** The feed at the new address that a feed gives for itself, if it is the same feed. */
async function follow(
  outside: Outside,
  { feed, address }: FeedVisit,
  signal: AbortSignal | undefined,
): Promise<FeedVisit | undefined> {
  const next = safeAddress(feed.movedTo);
  if (next === undefined || next === safeAddress(address)) return undefined;
  try {
    const answer = await ask(outside, { url: next, signal });
    const found = await read(outside, answer, safeAddress(answer.movedTo) ?? next);
    return isSame(found.feed, feed) ? found : undefined;
  } catch (error) {
    // The feed stays where it was.
    if (isExplained(error)) return undefined;
    throw error;
  }
}

function isSame(one: Feed, other: Feed): boolean {
  if (one.title !== "" && one.title === other.title) return true;
  const names = new Set(one.items.flatMap(namesOf));
  return other.items.flatMap(namesOf).some((name) => names.has(name));
}

function namesOf({ guid, enclosure }: Feed["items"][number]): string[] {
  return [guid, enclosure?.url].filter((name) => name !== undefined);
}
