import { VERSION } from "../config.ts";
import { parseUrl } from "../text/urls.ts";
import { checkDestination, type Policy } from "./destination.ts";
import { FetchFailure } from "./failure.ts";
import { createResolve, type Resolve } from "./resolving.ts";
import type { Reply, SendOptions } from "./send-request.ts";

export interface RequestOptions {
  /** Default GET. A redirect of a POST is not followed. */
  method?: "GET" | "HEAD" | "POST";
  headers?: Record<string, string>;
  body?: string | Buffer;
  httpsOnly?: boolean;
  maxBytes: number;
  /** Default 100 bytes for each received one. */
  maxRatio?: number;
  /** `beginning` stops at `maxBytes` without failing; `best-effort` also accepts a broken body. */
  read?: "whole" | "beginning" | "best-effort";
  queueKey?: string;
  /** Default 5 seconds. */
  connectTimeoutMs?: number;
  /** 0: a redirect is the answer. */
  maxRedirects: number;
  /** Bounds the request with its redirects. */
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface Answer extends Reply {
  url: string;
  /** Set if all redirects were permanent. */
  movedTo?: string;
}

export interface NetOptions extends Policy {
  baseUrl: string;
  resolve?: Resolve;
}

/** The signal's reason is a FetchFailure. */
type RequestContext = Required<NetOptions> & { signal: AbortSignal };

export type Net = ReturnType<typeof createNet>;

/** The only way to other computers, except for the database. */
export function createNet(options: NetOptions) {
  const context = { resolve: createResolve(), ...options };
  const running = new Map<Promise<unknown>, () => void>();
  let isClosed = false;
  return {
    /** Any status is an answer. @throws FetchFailure */
    async request(url: string, { timeoutMs, signal, ...wanted }: RequestOptions): Promise<Answer> {
      if (isClosed || signal?.aborted) throw stopped();
      const ending = new AbortController();
      const stop = () => ending.abort(stopped());
      const late = new FetchFailure("timeout", "The whole response didn't arrive in time.");
      const timer = setTimeout(() => ending.abort(late), timeoutMs);
      signal?.addEventListener("abort", stop);
      const answer = followRedirects(url, wanted, { ...context, signal: ending.signal });
      running.set(answer, stop);
      try {
        return await answer;
      } finally {
        running.delete(answer);
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
      }
    },
    async close() {
      isClosed = true;
      for (const stop of running.values()) stop();
      await Promise.allSettled(running.keys());
    },
  };
}

const stopped = (): FetchFailure =>
  new FetchFailure("stopped", "The request was stopped before its response arrived.");

const DEFAULTS = { maxRatio: 100, read: "whole", connectTimeoutMs: 5_000 } as const;
const DEFAULT_HEADERS = { accept: "*/*", "accept-encoding": "gzip, deflate, br" };
const PERMANENT = [301, 308];
const REDIRECTS = [301, 302, 303, 307, 308];

/** Headers that another site may get. */
const HARMLESS = /^(accept|accept-encoding|accept-language|if-modified-since|if-none-match|range)$/;

async function followRedirects(
  start: string,
  wanted: Omit<RequestOptions, "timeoutMs" | "signal">,
  context: RequestContext,
): Promise<Answer> {
  const { method = "GET", body } = wanted;
  const maxHops = method === "POST" ? 0 : wanted.maxRedirects;
  const follows = ({ status, headers }: Pick<Reply, "status" | "headers">) =>
    maxHops > 0 && REDIRECTS.includes(status) && headers["location"] !== undefined;
  const hasBody: SendOptions["hasBody"] = (head) => method !== "HEAD" && !follows(head);
  let url = checkDestination(start, context, wanted);
  // The module is large, and many processes never need it.
  const { sendRequest } = await import("./send-request.ts");
  const given = Object.entries(wanted.headers ?? {});
  let headers = Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), value]));
  const own = { "user-agent": `Inkstone/${VERSION} (+${context.baseUrl})` };
  let isMoved = true;
  for (let hops = 0; ; hops += 1) {
    const message = { method, headers: { ...DEFAULT_HEADERS, ...headers, ...own }, body };
    const reply = await sendRequest(url, message, { ...DEFAULTS, ...wanted, ...context, hasBody });
    const target = follows(reply) ? reply.headers["location"] : undefined;
    if (target === undefined)
      return { ...reply, url: url.href, ...(hops > 0 && isMoved ? { movedTo: url.href } : {}) };
    if (hops >= maxHops) throw new FetchFailure("redirect", `There are more than ${maxHops} redirects.`);
    const address = parseUrl(target, url.href);
    if (!address) throw new FetchFailure("redirect", "A redirect leads to an invalid web address.");
    const next = checkDestination(address.href, context, wanted);
    if (next.origin !== url.origin) {
      const harmless = Object.entries(headers).filter(([name]) => HARMLESS.test(name));
      headers = Object.fromEntries(harmless);
    }
    isMoved &&= PERMANENT.includes(reply.status);
    url = next;
  }
}
