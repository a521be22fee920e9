import { FetchFailure } from "../../platform/net/failure.ts";
import type { Answer, Net } from "../../platform/net/net.ts";
import type { Claimed } from "./attempt-queries.ts";
import { signedHeaders } from "./signing.ts";

const CONNECT_MS = 5_000;
const ATTEMPT_MS = 15_000;

/** Bytes of an answer that are read, so that a short answer ends as it should. */
const READ_BYTES = 64 * 1_024;
const KEPT_BYTES = 16 * 1_024;

export interface Outcome {
  /** `gone`: the receiver wants no more. `stopped`: no attempt was made, because this process ends or was too busy. */
  result: "delivered" | "failed" | "gone" | "stopped";
  status: number | null;
  beginning: string | null;
  failure: string | null;
  retryAfterMs?: number | undefined;
  durationMs: number;
}

interface AttemptOptions {
  net: Net;
  now: () => Date;
  signal: AbortSignal;
  attemptMs?: number;
}

export async function attempt(
  delivery: Claimed,
  { net, now, signal, attemptMs = ATTEMPT_MS }: AttemptOptions,
): Promise<Outcome> {
  const { target_url, webhook_id: id, payload: body } = delivery;
  const start = performance.now();
  const since = () => Math.round(performance.now() - start);
  try {
    const answer = await net.request(target_url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "accept-encoding": "identity",
        ...signedHeaders({ id, body }, delivery, now()),
      },
      body,
      httpsOnly: true,
      maxBytes: READ_BYTES,
      // The status decides, whatever follows it.
      read: "best-effort",
      connectTimeoutMs: CONNECT_MS,
      timeoutMs: attemptMs,
      maxRedirects: 0,
      signal,
    });
    return { ...judge(answer, now()), durationMs: since() };
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
    const result = error.kind === "stopped" || error.kind === "busy" ? "stopped" : "failed";
    return { result, status: null, beginning: null, failure: error.message, durationMs: since() };
  }
}

/** Statuses with which a receiver may say when to come back. */
const BUSY = [429, 503];

function judge({ status, headers, body }: Answer, now: Date): Omit<Outcome, "durationMs"> {
  const answered = { status, beginning: textOf(body) };
  if (status >= 200 && status < 300) return { result: "delivered", ...answered, failure: null };
  const retryAfterMs = BUSY.includes(status) ? readRetryAfter(headers["retry-after"], now) : undefined;
  const isRedirect = status >= 300 && status < 400;
  const failure = `The endpoint responded with status ${status}${isRedirect ? ", and redirects aren't followed" : ""}.`;
  return { result: status === 410 ? "gone" : "failed", ...answered, failure, retryAfterMs };
}

function textOf(body: Buffer): string | null {
  if (body.length === 0) return null;
  const text = body.subarray(0, KEPT_BYTES).toString("utf8").replaceAll("\0", "\u{FFFD}");
  // A byte that isn't UTF-8 has become three; nor must the cut leave half a character.
  return Buffer.from(text)
    .subarray(0, KEPT_BYTES)
    .toString("utf8")
    .replace(/\u{FFFD}+$/u, "");
}

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

export function isGivenUp(failingSince: Date, now: Date): boolean {
  return now.getTime() - failingSince.getTime() >= DAYS_OF_FAILURES * 24 * HOUR_MS;
}
