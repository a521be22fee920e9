import { setTimeout as sleep } from "node:timers/promises";
import { repeat } from "./cost.ts";
import { type Author, type Site, create } from "./site.ts";
import { type Figure } from "../report.ts";

const LIMIT_S = 1;
const PATIENCE_MS = 10_000;
const POLL_MS = 20;

/** Newer articles push one off this list only after the limit, at full rate too. */
const NEWEST = 500;

/** Where a new article shows up; the feed is its author's, because others push it off the site's. */
const PLACES: Record<string, (word: string, username: string) => string> = {
  "found by search": (word) => `/api/articles/search?q=${word}`,
  "in the list of the newest": () => `/api/articles/latest?per_page=${NEWEST}`,
  "in the feed of its author": (_, username) => `/feed/${username}`,
};

/** Publishes articles with words of their own while others are created at full rate. */
export async function timeFinding(site: Site, seconds: number): Promise<Figure[]> {
  const over = new AbortController();
  const options = { places: site.connections, seconds };
  const load = repeat(options, async (place) => void (await create(site, place)));
  const [slowest] = await Promise.all([probe(site, over.signal), load.finally(() => over.abort())]);
  return Object.entries(slowest).map(([name, value]) => {
    return { name: `A new article is ${name} at full rate, after`, value, unit: "s", atMost: LIMIT_S };
  });
}

/** The most seconds for each place. */
async function probe(site: Site, over: AbortSignal): Promise<Record<string, number>> {
  const { username } = site.authors[site.connections] as Author;
  const slowest: Record<string, number> = {};
  for (let count = 0; !over.aborted; count += 1) {
    const word = `found${Date.now().toString(36)}${count}`;
    await create(site, site.connections, { title: `Hot from the press ${word}` });
    const startedAt = performance.now();
    const waits = Object.entries(PLACES).map(async ([name, pathOf]) => {
      const seconds = await untilShown(`${site.serving.baseUrl}${pathOf(word, username)}`, word, startedAt);
      return [name, Math.max(slowest[name] ?? 0, seconds)] as const;
    });
    Object.assign(slowest, Object.fromEntries(await Promise.all(waits)));
  }
  return slowest;
}

/** Repeats one request, as a waiting client does; answers that are kept count. */
async function untilShown(url: string, word: string, startedAt: number): Promise<number> {
  while (performance.now() < startedAt + PATIENCE_MS) {
    const answer = await fetch(url);
    if ((await answer.text()).includes(word)) return (performance.now() - startedAt) / 1_000;
    await sleep(POLL_MS);
  }
  return Infinity;
}
