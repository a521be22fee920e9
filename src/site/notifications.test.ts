import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { tellingIn, type Telling } from "../../test/events.ts";
import { startWorld, type World } from "../../test/world.ts";
import { comments } from "../../test/actors.ts";
import { notifyOfSecurity } from "../community/notifications/notifications.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import { render } from "../community/comments/body.ts";
import * as sessions from "../community/users/sessions.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const PATH = "/notifications";

interface Person {
  id: number;
  username: string;
}

let world: World;
let telling: Telling;
let ada: Person;
let bob: Person;
let looms: { id: number; slug: string };

beforeAll(async () => {
  world = await startWorld({ now: NOW });
  telling = tellingIn(world, NOW);
  ada = await world.user({ username: "ada", name: "Ada" });
  bob = await world.user({ username: "bob", name: "Bob" });
});
beforeEach(async () => {
  await telling.fanOut();
  await world.db.deleteFrom("notifications").execute();
  looms = await world.article(ada, { title: "Looms" });
});
afterAll(() => world.stop());

async function say(writer: Person, markdown: string, parentId?: number): Promise<number> {
  const body = await render(world.db, world.services.renderPool, markdown);
  const wanted = { writer, target: { article_id: looms.id }, parentId, body };
  const { id } = await inTransaction(world.db, (tx) => comments.write(tx, wanted, { now: NOW }));
  await telling.fanOut();
  return id;
}

async function ask(person: Person, url: string, method = "GET", more: Record<string, string> = {}) {
  const device = { userId: person.id, network: "", browser: "" };
  const cookie = `__Host-session=${await sessions.begin(world.db, device, NOW)}`;
  const sent = { "sec-fetch-site": "same-origin", "content-type": "application/x-www-form-urlencoded" };
  const headers = { accept: "text/html", cookie, ...(method === "POST" && sent), ...more };
  return world.request({ method, url, headers, ...(method === "POST" && { body: "" }) });
}

/** The sentences of a page with their links, and whether each is unread. */
async function shown(person: Person, url = PATH) {
  const { text } = await ask(person, url);
  return [...text.matchAll(/<li class="byline( unread)?">.*?<a href="(.*?)">(.*?)<\/a>(.*?)<\/li>/gs)].map(
    ([, unread, link = "", html = "", rest = ""]) => {
      expect(rest.includes("<strong>Unread</strong>")).toBe(unread !== undefined);
      return { words: html.replaceAll(/<[^>]*>/g, "").trim(), link, isUnread: unread !== undefined };
    },
  );
}

const wordsOf = async (person: Person) => (await shown(person)).map(({ words }) => words);
const bellIn = (text: string) => /aria-label="(Notifications[^"]*)"/.exec(text)?.[1];

test("a member without notifications sees what will be there, and no number in the header", async () => {
  const { text, headers } = await ask(bob, PATH);
  expect(text).toContain("No notifications yet");
  expect(text).not.toContain("Mark all read");
  expect(bellIn(text)).toBe("Notifications");
  expect(headers["cache-control"]).toBe("private, no-store");
  expect(bellIn((await world.get("/", { headers: { accept: "text/html" } })).text)).toBeUndefined();
});

test("each kind has its sentence, the newest first", async () => {
  const first = await say(bob, "Nice weave");
  await say(bob, "And @ada", await say(ada, "Thanks", first));
  await telling.send(bob, "POST", "/api/articles", {
    article: { title: "The <warp>", body_markdown: "Hello @ada", published: true },
  });
  await world.follow({ user: "ada", followed_user: "bob" });
  await telling.publish(bob, "Wefts");
  await telling.fanOut();
  await notifyOfSecurity(world.db, { userId: ada.id, text: "Your password was changed.", now: NOW });
  expect(await wordsOf(ada)).toEqual([
    "Your password was changed.",
    "Bob published Wefts",
    "Bob mentioned you in The &lt;warp>",
    "Bob replied to your comment on Looms",
    "Bob commented on Looms",
  ]);
  expect(await wordsOf(bob)).toEqual([
    "Your article Wefts is published",
    "Your article The &lt;warp> is published",
    "Ada replied to your comment on Looms",
  ]);
});

