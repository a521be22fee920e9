import type { Db } from "../db/connect.ts";
import { inTransaction } from "../db/transaction.ts";
import { type Claim, stillMine } from "../fetches/fetches.ts";
import { fetchDue } from "../fetches/due.ts";
import { FetchProblem, Postponement } from "../fetches/fetch-problem.ts";
import * as fetches from "../fetches/fetches.ts";
import { type Fetched, isExplained } from "../fetches/outcome.ts";
import { FetchFailure } from "../net/failure.ts";
import type { Net } from "../net/net.ts";
import * as feedQueries from "./feed-queries.ts";
import * as queries from "./queries.ts";
import { RECORDINGS } from "./schedule.ts";

interface Round {
  db: Db;
  net: Net;
  now: () => Date;
  signal?: AbortSignal | undefined;
}

const DAY_SECONDS = 86_400;
/** What was published in the last weeks is looked for every day, the rest every week. */
const RECENT_MS = 30 * DAY_SECONDS * 1000;

/**
 * So many failures in a row make a recording unreachable. They are 1, 2 and 4 hours apart, so that a
 * host that is repaired in a morning takes nothing away.
 */
const MAX_FAILURES = 4;

/** Few at once, because many recordings are of one host. Looks for every recording whose time has come. */
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
  const recording = await feedQueries.findRecording(db, claim.id);
  if (!recording?.feed_url) {
    await leave(db, claim);
    return {};
  }
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

/** The recording of a podcast without a feed, if nobody has given it one since, is looked for no more. */
async function leave(db: Db, { id }: Claim): Promise<void> {
  await inTransaction(db, async (tx) => {
    const held = await feedQueries.lockFeedOf(tx, id);
    if (!held?.feed_url) await fetches.unschedule(tx, RECORDINGS, [id]);
  });
}

/** Podcasts count their listeners by redirects, several in a row. */
const LIMITS = { timeoutMs: 5_000, maxRedirects: 10, queueKey: RECORDINGS };

/** Asks for no more than the head; of hosts that don't answer to that, for the beginning. */
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
    throw new FetchProblem(`The recording's host answers ${beginning.status}.`);
  }
}

function isFound(status: number): boolean {
  return status >= 200 && status < 300;
}

/** What this server may not ask for, as a port that it doesn't use, or has no time for, others may have nevertheless. */
function isJudgement(error: unknown, { signal }: Claim): boolean {
  const isOurs = error instanceof FetchFailure && ["url", "busy"].includes(error.kind);
  return isExplained(error) && !isOurs && !signal.aborted;
}

/** What befalls every host alike where there is no network, as when no name can be looked up. */
const NETWORK = new Set([
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Feeds are read every hour, so that something has been reached since where there is a network. */
const LATELY_MS = 2 * 3600 * 1000;

/** Whether the network on this side may be to blame: nothing at all has been reached of late. */
async function isOurs(db: Db, error: unknown, now: Date): Promise<boolean> {
  if (!(error instanceof FetchFailure) || !NETWORK.has(error.code ?? "")) return false;
  return !(await fetches.isAnyReachedSince(db, new Date(now.getTime() - LATELY_MS)));
}

async function isLost(db: Db, { id }: Claim): Promise<boolean> {
  const status = (await fetches.statusOf(db, RECORDINGS, [id])).get(id);
  return status !== undefined && status.failures + 1 >= MAX_FAILURES;
}

/** Unless the episode has another recording by now, or somebody else looks for it. */
async function setReachable(
  db: Db,
  claim: Claim,
  { media_url, reachable }: { media_url: string; reachable: boolean },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const held = await feedQueries.lockEpisode(tx, claim.id);
    if (held?.media_url !== media_url || !(await stillMine(tx, claim))) return;
    await queries.updateEpisode(tx, claim.id, { reachable });
  });
}
