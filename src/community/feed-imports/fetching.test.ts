import { sql } from "kysely";
import { operator } from "../../http/actor.ts";
import { describe, expect, test } from "vitest";
import { importing, NOW, type Post, rss } from "../../../test/fetching.ts";
import { tellingIn } from "../../../test/events.ts";
import { createConverter } from "./converter.ts";
import * as imports from "./imports.ts";
import * as settings from "../../platform/settings/settings.ts";
import { lift, suspend } from "../moderation/acts.ts";

const site = importing();

let serial = 0;
/** Posts that no other test has, the newest first. */
const posts = (count: number): Post[] =>
  Array.from({ length: count }, (_, index) => {
    serial += 1;
    const date = new Date(NOW.getTime() - (index + 1) * 3_600_000).toUTCString();
    return { title: `Post ${index + 1}`, link: `https://blog.example/p/${serial}`, guid: `p${serial}`, date };
  });

const titles = async (author: { id: number }) => (await site.articles(author)).map(({ title }) => title);

describe("a feed", () => {
  test("is taken in a hundred items at a time, the newest first", async () => {
    const author = await site.author();
    site.says(rss(posts(103)), { etag: '"1"' });
    const { id } = await site.add(author);
    const numbers = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => `Post ${to - index}`);
    expect(await titles(author)).toEqual(numbers(1, 100));
    expect(await site.refresh(id)).toMatchObject({ new_imported: 3, imported: 103 });
    expect(await titles(author)).toEqual([...numbers(1, 100), ...numbers(101, 103)]);
    // The rest was asked for without saying what was read already, and only then.
    expect(site.asked().map(({ headers }) => headers["if-none-match"])).toEqual([undefined, undefined]);
  });

  test("is asked for what is new only, and may say that there is nothing", async () => {
    const author = await site.author();
    site.says(rss(posts(1)), { etag: '"a"', "last-modified": "Mon, 02 Mar 2026 09:15:00 GMT" });
    const { id } = await site.add(author);
    site.answers({ status: 304 });
    expect(await site.refresh(id)).toMatchObject({ new_imported: 0, problem: null });
    expect(await site.refresh(id)).toMatchObject({ new_imported: 0, problem: null });
    const conditions = { "if-none-match": '"a"', "if-modified-since": "Mon, 02 Mar 2026 09:15:00 GMT" };
    expect(site.asked().slice(1)).toMatchObject([{ headers: conditions }, { headers: conditions }]);
  });

  test("is read by the worker every hour, and never within a quarter of one", async () => {
    const author = await site.author();
    site.says(rss(posts(1)));
    await site.add(author);
    site.says(rss(posts(1).map((post) => ({ ...post, title: "Next" }))));
    site.later(0.25);
    await site.refreshDueElsewhere();
    expect(site.asked()).toHaveLength(1);
    site.later(1);
    await site.refreshDueElsewhere();
    expect(site.asked()).toHaveLength(2);
    expect(await site.articles(author)).toHaveLength(2);
  });

  test("isn't read any more when it or its person is removed", async () => {
    const [author, other] = [await site.author(), await site.author()];
    site.says(rss(posts(1)));
    const { id } = await site.add(author);
    const { id: othersId } = await site.add(other);
    await site.remove(id);
    await site.world.db.deleteFrom("users").where("id", "=", other.id).execute();
    site.later(2);
    await site.refreshDueElsewhere();
    expect(site.asked()).toHaveLength(2);
    expect(await site.articles(author)).toHaveLength(1);
    const left = await site.world.db
      .selectFrom("fetches")
      .select("id")
      .where("kind", "=", "feed")
      .where("id", "in", [id, othersId])
      .execute();
    expect(left).toEqual([]);
  });

  test.each([
    ["there is none", { status: 404 }, "status 404 (Not Found)"],
    ["its server fails", { status: 500, body: "at 10.1.2.3: secret banner" }, "status 500"],
    ["nothing is new that was never read", { status: 304 }, "status 304"],
    ["it is a web page", { body: "<!doctype html><html><title>Hello</title></html>" }, "a web page"],
    ["it is broken", { body: "<rss><channel><item>" }, ""],
    ["it is too large", { body: Buffer.alloc(5 * 1024 * 1024 + 1, " ") }, ""],
    ["it leads to itself", { status: 302, headers: { location: "/loop" } }, ""],
  ])("can't be read when %s, which is told and tried again", async (_what, page, sentence) => {
    site.there.put("/loop", { status: 302, headers: { location: "/loop" } });
    const author = await site.author();
    site.answers(page);
    const { id, problem, succeeded_at, due_at } = await site.add(author);
    expect(problem).toContain(sentence);
    expect(problem).toMatch(/^[A-Z0-9].{10,}\.$/);
    expect(problem).not.toMatch(/banner|10\.1\.2\.3/);
    expect(succeeded_at).toBeNull();
    expect(due_at?.getTime()).toBeGreaterThan(NOW.getTime());
    expect(await site.articles(author)).toEqual([]);
    site.says(rss(posts(1)));
    expect(await site.refresh(id)).toMatchObject({ new_imported: 1, problem: null });
  });
});

