import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cases, sample } from "../../test/long.ts";
import { searchUrl, type SearchParameters } from "../../test/searching.ts";
import { until } from "../../test/until.ts";
import { send, startWorld, type World } from "../../test/world.ts";
import { buildApp } from "../app.ts";
import { createResponseCache } from "../cache.ts";
import { load } from "../demo/demo.ts";
import type { App } from "../http/app-type.ts";
import { SearchMemory } from "../search-index/memory.ts";
import type { Held } from "../search-index/segment.ts";
import { rebalance } from "../search/popularity-tiers.ts";

/** Beside those of the demo. */
const ARTICLES = 1_000;
/** Words are weighed by 400 articles; of the others a few are ranked. */
const ENDS = [50, 150, 400, 700];
/** None, enough for some of the articles that weigh words, for some of the others, and for all. */
const SHARES = [0, 0.5, 0.8, 2];

let world: World;
let apps: App[];
let held: (Held | undefined)[];
beforeAll(async () => {
  world = await startWorld();
  const { renderPool } = world.services;
  await load(world.db, { renderPool, now: new Date(), baseUrl: "https://ink.example" });
  await world.user({ username: "ada" });
  await world.articles(await articles());
  await rebalance(world.db, { ends: ENDS });
  const bytes = (await heldBy(new SearchMemory(2 ** 30))).segment.index.bytes;
  const memories = SHARES.map((share) => new SearchMemory(Math.ceil(share * bytes)));
  apps = await Promise.all(
    memories.map((searchMemory) => {
      const cache = createResponseCache([world.db]);
      return buildApp(world.context, { ...world.services, cache, searchMemory });
    }),
  );
  held = await Promise.all(
    memories.map((memory, at) => (SHARES[at] === 0 ? Promise.resolve(undefined) : heldBy(memory))),
  );
});
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  await world.stop();
});

async function heldBy(memory: SearchMemory) {
  const held = async () => (await memory.current(world.db, createResponseCache([]))).held;
  await until(async () => (await held()) !== undefined);
  return (await held()) as NonNullable<Awaited<ReturnType<typeof held>>>;
}

async function texts(): Promise<{ title: string; body_markdown: string }[]> {
  return world.db
    .selectFrom("articles")
    .select(["title", "body_markdown"])
    .where("title", "not like", "Draft %")
    .orderBy("id")
    .execute();
}

/** Of sentences and words of titles in the demo. */
async function articles() {
  const all = await texts();
  const titles = all.flatMap(({ title }) => title.split(" "));
  const sentences = all.flatMap(({ body_markdown }) => body_markdown.match(/[\p{L} ,']{20,200}/gu) ?? []);
  return Array.from({ length: ARTICLES }, (_, number) => ({
    author: "ada",
    title: [3, 5, 7].map((step) => titles[(number * step) % titles.length]).join(" "),
    slug: `made-${number}`,
    body_markdown: [11, 13, 17, 19].map((step) => sentences[(number * step) % sentences.length]).join(". "),
    tags: number % 3 === 0 ? ["gardening"] : [],
    imported_reactions_count: (number * 7_919) % 600,
    published_at: new Date(Date.UTC(2025, 0, 1) + number * 3_600_000).toISOString(),
  }));
}

/** Of titles and bodies: words, pairs, questions, beginnings, misspelt words, phrases and exclusions. */
async function queries(): Promise<SearchParameters[]> {
  const found = (await texts())
    .flatMap(({ title, body_markdown }) => [title, body_markdown.slice(0, 400)])
    .flatMap((text) => {
      const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
      const [one = "", two = "", three = ""] = [words[0], words[Math.floor(words.length / 2)], words.at(-1)];
      return [
        one,
        `${one} ${three}`,
        `how to ${two} a ${three}`,
        two.slice(0, 3),
        two.replace(/^(.)(.)(.)/u, "$1$3$2"),
        `"${words.slice(0, 2).join(" ")}"`,
        `${one} -${three}`,
        words.slice(0, 7).join(" "),
        `${two} ${one} nowhereatall`,
      ];
    });
  const distinct = [...new Set(found)].filter((q) => q.trim() !== "" && q.length <= 200);
  return sample(distinct, 100).map((q, at) => ({
    q,
    per_page: 5,
    ...(at % 5 === 0 && { top: 3_650 }),
    ...(at % 7 === 0 && { tag: "gardening" }),
  }));
}

async function answerOf(app: App, url: string) {
  const { status, body, headers } = await send(app, { url });
  const ids = (body as { id: number }[]).map(({ id }) => id);
  return { url, status, ids, match: headers["x-search-match"], link: headers["link"] };
}

describe("the memory of a process", () => {
  test("holds the most popular articles that it has room for", () => {
    const [none, few, most, all] = held;
    expect(none).toBeUndefined();
    expect(few?.last).toBeDefined();
    expect(few?.segment.index.size).toBeLessThan(ENDS[2] as number);
    expect(most?.last).toBeDefined();
    expect(most?.segment.index.size).toBeGreaterThan(ENDS[2] as number);
    expect(all?.last).toBeUndefined();
  });

  test("changes no search: its articles, their order, the match and the next page", async () => {
    const asked = await queries();
    expect(asked.length).toBeGreaterThan(cases(5_000, 80));
    for (const parameters of asked) {
      const answers = await Promise.all(apps.map((app) => answerOf(app, searchUrl(parameters))));
      for (const answer of answers) expect(answer).toEqual(answers.at(-1));
    }
  });

  test("changes no page of a long search", async () => {
    for (let page = 0; page < 40; page += 3) {
      const url = searchUrl({ q: "the garden letter", per_page: 50, page });
      const answers = await Promise.all(apps.map((app) => answerOf(app, url)));
      for (const answer of answers) expect(answer).toEqual(answers.at(-1));
    }
  });
});
