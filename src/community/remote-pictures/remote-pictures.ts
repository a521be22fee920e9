import type { Db } from "../../platform/db/connect.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError, invalid } from "../../platform/errors.ts";
import { fetchDue } from "../../platform/fetches/due.ts";
import { FetchProblem } from "../../platform/fetches/fetch-problem.ts";
import * as fetches from "../../platform/fetches/fetches.ts";
import { IMAGE_LIMITS } from "../../content/images/images.ts";
import { replace, type Studio } from "../../content/images/profile-picture.ts";
import type { Net } from "../../platform/net/net.ts";
import { PICTURED, type PicturedKind } from "../records/pictures.ts";
import * as queries from "./queries.ts";

export { listMissing as missing } from "./queries.ts";

export interface Fetching extends Studio {
  db: Db;
  net: Net;
  now: () => Date;
  signal?: AbortSignal;
}

const KINDS = Object.keys(PICTURED) as PicturedKind[];

/** The pauses grow from an hour to a day, so these failures take about a week. */
const FAILURES_BEFORE_GIVING_UP = 12;

const DAY_SECONDS = 86_400;
const TIMEOUT_MS = 20_000;

/**
 * Fetches remote pictures of people, organizations and podcasts, and shows copies instead. Failures are retried for a
 * week; without a copy the remote address is shown.
 */
export async function fetchPictures(fetching: Fetching): Promise<void> {
  const { db, now, signal } = fetching;
  // Each kind has its turn.
  const rounds = await Promise.allSettled(
    KINDS.map(async (kind) => {
      const done = await fetchDue({
        db,
        now,
        signal,
        kind: `${kind}-picture`,
        everySeconds: DAY_SECONDS,
        concurrency: 1,
        handle: (claim) => fetchOne(fetching, { kind, id: claim.id }, claim),
      });
      if (done > 0) await inTransaction(db, (tx) => queries.giveUp(tx, kind, FAILURES_BEFORE_GIVING_UP));
    }),
  );
  for (const round of rounds) if (round.status === "rejected") throw round.reason;
}

async function fetchOne(fetching: Fetching, owner: queries.Owner, claim: fetches.Claim): Promise<object> {
  const url = await queries.findAddress(fetching.db, owner);
  if (url === undefined) return {};
  const bytes = await download(fetching.net, url, claim.signal);
  const show = (picture: string) =>
    inTransaction(fetching.db, async (tx) => {
      const isWanted = (await queries.hold(tx, owner, url)) && (await fetches.stillMine(tx, claim));
      if (!isWanted) throw invalid("Another one has been given meanwhile");
      await queries.setPicture(tx, owner, picture);
      await fetches.unschedule(tx, claim.kind, [claim.id]);
      return { replaced: null };
    });
  try {
    await replace(fetching, bytes, show);
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid") {
      throw new FetchProblem(`It can't be shown: ${error.message}.`);
    }
    throw error;
  }
  return {};
}

async function download(net: Net, url: string, signal: AbortSignal): Promise<Buffer> {
  const { status, body } = await net.request(url, {
    headers: { accept: "image/*" },
    maxBytes: IMAGE_LIMITS.bytes,
    timeoutMs: TIMEOUT_MS,
    maxRedirects: 3,
    queueKey: "pictures",
    signal,
  });
  if (status !== 200) throw new FetchProblem(`The other server responds with ${status} instead of an image.`);
  return body;
}

/** Tries missing pictures again, also those given up. Returns their number. */
export function tryAgain(db: Db, now: Date): Promise<number> {
  return inTransaction(db, async (tx) => {
    const missing = await queries.listMissing(tx);
    for (const kind of KINDS) {
      await fetches.schedule(tx, `${kind}-picture`, await queries.takeUp(tx, kind), { at: now });
      const ids = missing.filter((one) => one.kind === kind).map(({ id }) => id);
      await fetches.refresh(tx, `${kind}-picture`, ids, now);
    }
    return missing.length;
  });
}