describe("a computer that is too busy", () => {
  test("leaves items to the next time, a quarter of an hour later", async () => {
    const author = await site.author();
    site.says(rss(posts(2)), { etag: '"busy"' });
    const converter = createConverter();
    await converter.close();
    const source = { userId: author.id, url: site.url(), publish: false };
    const added = await imports.add({ ...site.surroundings(), converter }, source);
    expect(added).toMatchObject({ imported: 0, skipped: 0, problem: null });
    expect(added.due_at?.getTime()).toBeLessThan(NOW.getTime() + 20 * 60_000);
    site.later(0.5);
    await site.refreshDueElsewhere();
    expect(await titles(author)).toEqual(["Post 2", "Post 1"]);
  });
});

describe("an item that can't be converted", () => {
  test("is left out and reported, and the others come", async () => {
    const author = await site.author();
    const [last = {}, hostile = {}, first = {}] = posts(3);
    // Of work for much longer than the deadline.
    site.says(rss([last, { ...hostile, html: "<ul><li>a</li></ul>".repeat(40_000) }, first]), {
      etag: '"1"',
    });
    const converter = createConverter(200);
    const source = { userId: author.id, url: site.url(), publish: false };
    expect(await imports.add({ ...site.surroundings(), converter }, source)).toMatchObject({
      imported: 2,
      skipped: 1,
      problem: null,
      last_skipped: [{ title: "Post 2", reason: "Its HTML takes too long to be made into Markdown" }],
    });
    expect(await titles(author)).toEqual(["Post 3", "Post 1"]);
    await converter.close();
  });
});

describe("a process that is killed", () => {
  test("between two items leaves the others to the next, and doubles none", async () => {
    const author = await site.author();
    site.says(rss(posts(5)));
    const { superuser } = site.world;
    // What a kill in the middle leaves behind: some items with their articles, and no word of how it ended.
    await sql`
      create function stop_at_third() returns trigger language plpgsql as $$
      begin
        if (select count(*) from feed_items where feed_id = new.feed_id) >= 2 then raise exception 'killed'; end if;
        return new;
      end $$`.execute(superuser);
    await sql`create trigger stop before insert on feed_items for each row execute function stop_at_third()`.execute(
      superuser,
    );
    await expect(site.add(author)).rejects.toThrow("killed");
    expect(await titles(author)).toEqual(["Post 5", "Post 4"]);
    await sql`drop function stop_at_third cascade`.execute(superuser);
    site.later(30);
    await site.refreshDueElsewhere();
    expect(await titles(author)).toEqual(["Post 5", "Post 4", "Post 3", "Post 2", "Post 1"]);
  });
});

describe("nothing is taken in", () => {
  test("for a suspended person, until that is taken back", async () => {
    const author = await site.author();
    await suspend(operator(site.world.db), { id: author.id });
    site.says(rss(posts(1)));
    const { id, problem } = await site.add(author);
    expect(problem).toBe(`${author.username} is suspended, so nothing is imported.`);
    expect([site.asked(), await site.articles(author)]).toEqual([[], []]);
    await lift(operator(site.world.db), { id: author.id });
    expect(await site.refresh(id)).toMatchObject({ new_imported: 1, problem: null });
  });

  test("where only admins write, but for them", async () => {
    const [author, admin] = [await site.author(), await site.author({ role: "admin" })];
    await settings.set(site.world.db, "posting", "admins");
    site.says(rss(posts(1)));
    const { id, problem } = await site.add(author);
    expect(problem).toContain(`Only admins write here`);
    expect(problem).toContain(author.username);
    expect(await site.articles(author)).toEqual([]);
    expect(await site.add(admin)).toMatchObject({ imported: 1, problem: null });
    await settings.set(site.world.db, "posting", "everyone");
    expect(await site.refresh(id)).toMatchObject({ new_imported: 1, problem: null });
  });

  test("of a person who is suspended while their feed is read", async () => {
    const author = await site.author();
    const body = rss(posts(1));
    site.answers((_request, response) => {
      void suspend(operator(site.world.db), { id: author.id }).then(() => response.end(body));
    });
    expect(await site.add(author)).toMatchObject({
      imported: 0,
      skipped: 0,
      problem: expect.stringContaining("is suspended"),
    });
    expect(await site.articles(author)).toEqual([]);
  });
});

describe("who follows the author of a feed that is published", () => {
  test("notifies of new items, and not of those older than a week", async () => {
    const [author, reader] = [await site.author(), await site.author()];
    await site.world.follow({ user: reader.username, followed_user: author.username });
    const [fresh = {}, old = {}, undated = {}] = posts(3);
    const { date: _date, ...rest } = undated;
    const long = new Date(NOW.getTime() - 7 * 86_400_000 - 1_000).toUTCString();
    site.says(rss([fresh, { ...old, date: long }, rest]));
    await site.add(author, { publish: true });
    const telling = tellingIn(site.world, NOW);
    await telling.fanOut();
    const shown = (await telling.shown(reader)) as { title: string }[];
    expect(shown.map(({ title }) => title).toSorted()).toEqual(["Post 1", "Post 3"]);
  });

  test("isn't told of drafts", async () => {
    const [author, reader] = [await site.author(), await site.author()];
    await site.world.follow({ user: reader.username, followed_user: author.username });
    site.says(rss(posts(1)));
    await site.add(author);
    const telling = tellingIn(site.world, NOW);
    await telling.fanOut();
    expect(await telling.shown(reader)).toEqual([]);
  });
});
