import { lookup } from "node:dns/promises";
import { VERSION } from "../config.ts";
import { ACCEPTED_ENCODINGS } from "./body.ts";
import type { Resolve } from "./connecting.ts";
import { judge, type Policy } from "./destination.ts";
import { exchange, type ExchangeOptions, type Message, type Reply } from "./exchange.ts";
import { FetchFailure } from "./failure.ts";

/** The only way from this program to other computers, but for the database. */
export interface Net {
  /**
   * Answers with whatever status came, once redirects are followed.
   * @throws FetchFailure when there is no answer, or none that may be had
   */
  request: (url: string, options: RequestOptions) => Promise<Answer>;
  /** Stops what is under way, and refuses from now on. */
  close: () => Promise<void>;
}

export interface RequestOptions {
  /** GET when left out. A redirect of a POST is answered, not followed. */
  method?: "GET" | "HEAD" | "POST";
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Refuses http, unless the private network is allowed. */
  httpsOnly?: boolean;
  /** After decompression. */
  maxBytes: number;
  /** How many bytes one received byte may become when unpacked: 100 when left out. */
  maxRatio?: number;
  /** `beginning` stops at `maxBytes` without failing. */
  read?: "whole" | "beginning";
  /** 5 seconds when left out. */
  connectTimeoutMs?: number;
  /** For everything, redirects included. */
  timeoutMs: number;
  /** 0: a redirect is the answer. */
  maxRedirects: number;
  signal?: AbortSignal;
}

export interface Answer extends Reply {
  /** Where it came from in the end. */
  url: string;
  /** Set when every redirect on the way was permanent. */
  movedTo?: string;
}

export interface NetOptions extends Policy {
  baseUrl: string;
  /** How names are looked up: as the system does it when left out. */
  resolve?: Resolve;
}

export function createNet(options: NetOptions): Net {
  const running = new Map<Promise<unknown>, () => void>();
  let isClosed = false;
  return {
    async request(url, wanted) {
      if (isClosed) throw stopped();
      const limit = limitTime(wanted);
      const answer = follow(url, wanted, { ...options, signal: limit.signal });
      running.set(answer, limit.stop);
      try {
        return await answer;
      } finally {
        running.delete(answer);
        limit.release();
      }
    },
    async close() {
      isClosed = true;
      for (const stop of running.values()) stop();
      await Promise.allSettled(running.keys());
    },
  };
}

function limitTime({ timeoutMs, signal }: RequestOptions) {
  const controller = new AbortController();
  const stop = () => controller.abort(stopped());
  const timer = setTimeout(
    () => controller.abort(new FetchFailure("timeout", `There was no whole answer in time.`)),
    timeoutMs,
  );
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  return {
    signal: controller.signal,
    stop,
    release() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    },
  };
}

function stopped(): FetchFailure {
  return new FetchFailure("stopped", "This was stopped before there was an answer.");
}

const PERMANENT = [301, 308];
const REDIRECTS = [301, 302, 303, 307, 308];

/** What may be told to another site than the one it was meant for. */
const HARMLESS = [
  "accept",
  "accept-encoding",
  "accept-language",
  "if-modified-since",
  "if-none-match",
  "range",
];

type Surroundings = NetOptions & { signal: AbortSignal };

async function follow(start: string, wanted: RequestOptions, surroundings: Surroundings): Promise<Answer> {
  const { method = "GET", maxRedirects } = wanted;
  const maxHops = method === "POST" ? 0 : maxRedirects;
  let url = judge(start, surroundings, wanted);
  let headers = lowerCased(wanted.headers);
  let isMoved = true;
  for (let hops = 0; ; hops += 1) {
    const message = { method, headers: withOwn(headers, surroundings), body: wanted.body };
    const reply = await exchange(url, message, exchangeOptions(wanted, surroundings, maxHops > 0));
    const target = maxHops > 0 ? redirectOf(reply) : undefined;
    if (target === undefined) {
      return { ...reply, url: url.href, ...(hops > 0 && isMoved ? { movedTo: url.href } : {}) };
    }
    if (hops >= maxHops) throw new FetchFailure("redirect", `There are more than ${maxHops} redirects.`);
    const next = judge(resolveAgainst(target, url), surroundings, wanted);
    if (next.origin !== url.origin) headers = only(headers, HARMLESS);
    isMoved &&= PERMANENT.includes(reply.status);
    url = next;
  }
}

function exchangeOptions(
  wanted: RequestOptions,
  { signal, resolve = resolveBySystem, ...policy }: Surroundings,
  followsRedirects: boolean,
): ExchangeOptions {
  const { maxBytes, maxRatio = 100, read = "whole", connectTimeoutMs = 5_000 } = wanted;
  return {
    ...{ maxBytes, maxRatio, read, connectTimeoutMs, policy, resolve, signal },
    wantsBody: (status, headers) =>
      wanted.method !== "HEAD" && !(followsRedirects && redirectOf({ status, headers }) !== undefined),
  };
}

function redirectOf({ status, headers }: Pick<Reply, "status" | "headers">): string | undefined {
  return REDIRECTS.includes(status) ? headers["location"] : undefined;
}

function resolveAgainst(target: string, base: URL): string {
  if (URL.canParse(target, base.href)) return new URL(target, base).href;
  throw new FetchFailure("redirect", "A redirect leads to something that is no web address.");
}

function withOwn(headers: Message["headers"], { baseUrl }: NetOptions): Message["headers"] {
  return {
    accept: "*/*",
    "accept-encoding": ACCEPTED_ENCODINGS,
    ...headers,
    "user-agent": `Inkstone/${VERSION} (+${baseUrl})`,
  };
}

function lowerCased(headers: Message["headers"] = {}): Message["headers"] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function only(headers: Message["headers"], names: readonly string[]): Message["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));
}

const resolveBySystem: Resolve = (name) => lookup(name, { all: true, verbatim: true });
