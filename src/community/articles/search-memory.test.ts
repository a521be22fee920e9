import type { KyselyPlugin } from "kysely";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cases, sample } from "../../../test/setup.ts";
import { loadedSearch, type SearchParameters, searchUrl } from "../../../test/searching.ts";
import { demoTemplate } from "../../../test/community-file.ts";
import { send, startWorld, type World } from "../../../test/world.ts";
import { buildApp } from "../../app.ts";
import { createResponseCache } from "../../platform/cache.ts";
import type { App } from "../../http/app-type.ts";
import { type Current, SearchMemory } from "../../search/index/memory.ts";

/** Beside those of the demo. */
const ARTICLES = 1_000;
/** No bodies, some of them, and all. */
const SHARES = [0, 0.3, 2];

let world: World;
let memories: SearchMemory[];
let apps: App[];
beforeAll(async () => {
  world = await startWorld({ template: await demoTemplate() });
  await world.user({ username: "ada" });
  await world.articles(await articles());
  const { bytes } = (await loaded(new SearchMemory(2 ** 30))).segment.index;
  memories = SHARES.map((share) => new SearchMemory(Math.ceil(share * bytes)));
  apps = await Promise.all(
    memories.map(async (searchMemory) => {
      await loaded(searchMemory);
      const cache = createResponseCache([world.db]);
      return buildApp(world.context, { ...world.services, cache, searchMemory });
    }),
  );
});
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  await world.stop();
});

const loaded = (memory: SearchMemory) => loadedSearch(memory, world.db);

async function texts(): Promise<{ title: string; body_markdown: string }[]> {
  return world.db
    .selectFrom("articles")
    .select(["title", "body_markdown"])
    .where("title", "not like", "Draft %")
    .orderBy("id")
    .execute();
}

/** A word of many titles, one of a single body, and one of all bodies. */
const wordsOf = (number: number) => ({
  title: number % 8 === 0 ? " quokka" : "",
  body: number === 999 ? ". A numbat, a pangolin." : ". A pangolin.",
});

