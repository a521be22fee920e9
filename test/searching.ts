import { setTimeout as sleep } from "node:timers/promises";
import { createResponseCache } from "../src/platform/cache.ts";
import type { Db } from "../src/platform/db/connect.ts";
import type { Current, SearchMemory } from "../src/search/index/memory.ts";
import { type Condition, join, writePlace } from "../src/search/index/terms.ts";
import type { Reply, World } from "./world.ts";

export interface SearchParameters {
  q?: string;
  tag?: string;
  top?: number;
  page?: number;
  per_page?: number;
  cursor?: string;
}

/** One page of what a search found. */
export interface Found {
  ids: number[];
  titles: string[];
  /** The header X-Search-Match. */
  match: unknown;
  /** Where the next link leads. */
  next: string | undefined;
}

type Site = Pick<World, "get">;

export function searchUrl(parameters: SearchParameters): string {
  const written = Object.entries(parameters).map(([name, value]) => [name, String(value)]);
  return `/api/articles/search?${new URLSearchParams(written).toString()}`;
}

/** Searches through HTTP, as a client does. */
export async function search(world: Site, parameters: SearchParameters): Promise<Found> {
  return read(await world.get(searchUrl(parameters)));
}

/** All pages of a search, from the first to where no next link leads on. */
export async function followNext(world: Site, parameters: SearchParameters): Promise<Found[]> {
  const pages: Found[] = [];
  let url: string | undefined = searchUrl(parameters);
  while (url !== undefined) {
    const page: Found = read(await world.get(url));
    pages.push(page);
    url = page.next;
    if (pages.length > MAX_PAGES) throw new Error(`${searchUrl(parameters)} leads in circles`);
  }
  return pages;
}

const MAX_PAGES = 1_000;

function read({ status, body, headers, text }: Reply): Found {
  if (status !== 200) throw new Error(`The search answered ${status}: ${text}`);
  const items = body as { id: number; title: string }[];
  return {
    ids: items.map(({ id }) => id),
    titles: items.map(({ title }) => title),
    match: headers["x-search-match"],
    next: /<https:\/\/ink\.example([^>]+)>; rel="next"/.exec(String(headers["link"]))?.[1],
  };
}

/** The part of a condition that does not ask where words stand: all words of a phrase, in any place. */
export function writeLoose(condition: Condition): string {
  const alternatives = condition.map((phrase) => {
    const places = phrase.filter((place) => place.length > 0).map(writePlace);
    return join([...new Set(places)], " & ");
  });
  return join(alternatives, " | ");
}

/** The memory of search once it has all articles that there is room for. */
export async function loadedSearch(memory: SearchMemory, db: Db): Promise<Current> {
  for (;;) {
    const current = await memory.current(db, createResponseCache([]));
    if (current.isLoaded) return current;
    await sleep(10);
  }
}
