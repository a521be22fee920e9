import { setTimeout as sleep } from "node:timers/promises";
import { AppError, invalid } from "../../platform/errors.ts";
import { FetchFailure } from "../../platform/net/failure.ts";
import type { Net } from "../../platform/net/net.ts";
import { parseUrl } from "../../platform/text/urls.ts";
import { readRetryAfter } from "../../community/webhooks/attempt.ts";

export interface ClientOptions {
  net: Net;
  from: string;
  key?: string | undefined;
  pause?: (milliseconds: number) => Promise<unknown>;
}

interface Answer {
  value: unknown;
  next: string | undefined;
}

const SECOND_MS = 1_000;
/** The fastest pace, at sites that allow many requests a second. */
const LEAST_PAUSE_MS = 100;
/** A site that asks for more is left alone until the command is run again. */
const MOST_PAUSE_MS = 15 * 60_000;
const ATTEMPTS = 6;
const BOUNDS = { maxBytes: 32 * 1024 * 1024, maxRedirects: 3, timeoutMs: 60_000 };
const PASSING = ["timeout", "unreachable", "answer"];
const AGAIN = "Run the same command again later: it continues where it stopped.";

/** Answers of an API, one after the other, at the pace that the site allows. */
export function createApiClient({ net, from, key, pause = sleep }: ClientOptions) {
  let waitMs = 0;
  // The version that Forem answers with.
  const accept = { accept: "application/vnd.forem.api-v1+json" };
  const headers = key === undefined ? accept : { ...accept, "api-key": key };

  /** Undefined where there is nothing; the words for a failure that may pass. */
  async function ask(
    path: string,
  ): Promise<Answer | undefined | { failure: string; retryAfterMs?: number | undefined }> {
    try {
      const { status, body, ...reply } = await net.request(from + path, { headers, ...BOUNDS });
      waitMs = paceOf(reply.headers["ratelimit"]);
      if (status === 200)
        return { value: JSON.parse(body.toString()), next: nextOf(reply.headers["link"], from) };
      if (status === 404) return undefined;
      const failure = `it answers ${path} with the status ${status}`;
      if (status === 429 || status >= 500)
        return { failure, retryAfterMs: readRetryAfter(reply.headers["retry-after"], new Date()) };
      throw invalid(`${from} can't be read: ${failure}${status === 401 ? ", so it refuses the key" : ""}.`);
    } catch (error) {
      if (error instanceof SyntaxError) return { failure: `its answer to ${path} isn't JSON` };
      if (!(error instanceof FetchFailure)) throw error;
      if (PASSING.includes(error.kind)) return { failure: error.message.replace(/\.$/, "") };
      throw invalid(`${from} can't be read: ${error.message}`);
    }
  }

  return {
    /** Undefined where there is nothing. @throws AppError */
    async get(path: string): Promise<Answer | undefined> {
      for (let attempt = 1; ; attempt += 1) {
        await pause(waitMs);
        waitMs = SECOND_MS;
        const answer = await ask(path);
        if (!answer || !("failure" in answer)) return answer;
        const { failure, retryAfterMs = SECOND_MS * 2 ** attempt } = answer;
        const isPatient = attempt < ATTEMPTS && retryAfterMs <= MOST_PAUSE_MS;
        if (!isPatient) throw new AppError("unavailable", `${from} can't be read: ${failure}. ${AGAIN}`);
        waitMs = retryAfterMs;
      }
    },
  };
}

export type ApiClient = ReturnType<typeof createApiClient>;

/** Spreads the requests that are left over their time, as in `"default";r=50;t=30`; without limits one a second. */
function paceOf(rateLimit = ""): number {
  const rules = [...rateLimit.matchAll(/;\s*r=(\d{1,9})\s*;\s*t=(\d{1,9})/g)];
  if (rules.length === 0) return SECOND_MS;
  const pauses = rules.map(([, left, seconds]) => (Number(seconds) * SECOND_MS) / Math.max(Number(left), 1));
  return Math.min(Math.max(...pauses, LEAST_PAUSE_MS), MOST_PAUSE_MS);
}

/** Only the path: behind a proxy, a site may name another address as its own. */
function nextOf(link = "", from: string): string | undefined {
  const target = /<([^<>]{1,2000})>\s*;\s*rel="?next"?/.exec(link)?.[1];
  const url = target === undefined ? undefined : parseUrl(target, from);
  return url && `${url.pathname}${url.search}`;
}
