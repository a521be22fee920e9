import { AppError, invalid } from "../errors.ts";
import { FORBIDDEN_PORT } from "../net/destination.ts";
import { FetchFailure } from "../net/failure.ts";
import { toWellFormed } from "../text/fold.ts";
import { quote } from "../text/quote.ts";
import { FetchProblem } from "./fetch-problem.ts";
import type { Outcome } from "./queries.ts";

/** The result of a handler. When nothing was modified, it returns the validators it was given. */
export interface Fetched {
  etag?: string | undefined;
  lastModified?: string | undefined;
  /** Instead of the usual pace. */
  nextInSeconds?: number | undefined;
}

export interface Pace {
  everySeconds: number;
  /** By what part of itself a pause is shortened or lengthened at random; a tenth when left out. */
  jitter?: number;
}

/** The least time between two fetches of one thing, except for the command of an operator. */
export const PAUSE_SECONDS = 15 * 60;

const HOUR = 3600;
const DAY = 24 * HOUR;
const MAX_PAUSE_SECONDS = 30 * DAY;

/** The columns after a success. */
export function success({ etag, lastModified, nextInSeconds }: Fetched, now: Date, pace: Pace): Outcome {
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

/** The columns after a failure. It is retried within the hour, then after twice as long each time, up to a day. */
export function failed(error: unknown, failures: number, now: Date, pace: Pace): Outcome {
  const first = Math.min(pace.everySeconds, HOUR);
  const pause = Math.min(first * 2 ** (failures - 1), Math.max(pace.everySeconds, DAY));
  return { due_at: after(now, pause, pace), fetched_at: now, failures, failure: sentence(error) };
}

/** The columns when the other site is not to blame, such as when the database was away for a moment. */
export function postponed(now: Date, seconds: number): Outcome {
  return { due_at: new Date(now.getTime() + seconds * 1000) };
}

/** Whether this process had too much else to do for it. */
export function isCrowdedOut(error: unknown): boolean {
  if (error instanceof FetchFailure) return error.kind === "busy";
  return error instanceof AppError && error.code === "unavailable";
}

/** Whether the failure lies with what was fetched, and is explained. */
export function isExplained(error: unknown): error is Error {
  return error instanceof FetchProblem || error instanceof FetchFailure;
}

function after(now: Date, seconds: number, { jitter = 0.1 }: Pace): Date {
  const bounded = Math.min(Math.max(seconds, PAUSE_SECONDS), MAX_PAUSE_SECONDS);
  const moved = bounded * (1 + jitter * (2 * Math.random() - 1));
  return new Date(now.getTime() + Math.max(moved, PAUSE_SECONDS) * 1000);
}

/** A validator that a request header can hold. */
function validator(text: string | undefined, maxLength: number): string | null {
  return text !== undefined && text.length <= maxLength && /^[\x21-\x7e][\x20-\x7e]*$/.test(text)
    ? text
    : null;
}

function sentence(error: unknown): string {
  if (!isExplained(error)) return "It could not be read: something went wrong in Inkstone itself.";
  return toWellFormed(error.message.replaceAll("\0", "").slice(0, 400));
}

/** The refusal of a feed that an operator wants to add; an unexplained error is returned as it is. */
export function unreadable(url: string, error: unknown): unknown {
  if (!isExplained(error)) return error;
  return invalid(`The feed ${quote(url)} can't be read: ${error.message}${wayOut(error)}`);
}

/** The setting that stands in the way. */
function wayOut(error: Error): string {
  if (!(error instanceof FetchFailure)) return "";
  if (error.kind === "address") return " ALLOW_PRIVATE_NETWORK=true allows it.";
  return error.code === FORBIDDEN_PORT ? " OUTBOUND_PORTS names more ports." : "";
}
