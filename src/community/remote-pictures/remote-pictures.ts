import { sql } from "kysely";
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
      if (done > 0) await inTransaction(db, (tx) => giveUp(tx, kind, FAILURES_BEFORE_GIVING_UP));
    }),
  );
  for (const round of rounds) if (round.status === "rejected") throw round.reason;
}

async function fetchOne(fetching: Fetching, owner: Owner, claim: fetches.Claim): Promise<object> {
  const url = await findAddress(fetching.db, owner);
  if (url === undefined) return {};
  const bytes = await download(fetching.net, url, claim.signal);
  const show = (picture: string) =>
    inTransaction(fetching.db, async (tx) => {
      const isWanted = (await hold(tx, owner, url)) && (await fetches.stillMine(tx, claim));
      if (!isWanted) throw invalid("Another one has been given meanwhile");
      await setPicture(tx, owner, picture);
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
    const all = await missing(tx);
    for (const kind of KINDS) {
      await fetches.schedule(tx, `${kind}-picture`, await takeUp(tx, kind), { at: now });
      const ids = all.filter((one) => one.kind === kind).map(({ id }) => id);
      await fetches.refresh(tx, `${kind}-picture`, ids, now);
    }
    return all.length;
  });
}

interface Owner {
  kind: PicturedKind;
  id: number;
}

async function findAddress(db: Db, { kind, id }: Owner): Promise<string | undefined> {
  const { rows } = await sql<{ url: string }>`
    select url from remote_pictures where kind = ${kind} and id = ${id} and picture is null`.execute(db);
  return rows[0]?.url;
}

/** Locks the owner of a remote picture; false when it has another one. */
async function hold(tx: Db, { kind, id }: Owner, url: string): Promise<boolean> {
  const { table, column } = PICTURED[kind];
  const { rows } = await sql`
    select from ${sql.table(table)} where id = ${id} and ${sql.ref(column)} = ${url} for no key update`.execute(
    tx,
  );
  return rows.length > 0;
}

async function setPicture(tx: Db, { kind, id }: Owner, picture: string): Promise<void> {
  const { table, column } = PICTURED[kind];
  // The copy is noted first: a path that isn't noted would end the remote picture.
  await sql`
    update remote_pictures set picture = ${picture}, failure = null where kind = ${kind} and id = ${id}`.execute(
    tx,
  );
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${picture} where id = ${id}`.execute(tx);
}

/**
 * Ends fetches after too many failures, and keeps the reason. Locks pictures before fetches, like a change of a
 * picture.
 */
async function giveUp(tx: Db, kind: PicturedKind, failures: number): Promise<void> {
  const isHopeless = sql`fetches.kind = ${`${kind}-picture`} and fetches.failures >= ${failures} and lease is null`;
  const { rows } = await sql<{ id: number }>`
    select remote.id from remote_pictures as remote join fetches on fetches.id = remote.id
    where remote.kind = ${kind} and ${isHopeless}
    order by remote.id for no key update of remote`.execute(tx);
  if (rows.length === 0) return;
  await sql`
    with hopeless as (
      delete from fetches where ${isHopeless} and id = any(${rows.map(({ id }) => id)}::int[]) returning id, failure
    )
    update remote_pictures set failure = hopeless.failure
    from hopeless where remote_pictures.kind = ${kind} and remote_pictures.id = hopeless.id`.execute(tx);
}

/** Takes up the pictures of a kind that were given up. Returns their owners' ids. */
async function takeUp(tx: Db, kind: PicturedKind): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update remote_pictures set failure = null where kind = ${kind} and failure is not null returning id`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

interface Missing extends Owner {
  /** The slug of a podcast. */
  username: string;
  url: string;
  failure: string | null;
  due_at: Date | null;
}

export async function missing(db: Db): Promise<Missing[]> {
  const { rows } = await sql<Missing>`
    select remote.kind, remote.id, coalesce(users.username, organizations.username, podcasts.slug) as username, remote.url,
      coalesce(remote.failure, fetches.failure) as failure, fetches.due_at
    from remote_pictures as remote
    left join users on remote.kind = 'user' and users.id = remote.id
    left join organizations on remote.kind = 'organization' and organizations.id = remote.id
    left join podcasts on remote.kind = 'podcast' and podcasts.id = remote.id
    left join fetches on fetches.kind = remote.kind || '-picture' and fetches.id = remote.id
    where remote.picture is null
    order by username`.execute(db);
  return rows;
}
