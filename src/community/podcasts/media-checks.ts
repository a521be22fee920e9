import type { Db } from "../../platform/db/connect.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { type Claim, stillMine } from "../../platform/fetches/fetches.ts";
import { fetchDue } from "../../platform/fetches/due.ts";
import { FetchProblem, Postponement } from "../../platform/fetches/fetch-problem.ts";
import * as fetches from "../../platform/fetches/fetches.ts";
import { type Fetched, isExplained } from "../../platform/fetches/outcome.ts";
import { FetchFailure } from "../../platform/net/failure.ts";
import type { Net } from "../../platform/net/net.ts";
import type * as feedVisit from "./feed-visit.ts";
import * as queries from "./queries.ts";
import { RECORDINGS } from "./schedule.ts";

type Round = Pick<feedVisit.Round, "db" | "now" | "signal"> & { net: Net };

const DAY_SECONDS = 86_400;
/** Recent recordings are checked every day, others every week. */
const RECENT_MS = 30 * DAY_SECONDS * 1000;

/**
 * Failures in a row that make a recording unreachable: 1, 2 and 4 hours apart, so that a host has a morning for
 * repairs.
 */
const MAX_FAILURES = 4;

/** Checks the recordings that are due, few at once, because many are on one host. */
export function checkDue(round: Round): Promise<number> {
  return fetchDue({
    ...round,
    kind: RECORDINGS,
    everySeconds: DAY_SECONDS,
    concurrency: 3,
    handle: (claim) => check(round, claim),
  });
}

async function check({ db, net, now }: Round, claim: Claim): Promise<Fetched> {
  const recording = await queries.findRecording(db, claim.id);
  if (!recording?.feed_url) return {};
  const { media_url, reachable, published_at } = recording;
  try {
    await lookFor(net, media_url, claim.signal);
  } catch (error) {
    if (await isOurs(db, error, now())) throw new Postponement("Nothing elsewhere can be reached from here.");
    if (reachable && isJudgement(error, claim) && (await isLost(db, claim))) {
      await setReachable(db, claim, { media_url, reachable: false });
    }
    throw error;
  }
  if (!reachable) await setReachable(db, claim, { media_url, reachable: true });
  const isRecent = published_at === null || now().getTime() - published_at.getTime() < RECENT_MS;
  return { nextInSeconds: DAY_SECONDS * (isRecent ? 1 : 7) };
}

/** Podcasts count listeners by chains of redirects. */
const LIMITS = { timeoutMs: 5_000, maxRedirects: 10, queueKey: RECORDINGS };

/** Requests the head, and of hosts that refuse that the beginning. */
async function lookFor(net: Net, url: string, signal: AbortSignal): Promise<void> {
  const head = await net.request(url, { ...LIMITS, method: "HEAD", maxBytes: 0, signal });
  if (isFound(head.status)) return;
  const beginning = await net.request(url, {
    ...LIMITS,
    headers: { range: "bytes=0-1023" },
    read: "beginning",
    maxBytes: 1024,
    signal,
  });
  if (!isFound(beginning.status)) {
    throw new FetchProblem(`The audio file's host responds with ${beginning.status}.`);
  }
}

function isFound(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Whether the host is to blame. A server that is too busy, or may not use the port, is to blame itself. */
function isJudgement(error: unknown, { signal }: Claim): boolean {
  const isOurs = error instanceof FetchFailure && ["url", "busy"].includes(error.kind);
  return isExplained(error) && !isOurs && !signal.aborted;
}

/** All hosts fail with these codes when this side has no network. */
const NETWORK = new Set([
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Feeds are read every hour, so with a network a fetch has succeeded since. */
const LATELY_MS = 2 * 3600 * 1000;

/** Whether the network on this side may be to blame: no fetch at all has succeeded lately. */
async function isOurs(db: Db, error: unknown, now: Date): Promise<boolean> {
  if (!(error instanceof FetchFailure) || !NETWORK.has(error.code ?? "")) return false;
  return !(await fetches.isAnyReachedSince(db, new Date(now.getTime() - LATELY_MS)));
}

async function isLost(db: Db, { id }: Claim): Promise<boolean> {
  const status = (await fetches.statusOf(db, RECORDINGS, [id])).get(id);
  return status !== undefined && status.failures + 1 >= MAX_FAILURES;
}

/** Stores the result, unless the episode has another recording by now, or another process checks it. */
async function setReachable(
  db: Db,
  claim: Claim,
  { media_url, reachable }: { media_url: string; reachable: boolean },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const held = await queries.lockEpisode(tx, claim.id);
    if (held?.media_url !== media_url || !(await stillMine(tx, claim))) return;
    await queries.updateEpisode(tx, claim.id, { reachable });
  });
}
