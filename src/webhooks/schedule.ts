const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How long after each attempt the next one is made. The first is made at once. */
const PAUSES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** Deliveries that failed at the same moment are not all retried at the same moment. */
const JITTER = 0.2;

/** The longest `Retry-After` that is respected. */
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

interface Attempted {
  attempts: number;
  /** From the receiver's `Retry-After`. */
  retryAfterMs?: number | undefined;
  now: Date;
  /** From 0 to 1, as `Math.random` gives it. */
  random: () => number;
}

/** When a delivery that has failed is attempted again; null when that was the last attempt. */
export function nextAttempt({ attempts, retryAfterMs = 0, now, random }: Attempted): Date | null {
  const pause = PAUSES_MS[attempts - 1];
  if (pause === undefined) return null;
  const jittered = pause * (1 - JITTER + 2 * JITTER * random());
  return new Date(now.getTime() + Math.round(Math.max(jittered, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS))));
}

/** Reads a `Retry-After`, which is a number of seconds or a date; undefined for anything else. */
export function readRetryAfter(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined;
  if (/^\s*\d{1,12}\s*$/.test(text)) return Number(text) * SECOND_MS;
  // HTTP's dates begin with the name of a day; `Date` takes many other texts for dates too.
  const date = /^\s*[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}

const DAYS_OF_FAILURES = 5;

/** Whether an endpoint that has only failed since then is given up. */
export function isGivenUp(failingSince: Date, now: Date): boolean {
  return now.getTime() - failingSince.getTime() >= DAYS_OF_FAILURES * 24 * HOUR_MS;
}
