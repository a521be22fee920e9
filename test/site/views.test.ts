import { expect, test } from "vitest";
import { siteForAll } from "../site.ts";
import { until } from "../waiting.ts";

const site = siteForAll({ config: { edgeSeconds: 10 } });
const ARTICLE = "/mara_lindqvist/everything-markdown-can-do-here";

const REFERRER = "https://news.example/item?id=1";
const BROWSER = { userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" };

test("a browser reports that it reads an article, and from where", async () => {
  const before = await figures();
  const { page, faults } = await site.open("/", BROWSER);
  await page.goto(site.origin + ARTICLE, { referer: REFERRER });
  await until(async () => (await figures()) === before + 1);
  expect(faults).toEqual([]);
});

test("a browser without scripts reads articles, and isn't counted", async () => {
  const before = await figures();
  const { page } = await site.open("/", { ...BROWSER, javaScriptEnabled: false });
  await page.goto(site.origin + ARTICLE, { referer: REFERRER });
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await figures()).toBe(before);
});

async function figures(): Promise<number> {
  await site.world.services.views.write(site.world.db, () => {});
  const { views } = await site.world.db
    .selectFrom("page_views")
    .select((eb) => eb.fn.sum("views").as("views"))
    .where("referrer", "=", "news.example")
    .executeTakeFirstOrThrow();
  return Number(views);
}
