import type { Site } from "./site.ts";

export interface Call {
  method: string;
  path: string;
  key: string;
  headers?: Record<string, string>;
  body?: object;
}

export interface Answer {
  status: number;
  text: string;
}

const TIMEOUT_MS = 30_000;

/** Asks the server something; undefined when no answer came. */
export async function ask(
  { port }: Site,
  { method, path, key, headers, body }: Call,
): Promise<Answer | undefined> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { "api-key": key, ...(body && { "content-type": "application/json" }), ...headers },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  } catch {
    return undefined;
  }
}

/** The answers that ask to come back. */
const LATER = [409, 503];

/** The text of a success; undefined when there was no answer, or one that says to come back. */
export async function send(site: Site, call: Call): Promise<string | undefined> {
  const answer = await ask(site, call);
  if (answer === undefined || LATER.includes(answer.status)) return undefined;
  if (answer.status < 300) return answer.text;
  throw new Error(`${call.method} ${call.path} is ${answer.status}: ${answer.text}`);
}

/** An article as its author's list shows it. */
interface Listed {
  id: number;
  title: string;
  published: boolean;
}

/** All that an author has written. */
export async function listOwn(site: Site, key: string): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let page = 1; ; page++) {
    const path = `/api/articles/me/all?per_page=1000&page=${page}`;
    const text = await send(site, { method: "GET", path, key });
    if (text === undefined) throw new Error("an author's list isn't answered");
    const items = JSON.parse(text) as Listed[];
    all.push(...items);
    if (items.length < 1_000) return all;
  }
}