/** Of sentences and words of titles in the demo. */
async function articles() {
  const all = await texts();
  const titles = all.flatMap(({ title }) => title.split(" "));
  const sentences = all.flatMap(({ body_markdown }) => body_markdown.match(/[\p{L} ,']{20,200}/gu) ?? []);
  return Array.from({ length: ARTICLES }, (_, number) => ({
    author: "ada",
    title: [3, 5, 7].map((step) => titles[(number * step) % titles.length]).join(" ") + wordsOf(number).title,
    slug: `made-${number}`,
    body_markdown:
      [11, 13, 17, 19].map((step) => sentences[(number * step) % sentences.length]).join(". ") +
      wordsOf(number).body,
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
  return sample(distinct, 40).map((q, at) => ({
    q,
    per_page: 5,
    ...(at % 5 === 0 && { top: 3_650 }),
    ...(at % 7 === 0 && { tag: "gardening" }),
  }));
}

async function answerOf(app: App, url: string) {
  const { status, body, headers } = await send(app, { url });
  const ids = (body as { id: number }[]).map(({ id }) => id);
  return { status, ids, match: headers["x-search-match"] };
}

const SLOW: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => {
    await sleep(200);
    return result;
  },
};

describe("the memory of a process", () => {
  test("holds the heads of all articles, and as many bodies as it has room for", async () => {
    const held = await Promise.all(memories.map(loaded));
    const bodies = held.map(({ segment: { index } }) => {
      const all = index.hasBody.subarray(0, index.slots);
      return all.reduce((sum, one) => sum + one, 0) / index.size;
    });
    expect(new Set(held.map(({ segment }) => segment.index.size)).size).toBe(1);
    expect(bodies.map((share) => share === 1)).toEqual([false, false, true]);
    expect(bodies).toEqual(bodies.toSorted((one, other) => one - other));
    expect(held.map(({ isWhole }) => isWhole)).toEqual([false, false, true]);
    const { index } = (held[1] as Current).segment;
    const reactionsOf = (has: number) =>
      [...index.reactions.subarray(0, index.slots)].filter((_, slot) => index.hasBody[slot] === has);
    expect(reactionsOf(1).length).toBeGreaterThan(0);
    expect(Math.min(...reactionsOf(1))).toBeGreaterThanOrEqual(Math.max(...reactionsOf(0)));
  });

  test("changes no answer whose articles have all words, but their order, and finds something always", async () => {
    const asked = await queries();
    expect(asked.length).toBeGreaterThan(cases(5_000, 30));
    let compared = 0;
    for (const parameters of asked) {
      const answers = await Promise.all(apps.map((app) => answerOf(app, searchUrl(parameters))));
      const whole = answers.at(-1);
      for (const { ids, status } of answers) expect([status, ids.length]).toEqual([200, whole?.ids.length]);
      if (whole?.match === "partial" || whole?.ids.length === 5) continue;
      compared++;
      for (const { ids } of answers) expect(new Set(ids)).toEqual(new Set(whole?.ids));
    }
    expect(compared).toBeGreaterThan(0);
  });

  test("gives each article once on the pages of a long search", async () => {
    for (const app of apps) {
      const ids: number[] = [];
      for (let page = 0, isMore = true; isMore; page++) {
        const found = await answerOf(app, searchUrl({ q: "the garden letter", per_page: 100, page }));
        ids.push(...found.ids);
        isMore = found.ids.length > 0;
      }
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  test("has each article once, and says right whether one has all words, where a body is not there", async () => {
    for (const app of apps) {
      const ids: number[] = [];
      for (let page = 0, isMore = true; isMore; page++) {
        const found = await answerOf(app, searchUrl({ q: "numbat quokka", per_page: 30, page }));
        if (found.ids.length > 0) expect(found.match).toBe("partial");
        ids.push(...found.ids);
        isMore = found.ids.length > 0;
      }
      expect(ids).toHaveLength(126);
      expect(new Set(ids).size).toBe(ids.length);
      const { match } = await answerOf(app, searchUrl({ q: "numbat pangolin" }));
      expect(match).toBe("exact");
    }
  });

  test("finds the few articles of the last year, whose bodies are not there, among many", async () => {
    const published_at = new Date(Date.now() - 100 * 86_400_000).toISOString();
    await world.articles([
      { author: "ada", title: "Late", slug: "late", body_markdown: "A pangolin.", tags: [], published_at },
    ]);
    for (const app of apps) {
      const { text } = await send(app, { url: "/search?q=pangolin&time=year" });
      expect(text).toContain('href="/ada/late"');
    }
  });

  test("changes no page of the order of popularity", async () => {
    for (const page of [0, 1, 2]) {
      const url = searchUrl({ q: "garden", top: 3_650, per_page: 20, page });
      const answers = await Promise.all(apps.map((app) => answerOf(app, url)));
      expect(answers.at(-1)?.ids).toHaveLength(20);
      for (const { ids } of answers) expect(ids).toEqual(answers.at(-1)?.ids);
    }
  });

  test("has an article that became more popular while it was loaded", async () => {
    const searchMemory = new SearchMemory(2 ** 30);
    const cache = createResponseCache([world.db]);
    await searchMemory.current(world.db.withPlugin(SLOW), cache);
    const last = await world.db
      .selectFrom("published_articles")
      .select("article_id")
      .orderBy("reactions")
      .orderBy("published_at")
      .orderBy("article_id")
      .limit(1)
      .executeTakeFirstOrThrow();
    await world.superuser
      .updateTable("published_articles")
      .set({ reactions: 10_000 })
      .where("article_id", "=", last.article_id)
      .execute();
    const { segment } = await loaded(searchMemory);
    expect(segment.index.slotOf(last.article_id)).toBeDefined();
  });

  test("is searched while it is loaded", async () => {
    const searchMemory = new SearchMemory(2 ** 30);
    const cache = createResponseCache([world.db]);
    const app = await buildApp(world.context, { ...world.services, cache, searchMemory });
    await searchMemory.current(world.db.withPlugin(SLOW), cache);
    const { ids } = await answerOf(app, searchUrl({ q: '"the garden"', per_page: 100 }));
    expect((await searchMemory.current(world.db, cache)).isWhole).toBe(false);
    const whole = await answerOf(apps.at(-1) as App, searchUrl({ q: '"the garden"', per_page: 100 }));
    expect(new Set(ids)).toEqual(new Set(whole.ids));
    await app.close();
  });
});
