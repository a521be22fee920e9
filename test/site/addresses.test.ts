import { expect, test } from "vitest";
import { sample } from "../setup.ts";
import { siteForAll } from "../site.ts";

const site = siteForAll();

const LISTS = [
  "/api/articles?per_page=1000",
  "/api/videos",
  "/api/podcast_episodes?per_page=100",
  "/api/organizations",
  "/api/listings?per_page=100",
  "/api/organizations/tinker_lab/users",
];

/** The addresses on the site in an answer of the API, of whatever depth. */
function addressesIn(value: unknown, key = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => addressesIn(item));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([name, item]) => addressesIn(item, name));
  if (typeof value !== "string") return [];
  if (value.startsWith(`${site.origin}/`)) return [value.slice(site.origin.length)];
  return key === "path" ? [value] : [];
}

async function statusesOf(paths: Iterable<string>): Promise<string[]> {
  const wrong: string[] = [];
  for (const path of paths) {
    const { status } = await site.world.get(path, { headers: { accept: "text/html,*/*" } });
    if (status !== 200) wrong.push(`${status} ${path}`);
  }
  return wrong;
}

test("every address in the API's answers leads to a page or a picture", async () => {
  const found = new Set<string>();
  for (const list of LISTS) {
    const { status, body } = await site.world.get(list);
    expect(status).toBe(200);
    for (const address of addressesIn(body)) found.add(address);
  }
  expect(found.size).toBeGreaterThan(100);
  // Each card is drawn when it is asked for.
  const cards = [...found].filter((address) => address.startsWith("/assets/cards/"));
  expect(cards.length).toBeGreaterThan(20);
  const others = [...found].filter((address) => !cards.includes(address));
  expect(await statusesOf([...others, ...sample(cards, 5)])).toEqual([]);
});

test("every comment of the API has a page", async () => {
  const { body } = await site.world.get("/api/articles?per_page=1000");
  const codes: string[] = [];
  for (const { id } of body as { id: number }[]) {
    const { text } = await site.world.get(`/api/comments?a_id=${id}`);
    codes.push(...[...text.matchAll(/"id_code":"(\w+)"/g)].map(([, code]) => `/comments/${code}`));
  }
  expect(codes.length).toBeGreaterThan(10);
  expect(await statusesOf(codes)).toEqual([]);
});

/** Answered elsewhere, or made for each reader. */
const OUTSIDE = /^\/(?:api|static)\//;

test("no link of a page leads nowhere", async () => {
  const seen = new Set(["/"]);
  const wrong: string[] = [];
  for (const path of seen) {
    const { status, text, headers } = await site.world.get(path, { headers: { accept: "text/html" } });
    if (status !== 200) wrong.push(`${status} ${path}`);
    if (!String(headers["content-type"]).startsWith("text/html")) continue;
    for (const [, href = ""] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
      const url = new URL(href.replaceAll("&amp;", "&"), site.origin + path);
      const next = url.pathname + url.search;
      if (url.origin === site.origin && !OUTSIDE.test(next)) seen.add(next);
    }
  }
  expect(seen.size).toBeGreaterThan(150);
  expect(wrong).toEqual([]);
});
