import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Call, listOwn, send } from "./api.ts";
import type { Site } from "./site.ts";

/** An author's API key, and what they write through it. */
export type Keys = readonly string[];

/** The possible states of an article: two if the last change was not answered. */
interface Article {
  id: number;
  key: string;
  possible: State[];
}

/** As its author's list shows it; a deleted one isn't there. */
interface State {
  title: string;
  published: boolean;
  isDeleted: boolean;
}

/** An article that was sent, and to which no answer came. */
interface Creation {
  key: string;
  idempotencyKey: string;
  title: string;
}

/** Everything that was acknowledged, and what is uncertain. */
export interface Ledger {
  articles: Article[];
  uncertain: Creation[];
  /** How many changes were acknowledged. */
  acknowledged: number;
}

const CONNECTIONS = 16;

/** Creates, changes, publishes, takes back and deletes articles over many connections until it is stopped. */
export function startAuthors(site: Site, keys: Keys): { stop: () => Promise<Ledger>; count: () => number } {
  const ledger: Ledger = { articles: [], uncertain: [], acknowledged: 0 };
  const stopping = new AbortController();
  const connections = Array.from({ length: CONNECTIONS }, async (_, index) => {
    const key = keys[index % keys.length] ?? "";
    const own: Article[] = [];
    while (!stopping.signal.aborted) {
      const isAnswered = await writeOne(site, ledger, { key, own });
      // A refused or interrupted client retries in a moment.
      if (!isAnswered) await sleep(100);
    }
  });
  return {
    count: () => ledger.acknowledged,
    async stop() {
      stopping.abort();
      await Promise.all(connections);
      return ledger;
    },
  };
}

async function writeOne(
  site: Site,
  ledger: Ledger,
  { key, own }: { key: string; own: Article[] },
): Promise<boolean> {
  const article = own[randomInt(8)];
  if (article === undefined) {
    const creation = { key, idempotencyKey: randomUUID(), title: `Written ${randomUUID()}` };
    const created = await create(site, creation);
    if (created) {
      own.push(created);
      ledger.articles.push(created);
      ledger.acknowledged++;
    } else ledger.uncertain.push(creation);
    return created !== undefined;
  }
  const isDone = await change(site, article);
  if (isDone) ledger.acknowledged++;
  // What may be one thing or the other is left alone.
  if (!isDone || article.possible.some(({ isDeleted }) => isDeleted)) own.splice(own.indexOf(article), 1);
  return isDone;
}

/** Undefined when no answer came. */
async function create(site: Site, creation: Creation): Promise<Article | undefined> {
  const { key, idempotencyKey, title } = creation;
  const answer = await send(site, {
    method: "POST",
    path: "/api/articles",
    key,
    headers: { "idempotency-key": idempotencyKey },
    body: { article: { title, body_markdown: `Some words of ${title}.`, tags: ["crash"], series: "Crash" } },
  });
  if (answer === undefined) return undefined;
  const { id } = JSON.parse(answer) as { id: number };
  return { id, key, possible: [{ title, published: false, isDeleted: false }] };
}

/** Whether it was acknowledged. */
async function change(site: Site, article: Article): Promise<boolean> {
  const [before] = article.possible;
  if (before === undefined) throw new Error("an article is something");
  const path = `/api/articles/${article.id}`;
  const { key } = article;
  const title = `Changed ${randomUUID()}`;
  const changes: [after: State, call: Call][] = [
    [
      { ...before, title },
      { method: "PUT", path, key, body: { article: { title } } },
    ],
    [
      { ...before, published: true },
      { method: "PUT", path, key, body: { article: { published: true } } },
    ],
    [
      { ...before, published: false },
      { method: "PUT", path: `${path}/unpublish`, key },
    ],
    [
      { ...before, isDeleted: true },
      { method: "DELETE", path, key },
    ],
  ];
  const [after, call] = changes[randomInt(changes.length)] ?? [];
  if (after === undefined || call === undefined) throw new Error("one of the changes is chosen");
  const isDone = (await send(site, call)) !== undefined;
  article.possible = isDone ? [after] : [before, after];
  return isDone;
}

/** Fails unless every article is what was acknowledged, and there once, also when it is sent again. */
export async function expectKept(site: Site, { articles, uncertain }: Ledger, keys: Keys): Promise<void> {
  for (const creation of uncertain) await createAtLast(site, creation);
  const found = new Map<number, string>();
  const titles = new Map<string, number>();
  for (const key of keys) {
    for (const { id, title, published } of await listOwn(site, key)) {
      found.set(id, JSON.stringify({ title, published }));
      titles.set(title, (titles.get(title) ?? 0) + 1);
    }
  }
  for (const { id, possible } of articles) {
    const allowed = possible.map(({ title, published, isDeleted }) =>
      isDeleted ? undefined : JSON.stringify({ title, published }),
    );
    const actual = found.get(id);
    if (!allowed.includes(actual))
      throw new Error(`the article ${id} is ${actual}, not ${allowed.join(" or ")}`);
  }
  const doubled = [...titles].filter(([, count]) => count > 1);
  if (doubled.length > 0) throw new Error(`${doubled.length} articles are there twice: ${doubled[0]?.[0]}`);
}

const ATTEMPTS = 30;

async function createAtLast(site: Site, creation: Creation): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await create(site, creation)) return;
    await sleep(200);
  }
  throw new Error("an article that is sent again isn't taken");
}
