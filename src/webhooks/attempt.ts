import { FetchFailure } from "../net/failure.ts";
import type { Answer, Net } from "../net/net.ts";
import type { Claimed } from "./attempt-queries.ts";
import { readRetryAfter } from "./schedule.ts";
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

interface Surroundings {
  net: Net;
  now: () => Date;
  signal: AbortSignal;
  /** How long it may take, its answer included. */
  attemptMs?: number;
}

export async function attempt(
  delivery: Claimed,
  { net, now, signal, attemptMs = ATTEMPT_MS }: Surroundings,
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
  const failure = `It answered with status ${status}${isRedirect ? ", and redirects aren't followed" : ""}.`;
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
