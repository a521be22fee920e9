const HOUR_MS = 3_600_000;

/** Seconds from each attempt to the next: 5 s, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h. The first is made at once. */
const PAUSES = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** Deliveries that failed at the same moment are not all retried at the same moment. */
const JITTER = 0.2;

const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

interface Attempted {
  attempts: number;
  retryAfterMs?: number | undefined;
  now: Date;
  random: () => number;
}

/** When a delivery that has failed is attempted again; null when that was the last attempt. */
export function nextAttempt({ attempts, retryAfterMs = 0, now, random }: Attempted): Date | null {
  const pause = PAUSES[attempts - 1];
  if (pause === undefined) return null;
  const jittered = pause * 1_000 * (1 - JITTER + 2 * JITTER * random());
  return new Date(now.getTime() + Math.round(Math.max(jittered, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS))));
}

/** Reads a `Retry-After`, which is a number of seconds or a date; undefined for anything else. */
export function readRetryAfter(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined;
  if (/^\s*\d{1,12}\s*$/.test(text)) return Number(text) * 1_000;
  // HTTP's dates begin with the name of a day; `Date` takes many other texts for dates too.
  const date = /^\s*[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}

const DAYS_OF_FAILURES = 5;

/** Whether an endpoint that has only failed since then is given up. */
export function isGivenUp(failingSince: Date, now: Date): boolean {
  return now.getTime() - failingSince.getTime() >= DAYS_OF_FAILURES * 24 * HOUR_MS;
}
