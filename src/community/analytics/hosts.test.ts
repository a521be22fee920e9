import { beforeAll, describe, expect, test } from "vitest";
import { untilWaiting } from "../../../test/waiting.ts";
import { startAnother } from "../../../test/servers.ts";
import { type World, worldForAll } from "../../../test/world.ts";
import type { Referrers } from "./routes.ts";

const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

let ada: Awaited<ReturnType<World["user"]>>;
const world = worldForAll({
  now: new Date("2026-03-31T12:00:00Z"),
  config: { trustProxy: ["127.0.0.1"] },
});
beforeAll(async () => {
  ada = await world.user({ username: "ada" });
  await world.user({ username: "ben" });
});

const write = () => world.services.views.write(world.db, () => {});

async function written(id: number) {
  await write();
  return world.db
    .selectFrom("page_views")
    .select(["referrer", "views"])
    .where("article_id", "=", id)
    .orderBy("referrer")
    .execute();
}

describe("a view", () => {
  test("is from other hosts when it is from another than the first 50 of the day", async () => {
    const { id, slug } = await world.article(ada);
    const from = (referer: string, address: string) =>
      world.request({
        url: `/api/articles/${id}`,
        headers: { "x-forwarded-for": address, "user-agent": BROWSER, referer },
      });
    await world.pageViews({ article: slug, on: "2026-03-31", referrer: "known.example", user: "ben" });
    for (let n = 1; n <= 60; n += 1) {
      await from(`https://h${n}.spam.example/`, `198.51.100.${n}`);
      if (n === 30) await write();
    }
    await write();
    await from("https://known.example/", "198.51.100.61");
    await from("https://h49.spam.example/", "198.51.100.62");
    await from("https://h50.spam.example/", "198.51.100.63");
    const rows = await written(id);
    const first = Array.from({ length: 49 }, (_, index) => `h${index + 1}.spam.example`);
    const names = [...first, "known.example", "known.example", "other hosts"];
    expect(rows.map(({ referrer }) => referrer)).toEqual(names.toSorted());
    const many = rows.filter(({ views }) => views !== "1");
    expect(many.map(({ referrer, views }) => [referrer, views])).toEqual([
      ["h49.spam.example", "2"],
      ["other hosts", "12"],
    ]);
    const key = await world.key(ada);
    const { body } = await world.get(`/api/analytics/referrers?article_id=${id}`, { key });
    expect((body as Referrers).domains[0]).toEqual({ domain: "other hosts", count: 12 });
  });

  test("is from one of 50 hosts however many servers write at once", async () => {
    const { id } = await world.article(ada);
    const other = await startAnother(world);
    for (let n = 0; n < 80; n += 1) {
      const headers = {
        "x-forwarded-for": `192.0.2.${n}`,
        "user-agent": BROWSER,
        referer: `https://h${n}.spam.example/`,
      };
      await (n % 2 === 0 ? world : other).request({ url: `/api/articles/${id}`, headers });
    }
    const writing = await world.db.transaction().execute(async (tx) => {
      await tx.selectFrom("articles").select("id").where("id", "=", id).forUpdate().execute();
      const both = Promise.all([write(), other.services.views.write(other.db, () => {})]);
      await untilWaiting(tx, 2);
      return { both };
    });
    await writing.both;
    await other.stop();
    const rows = await written(id);
    expect(rows).toHaveLength(51);
    expect(rows.find(({ referrer }) => referrer === "other hosts")?.views).toBe("30");
  });
});
