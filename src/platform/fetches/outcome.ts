import type { Db } from "../db/connect.ts";
import { AppError, invalid } from "../errors.ts";
import { FORBIDDEN_PORT } from "../net/destination.ts";
import { FetchFailure } from "../net/failure.ts";
import { quote } from "../text/quote.ts";
import { FetchProblem } from "./fetch-problem.ts";
import type { Outcome } from "./fetches.ts";

/** The result of a fetch; an unmodified source keeps its validators. */
export interface Fetched {
  etag?: string | undefined;
  lastModified?: string | undefined;
  nextInSeconds?: number | undefined;
}

export interface Pace {
  everySeconds: number;
  /** The random part of a pause; default a tenth. */
  jitter?: number;
}

/** Operators may fetch sooner. */
export const PAUSE_SECONDS = 15 * 60;
const HOUR = 3600;
const DAY = 24 * HOUR;
const MAX_PAUSE_SECONDS = 30 * DAY;

export function success({ etag, lastModified, nextInSeconds }: Fetched, now: Date, pace: Pace) {
  return {
    due_at: after(now, nextInSeconds ?? pace.everySeconds, pace),
    fetched_at: now,
    succeeded_at: now,
    etag: validator(etag, 1000),
    last_modified: validator(lastModified, 200),
    failures: 0,
    failure: null,
  };
}

export async function scheduleFetched(
  db: Db,
  { kind, id, fetched, now, ...pace }: { kind: string; id: number; fetched: Fetched; now: Date } & Pace,
): Promise<void> {
  await db
    .insertInto("fetches")
    .values({ kind, id, ...success(fetched, now, pace) })
    .execute();
}

/** Retries within the hour, then after twice as long each time, up to a day. */
export function failed(error: unknown, failures: number, now: Date, pace: Pace): Outcome {
  const first = Math.min(pace.everySeconds, HOUR);
  const pause = Math.min(first * 2 ** (failures - 1), Math.max(pace.everySeconds, DAY));
  return { due_at: after(now, pause, pace), fetched_at: now, failures, failure: sentence(error) };
}

/** The outcome where no other site is to blame: the fetch is due again, and counts as no failure. */
export const postponed = (now: Date, seconds: number): Outcome => ({
  due_at: new Date(now.getTime() + seconds * 1000),
});

export function isCrowdedOut(error: unknown): boolean {
  if (error instanceof FetchFailure) return error.kind === "busy";
  return error instanceof AppError && error.code === "unavailable";
}

/** The fetched resource is to blame. */
export const isExplained = (error: unknown): error is Error =>
  error instanceof FetchProblem || error instanceof FetchFailure;

function after(now: Date, seconds: number, { jitter = 0.1 }: Pace): Date {
  const bounded = Math.min(Math.max(seconds, PAUSE_SECONDS), MAX_PAUSE_SECONDS);
  const moved = bounded * (1 + jitter * (2 * Math.random() - 1));
  return new Date(now.getTime() + Math.max(moved, PAUSE_SECONDS) * 1000);
}

function validator(text: string | undefined, maxLength: number): string | null {
  return text !== undefined && text.length <= maxLength && /^[\x21-\x7e][\x20-\x7e]*$/.test(text)
    ? text
    : null;
}

function sentence(error: unknown): string {
  if (!isExplained(error)) return "It could not be read: something went wrong in Inkstone itself.";
  return error.message.replaceAll("\0", "").slice(0, 400).toWellFormed();
}

/** An unexplained error is returned unchanged. */
export function unreadable(url: string, error: unknown): unknown {
  if (!isExplained(error)) return error;
  return invalid(`The feed ${quote(url)} can't be read: ${error.message}${wayOut(error)}`);
}

function wayOut(error: Error): string {
  if (!(error instanceof FetchFailure)) return "";
  if (error.kind === "address") return " ALLOW_PRIVATE_NETWORK=true allows it.";
  return error.code === FORBIDDEN_PORT ? " OUTBOUND_PORTS names more ports." : "";
}
