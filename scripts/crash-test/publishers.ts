import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ask, send } from "./api.ts";
import type { Site } from "./site.ts";

/** An article that was acknowledged, and how often it was changed since. */
export interface Published {
  id: number;
  key: string;
  title: string;
  changes: number;
}

/** Everything that is committed, and how much of what was tried isn't. */
export interface Ledger {
  articles: Published[];
  /** Creations that were sent again, because no answer came. */
  resent: number;
  /** Changes that were broken off or refused. */
  aborted: number;
}

const CONNECTIONS = 16;
/** Between two requests of a connection: more than the deliveries can keep up with would only be waited for. */
const PAUSE_MS = 200;
/** Of the articles of a connection, those that are still changed. */
const KEPT = 4;
/** After something went unanswered. */
const AGAIN_MS = 100;

interface Writing {
  site: Site;
  key: string;
  ledger: Ledger;
}

/** Publishes and changes articles over many connections until it is stopped, and finds out what became of each. */
export function startPublishers(site: Site, keys: readonly string[]) {
  const ledger: Ledger = { articles: [], resent: 0, aborted: 0 };
  const stopping = new AbortController();
  const connections = Array.from({ length: CONNECTIONS }, async (_, index) => {
    const writing = { site, key: keys[index % keys.length] ?? "", ledger };
    const own: Published[] = [];
    while (!stopping.signal.aborted) {
      // As often as not there is none.
      const article = own[randomInt(2 * KEPT)];
      if (article === undefined) own.push(await publish(writing));
      else if (randomInt(8) === 0) await changeInVain(writing, article);
      else await change(writing, article);
      if (own.length > KEPT) own.shift();
      await sleep(PAUSE_MS);
    }
  });
  const finished = Promise.all(connections);
  // `stop` throws the failure.
  finished.catch(() => {});
  return {
    count: () => ledger.articles.reduce((sum, { changes }) => sum + 1 + changes, 0),
    async stop(): Promise<Ledger> {
      stopping.abort();
      await finished;
      return ledger;
    },
  };
}

/** Sends an article with the same key until it is acknowledged. */
async function publish({ site, key, ledger }: Writing): Promise<Published> {
  const title = `Published ${randomUUID()}`;
  const article = { title, body_markdown: `Some words of ${title}.`, published: true };
  const headers = { "idempotency-key": randomUUID() };
  for (;;) {
    const text = await send(site, { method: "POST", path: "/api/articles", key, headers, body: { article } });
    if (text !== undefined) {
      const { id } = JSON.parse(text) as { id: number };
      const published = { id, key, title, changes: 0 };
      ledger.articles.push(published);
      return published;
    }
    ledger.resent++;
    await sleep(AGAIN_MS);
  }
}

async function change({ site, key, ledger }: Writing, article: Published): Promise<void> {
  const title = `Changed ${randomUUID()}`;
  const path = `/api/articles/${article.id}`;
  const answer = await send(site, { method: "PUT", path, key, body: { article: { title } } });
  // A server that is there again knows whether the last one did it.
  if (answer === undefined && (await titleOf(site, article)) !== title) {
    ledger.aborted++;
    return;
  }
  article.title = title;
  article.changes++;
}

async function titleOf(site: Site, { id, key }: Published): Promise<string> {
  for (;;) {
    const text = await send(site, { method: "GET", path: `/api/articles/${id}`, key });
    if (text !== undefined) return (JSON.parse(text) as { title: string }).title;
    await sleep(AGAIN_MS);
  }
}

/** A change that the server refuses when it has begun. */
async function changeInVain({ site, key, ledger }: Writing, { id }: Published): Promise<void> {
  const body = { article: { title: `Refused ${randomUUID()}` } };
  const headers = { "if-match": '"another version"' };
  const answer = await ask(site, { method: "PUT", path: `/api/articles/${id}`, key, headers, body });
  if (answer !== undefined && ![412, 503].includes(answer.status))
    throw new Error(`a change of another version is ${answer.status}: ${answer.text}`);
  ledger.aborted++;
}