describe("the link of a notification", () => {
  test("marks it as read, and leads to the comment among the first ones", async () => {
    const [first] = [await say(bob, "One"), await say(bob, "Two")];
    const [, one] = await shown(ada);
    expect(bellIn((await ask(ada, "/tags")).text)).toBe("Notifications, 2 unread");
    const { status, headers } = await ask(ada, one?.link ?? "");
    expect([status, headers["location"], headers["cache-control"]]).toEqual([
      303,
      `/ada/${looms.slug}#comment-${first.toString(26)}`,
      "private, no-store",
    ]);
    expect((await shown(ada)).map(({ isUnread }) => isUnread)).toEqual([true, false]);
    expect(bellIn((await ask(ada, "/tags")).text)).toBe("Notifications, 1 unread");
    expect((await ask(ada, one?.link ?? "")).status).toBe(303);
  });

  test("is not opened by a picture in a text, nor by a browser that looks ahead", async () => {
    await say(bob, "One");
    const [{ link } = { link: "" }] = await shown(ada);
    for (const headers of [{ "sec-fetch-dest": "image" }, { "sec-purpose": "prefetch" }]) {
      expect((await ask(ada, link, "GET", headers)).status).toBe(303);
      expect((await shown(ada)).map(({ isUnread }) => isUnread)).toEqual([true]);
    }
  });

  test("of another kind leads to its place", async () => {
    const { id } = await world.webhook(ada, { target_url: "https://hooks.example/a" });
    for (const row of [
      { kind: "follow", actor_id: bob.id },
      { kind: "application", notice: "A person asks to join" },
      { kind: "security", notice: "Your password was changed." },
      { kind: "webhook_disabled", webhook_endpoint_id: id },
      { kind: "article_published", article_id: looms.id, actor_id: null },
    ])
      await world.db
        .insertInto("notifications")
        .values({ user_id: ada.id, ...row })
        .execute();
    const all = await shown(ada);
    const places = [];
    for (const { words, link } of all) places.push([words, (await ask(ada, link)).headers["location"]]);
    expect(places).toEqual([
      ["Your article Looms is published", `/ada/${looms.slug}`],
      ["A webhook endpoint of yours is disabled: https://hooks.example/a", "/api/docs"],
      ["Your password was changed.", "/settings/sessions"],
      ["A person asks to join", "/applications"],
      ["Bob follows you", "/bob"],
    ]);
  });

  test("leads to the comment's own page where it may not be among the first", async () => {
    for (let count = 0; count < 50; count += 1) await world.comment(bob, { article: looms.slug });
    const code = (await say(bob, "Late")).toString(26);
    const [{ link } = { link: "" }] = await shown(ada);
    expect((await ask(ada, link)).headers["location"]).toBe(`/comments/${code}#comment-${code}`);
  });

  test("of another member, of a deleted comment and of nothing is none", async () => {
    const id = await say(bob, "One");
    const [{ link } = { link: "" }] = await shown(ada);
    expect((await ask(bob, link)).status).toBe(404);
    await inTransaction(world.db, (tx) => comments.remove(tx, { id, by: "operator" }));
    for (const url of [link, `${PATH}/0`, `${PATH}/x`, `${PATH}/99999999999999`])
      expect([url, (await ask(ada, url)).status]).toEqual([url, 404]);
    expect(await world.db.selectFrom("notifications").select("read_at").execute()).toEqual([
      { read_at: null },
    ]);
    expect(bellIn((await ask(ada, PATH)).text)).toBe("Notifications");
  });
});

test("the unread ones come first, 30 on a page, and one button marks all", async () => {
  const rows = Array.from({ length: 70 }, (_, index) => ({
    user_id: ada.id,
    kind: "security",
    notice: `Notice ${index}`,
    read_at: index < 30 || index % 2 === 0 ? NOW : null,
  }));
  await world.db.insertInto("notifications").values(rows).execute();
  await notifyOfSecurity(world.db, { userId: bob.id, text: "Another's", now: NOW });
  const expected = [
    ...rows.filter(({ read_at }) => !read_at).toReversed(),
    ...rows.filter(({ read_at }) => read_at).toReversed(),
  ];
  const seen = [];
  for (let url: string | undefined = PATH; url !== undefined;) {
    const page = await shown(ada, url);
    expect(page.length).toBeLessThanOrEqual(30);
    seen.push(...page.map(({ words }) => words));
    const { text } = await ask(ada, url);
    url = /<a href="([^"]*)" rel="next"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
  }
  expect(seen).toEqual(expected.map(({ notice }) => notice));
  const { status, headers } = await ask(ada, PATH, "POST");
  expect([status, headers["location"]]).toEqual([303, PATH]);
  expect((await shown(ada)).filter(({ isUnread }) => isUnread)).toEqual([]);
  expect((await ask(ada, PATH)).text).not.toContain("Mark all read");
  expect((await shown(bob)).map(({ isUnread }) => isUnread)).toEqual([true]);
  expect((await ask(ada, `${PATH}?cursor=wrong`)).status).toBe(422);
});

test("the header counts to 99", async () => {
  const rows = Array.from({ length: 100 }, () => ({ user_id: ada.id, kind: "security", notice: "Notice" }));
  await world.db.insertInto("notifications").values(rows.slice(1)).execute();
  expect(bellIn((await ask(ada, PATH)).text)).toBe("Notifications, 99 unread");
  await world.db.insertInto("notifications").values(rows.slice(99)).execute();
  expect(bellIn((await ask(ada, PATH)).text)).toBe("Notifications, 99+ unread");
});
