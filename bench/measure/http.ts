import { once } from "node:events";
import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type RequestOptions,
} from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  /** Names and values in turn, as they came. */
  rawHeaders: string[];
  body: Buffer;
  /** From the first byte sent to the last received. */
  milliseconds: number;
}

/** One request; without an agent its connection ends with the answer, so that none is left when the server stops. */
export async function ask(url: URL, options: RequestOptions = {}, body?: object | string): Promise<Reply> {
  const startedAt = performance.now();
  const asked = request(url, { agent: false, ...options });
  asked.end(typeof body === "object" ? JSON.stringify(body) : body);
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  const { statusCode: status = 0, headers, rawHeaders } = answer;
  const bytes = await buffer(answer);
  return { status, headers, rawHeaders, body: bytes, milliseconds: performance.now() - startedAt };
}

/** An answer as it came over the wire, and as the bare server gives it again. */
export type Answer = Pick<Reply, "status" | "body"> & { headers: string[] };

/** Headers that every Node server adds by itself, or that belong to one connection. */
const OWN_HEADERS = new Set(["date", "connection", "keep-alive", "transfer-encoding"]);

/** Asks once and keeps the answer byte for byte. */
export async function capture(
  baseUrl: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { status, rawHeaders, body } = await ask(new URL(path, baseUrl), { headers });
  const isOwn = (place: number) => OWN_HEADERS.has((rawHeaders[place - (place % 2)] as string).toLowerCase());
  return { status, headers: rawHeaders.filter((_, place) => !isOwn(place)), body };
}

/** One visitor with one connection, who waits for each answer before asking again. */
export interface Client {
  /** With a key the answer is for its owner. */
  ask(path: string, key?: string): Promise<Reply>;
  close(): void;
}

/** Longer than the program remembers an answer. */
const FORGOTTEN_MS = 1_000;

/**
 * Never asks the same address before its answer is forgotten, so that every answer is made anew. With
 * a key it is to be asked for what the key's owner alone may see, which is never remembered.
 */
export function createClient(baseUrl: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const askedAt = new Map<string, number>();
  return {
    async ask(path, key) {
      const url = new URL(path, baseUrl);
      if (key !== undefined) return ask(url, { agent, headers: { "api-key": key } });
      const soonest = (askedAt.get(path) ?? -Infinity) + FORGOTTEN_MS;
      if (soonest > performance.now()) await sleep(soonest - performance.now());
      const reply = await ask(url, { agent });
      askedAt.set(path, performance.now());
      return reply;
    },
    close: () => agent.destroy(),
  };
}

/** Stops at an answer that is none, because its time would say nothing. */
export async function askOk(client: Client, path: string, key?: string): Promise<Reply> {
  const reply = await client.ask(path, key);
  if (reply.status === 200) return reply;
  throw new Error(`${path} returned ${reply.status}, not 200: ${reply.body.toString().slice(0, 200)}`);
}

/** Writes over as many connections as are used at once. */
export interface Sender {
  /** @throws Error when the answer is a refusal */
  send(method: "POST" | "PUT", path: string, key: string, body: object): Promise<{ id: number }>;
  close(): void;
}

export function createSender(baseUrl: string): Sender {
  const agent = new Agent({ keepAlive: true });
  return {
    async send(method, path, key, given) {
      const headers = { "api-key": key, "content-type": "application/json" };
      const { status, body } = await ask(new URL(path, baseUrl), { agent, method, headers }, given);
      if (status === 200 || status === 201) return JSON.parse(String(body)) as { id: number };
      throw new Error(`${method} ${path} returned ${status}: ${String(body)}`);
    },
    close: () => agent.destroy(),
  };
}

/** Sends a form of the site, as its own page does. */
export function sendForm(
  baseUrl: string,
  path: string,
  values: Record<string, string>,
  cookie?: string,
): Promise<Reply> {
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "sec-fetch-site": "same-origin",
    ...(cookie !== undefined && { cookie }),
  };
  return ask(new URL(path, baseUrl), { method: "POST", headers }, new URLSearchParams(values).toString());
}

const PER_PAGE = 1_000;

/** Reads the newest articles of a site: at least this many. */
export async function newestArticles(baseUrl: string, count: number) {
  const articles: { id: number; path: string; slug: string; user: { username: string } }[] = [];
  for (let page = 1; articles.length < count; page += 1) {
    const answer = await fetch(`${baseUrl}/api/articles/latest?per_page=${PER_PAGE}&page=${page}`);
    const list = (await answer.json()) as typeof articles;
    if (list.length === 0) throw new Error(`The site has ${articles.length} articles, not ${count}.`);
    articles.push(...list);
  }
  return articles;
}
