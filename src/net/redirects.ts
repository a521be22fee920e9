import { VERSION } from "../config.ts";
import { ACCEPTED_ENCODINGS } from "./body.ts";
import { checkDestination, type Policy } from "./destination.ts";
import type { SendOptions, Message, Reply } from "./send-request.ts";
import { FetchFailure } from "./failure.ts";
import type { Resolve } from "./resolving.ts";
import { parseUrl } from "../text/urls.ts";

export interface Wanted {
  /** Default GET. A redirect of a POST is not followed. */
  method?: "GET" | "HEAD" | "POST";
  headers?: Record<string, string>;
  body?: string | Buffer;
  httpsOnly?: boolean;
  maxBytes: number;
  /** Default 100 bytes for each received one. */
  maxRatio?: number;
  /**
   * `beginning` stops at `maxBytes` without failing; `best-effort` also accepts a broken body, for callers that need
   * the status.
   */
  read?: "whole" | "beginning" | "best-effort";
  /** One name of each key is looked up at a time. */
  queueKey?: string;
  /** Default 5 seconds. */
  connectTimeoutMs?: number;
  /** 0: a redirect is the answer. */
  maxRedirects: number;
}

export interface Answer extends Reply {
  /** After redirects. */
  url: string;
  /** Set if all redirects were permanent. */
  movedTo?: string;
}

export interface Surroundings extends Policy {
  baseUrl: string;
  resolve: Resolve;
  /** Its reason is a FetchFailure. */
  signal: AbortSignal;
}

const PERMANENT = [301, 308];
const REDIRECTS = [301, 302, 303, 307, 308];

/** Headers that another site may get. */
const HARMLESS = [
  "accept",
  "accept-encoding",
  "accept-language",
  "if-modified-since",
  "if-none-match",
  "range",
];

/** Checks each destination. */
export async function followRedirects(
  start: string,
  wanted: Wanted,
  surroundings: Surroundings,
): Promise<Answer> {
  const { method = "GET", body } = wanted;
  const maxHops = method === "POST" ? 0 : wanted.maxRedirects;
  let url = checkDestination(start, surroundings, wanted);
  // Large, and seldom needed.
  const { sendRequest } = await import("./send-request.ts");
  let headers = lowerCased(wanted.headers);
  let isMoved = true;
  for (let hops = 0; ; hops += 1) {
    const message = { method, headers: withOwn(headers, surroundings), body };
    const reply = await sendRequest(url, message, sendOptions(wanted, surroundings, maxHops > 0));
    const target = maxHops > 0 ? redirectOf(reply) : undefined;
    if (target === undefined) {
      return { ...reply, url: url.href, ...(hops > 0 && isMoved ? { movedTo: url.href } : {}) };
    }
    if (hops >= maxHops) throw new FetchFailure("redirect", `There are more than ${maxHops} redirects.`);
    const next = checkDestination(resolveAgainst(target, url), surroundings, wanted);
    if (next.origin !== url.origin) headers = only(headers, HARMLESS);
    isMoved &&= PERMANENT.includes(reply.status);
    url = next;
  }
}

function sendOptions(
  wanted: Wanted,
  { signal, resolve, ...policy }: Surroundings,
  followsRedirects: boolean,
): SendOptions {
  const { maxBytes, maxRatio = 100, read = "whole", connectTimeoutMs = 5_000, queueKey } = wanted;
  const hasBody: SendOptions["hasBody"] = (status, headers) =>
    wanted.method !== "HEAD" && !(followsRedirects && redirectOf({ status, headers }) !== undefined);
  return { maxBytes, maxRatio, read, connectTimeoutMs, queueKey, policy, resolve, signal, hasBody };
}

function redirectOf({ status, headers }: Pick<Reply, "status" | "headers">): string | undefined {
  return REDIRECTS.includes(status) ? headers["location"] : undefined;
}

function resolveAgainst(target: string, base: URL): string {
  const next = parseUrl(target, base.href);
  if (next) return next.href;
  throw new FetchFailure("redirect", "A redirect leads to something that is no web address.");
}

function withOwn(headers: Message["headers"], { baseUrl }: Surroundings): Message["headers"] {
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
