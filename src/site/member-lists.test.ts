import { beforeAll, describe, expect, test } from "vitest";
import { cookieFor, postForm } from "../../test/accounts.ts";
import { worldForAll } from "../../test/world.ts";

const world = worldForAll({ now: new Date("2026-03-31T12:00:00Z") });
let ids: Record<string, number>;
let cookie: string;
let article: { id: number };

beforeAll(async () => {
  const made = await Promise.all(["ada", "bob", "eve"].map((username) => world.user({ username })));
  ids = Object.fromEntries(made.map(({ id, username }) => [username, id]));
  cookie = await cookieFor(world, idOf("eve"));
  article = await world.article({ username: "ada" }, { title: "Looms", tags: ["wool"] });
});

const idOf = (who: string) => ids[who] ?? 0;
const get = (url: string, who = "") =>
  world.get(url, { headers: { accept: "text/html", ...(who !== "" && { cookie }) } });
const press = (act: string, id: number, on = "1") =>
  postForm(world, `/take-part/${act}/${id}`, { on, back: "/" }, { accept: "text/html", cookie });

describe("what a member follows and saves", () => {
  test("is on a tab of the front page, each article once, page by page", async () => {
    expect((await get("/?tab=following")).status).toBe(303);
    const none = (await get("/?tab=following", "eve")).text;
    expect(none).toContain("Popular tags");
    expect(none).toContain(`id="follow-user-${idOf("ada")}"`);
    const { id: tagId } = await world.db
      .selectFrom("tags")
      .select("id")
      .where("name", "=", "wool")
      .executeTakeFirstOrThrow();
    const titles = [];
    for (let n = 0; n < 24; n++) {
      const [who, tags] = n % 2 ? (["ada", ["wool"]] as const) : (["bob", ["wool"]] as const);
      const title = `Piece ${n}`;
      titles.push(title);
      await world.article(
        { username: who },
        { title, tags: [...tags], published_at: `2026-03-0${1 + (n % 9)}T00:00:00Z` },
      );
    }
    await press("follow-tag", tagId);
    await press("follow-user", idOf("ada"));
    const titlesIn = (html: string) =>
      [...html.matchAll(/<h2 dir="auto"><a href="[^"]*">(.*?)<\/a>/g)].map(([, title]) => title);
    const first = (await get("/?tab=following", "eve")).text;
    const next = /<a href="([^"]*)" rel="next"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const rest = (await get(next, "eve")).text;
    const all = [...titlesIn(first), ...titlesIn(rest)];
    expect(titlesIn(first)).toHaveLength(20);
    expect(new Set(all)).toEqual(new Set([...titles, "Looms"]));
    expect(all).toHaveLength(titles.length + 1);
    await press("follow-tag", tagId, "0");
    await press("follow-user", idOf("ada"), "0");
  });

  test("has suggestions beside while those that a member follows have published nothing", async () => {
    const { id } = await world.user({ username: "new_voice" });
    await press("follow-user", id);
    const { text } = await get("/?tab=following", "eve");
    expect(text).toContain("Nothing published yet by those you follow");
    expect(text).toContain("Popular tags");
    await press("follow-user", id, "0");
    expect((await get("/?tab=following", "eve")).text).not.toContain("Nothing published yet");
  });

  test("is in the reading list, is archived and comes back", async () => {
    expect((await get("/reading-list", "eve")).text).toContain("Nothing is saved yet");
    await press("readinglist", article.id);
    expect((await get("/reading-list", "eve")).text).toContain("Looms");
    await press("archive", article.id);
    expect((await get("/reading-list", "eve")).text).toContain("Nothing is saved yet");
    expect((await get("/reading-list?tab=archive", "eve")).text).toContain("Looms");
    await press("archive", article.id, "0");
    await press("remove", article.id);
    expect((await get("/reading-list", "eve")).text).toContain("Nothing is saved yet");
    expect((await get("/reading-list?tab=archive", "eve")).text).toContain("Nothing is archived");
  });
});
