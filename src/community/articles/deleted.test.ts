import { beforeAll, describe, expect, test } from "vitest";
import { publishedCount } from "./counting.ts";
import { worldForAll } from "../../../test/world.ts";
import { articleRecords } from "./records.ts";
import * as removal from "./removal.ts";
import { operator } from "../../http/actor.ts";
import { retiredPathRecords } from "./retired-paths.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const DAY_MS = 86_400_000;

describe("a deleted article", () => {
  let keys: Record<string, string>;
  const world = worldForAll({ now: NOW });
  beforeAll(
    async () =>
      void (keys = await world.keysOf({ ada: "member", bob: "member", watcher: "moderator", boss: "admin" })),
  );

  const remove = (id: number, who: string) =>
    world.request({ method: "DELETE", url: `/api/articles/${id}`, key: keys[who] });
  const published = (slug: string, fields: object = {}) =>
    world.article(
      { username: "ada" },
      { slug, title: slug, published_at: "2026-01-01T00:00:00Z", tags: ["thing"], ...fields },
    );
  test("is gone from everywhere at once, and comes back as it was", async () => {
    const { id } = await published("vanishing");
    const places = [
      `/api/articles/${id}`,
      "/api/articles/vanishing",
      "/api/articles/ada/vanishing",
      "/api/articles",
      "/api/articles/latest",
      "/api/articles?tag=thing",
      "/api/articles?username=ada&state=all",
      "/api/articles/search?q=vanishing",
      "/api/articles/me/all",
    ];
    const look = () =>
      Promise.all(places.map(async (url) => (await world.get(url, { key: keys["ada"] as string })).text));
    const before = await look();
    expect(before.filter((text) => text.includes("vanishing"))).toHaveLength(places.length);
    expect(await remove(id, "ada")).toMatchObject({ status: 204, text: "" });
    expect((await look()).filter((text) => text.includes("vanishing"))).toEqual([]);
    expect(await publishedCount(world.db)).toBe(0);
    expect(await remove(id, "ada")).toMatchObject({ status: 404 });
    const change = {
      method: "PUT",
      url: `/api/articles/${id}`,
      key: keys["ada"],
      body: { article: { title: "x" } },
    };
    expect(await world.request(change)).toMatchObject({ status: 404 });

    expect(
      await removal.restore(
        operator(world.db, () => NOW),
        id,
      ),
    ).toEqual({
      id,
      title: "vanishing",
      path: "/ada/vanishing",
      state: "published",
    });
    const normal = (text: string) => text.replaceAll(/"edited_at":[^,]*/g, "");
    expect((await look()).map(normal)).toEqual(before.map(normal));
    expect(await publishedCount(world.db)).toBe(1);
    await expect(
      removal.restore(
        operator(world.db, () => NOW),
        id,
      ),
    ).rejects.toThrow(`There is no deleted article with the id ${id}, nor one that staff unpublished.`);
    await remove(id, "boss");
  });

  test("was its author's or an admin's to delete; to everybody else there is none", async () => {
    const { id } = await published("contested");
    for (const who of ["bob", "watcher"]) expect(await remove(id, who)).toMatchObject({ status: 404 });
    expect(await world.request({ method: "DELETE", url: `/api/articles/${id}` })).toMatchObject({
      status: 401,
    });
    expect(await world.get("/api/articles/contested")).toMatchObject({ status: 200 });
    expect(await remove(id, "boss")).toMatchObject({ status: 204 });
    const event = await world.db
      .selectFrom("events")
      .select("payload")
      .where("type", "=", "article_destroyed")
      .orderBy("id", "desc")
      .executeTakeFirst();
    expect(event?.payload).toMatchObject({
      article_id: id,
      title: "contested",
      path: "/ada/contested",
      published: true,
    });
  });

  test("gives its canonical URL free, and can't come back while another has it", async () => {
    const canonical_url = "https://c.example/a";
    const { id } = await published("first-holder", { canonical_url });
    await remove(id, "ada");
    const second = await published("second-holder", { canonical_url });
    await expect(
      removal.restore(
        operator(world.db, () => NOW),
        id,
      ),
    ).rejects.toThrow("Canonical url has already been taken");
    await remove(second.id, "ada");
    expect(
      await removal.restore(
        operator(world.db, () => NOW),
        id,
      ),
    ).toMatchObject({ state: "published" });
  });

  test("is removed for good after 30 days, and its series with it", async () => {
    const { id } = await published("expiring", { series: "Expiring" });
    const kept = await published("kept", {});
    await remove(id, "ada");
    const day = (number: number) => new Date(NOW.getTime() + number * DAY_MS);
    await removal.purge(world.db, day(29));
    expect(await ids()).toContain(id);
    await removal.purge(world.db, day(30));
    expect(await ids()).not.toContain(id);
    expect(await ids()).toContain(kept.id);
    expect(await world.db.selectFrom("collections").select("id").execute()).toEqual([]);
  });

  test("isn't exported, and an import that names it brings it back", async () => {
    const guild = await world.organization({
      username: "guild",
      members: [{ username: "ada", role: "admin" }],
    });
    const { id } = await published("exported");
    const change = { article: { organization_id: guild.id } };
    await world.request({ method: "PUT", url: `/api/articles/${id}`, key: keys["ada"], body: change });
    expect(await exported()).toEqual({
      slugs: ["kept", "first-holder", "exported"].toSorted(),
      paths: ["/ada/exported"],
    });
    await remove(id, "ada");
    expect(await exported()).toEqual({ slugs: ["first-holder", "kept"], paths: [] });
    expect(await world.get("/api/articles/ada/exported")).toMatchObject({ status: 404 });
    expect((await published("exported")).id).toBe(id);
    expect(await world.get("/api/articles/exported")).toMatchObject({ status: 200, body: { id } });
    expect(await world.get("/api/articles/search?q=exported")).toMatchObject({ body: [{ id }] });
  });

  async function exported() {
    const options = { withSecrets: false };
    const slugs: string[] = [];
    for await (const row of articleRecords.read(world.db, options))
      slugs.push(String(Reflect.get(row, "slug")));
    const paths: unknown[] = [];
    for await (const row of retiredPathRecords.read(world.db, options)) paths.push(Reflect.get(row, "path"));
    return { slugs: slugs.toSorted(), paths };
  }

  async function ids(): Promise<number[]> {
    return (await world.db.selectFrom("articles").select("id").execute()).map(({ id }) => id);
  }
});
