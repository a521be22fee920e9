import { beforeAll, describe, expect, test } from "vitest";
import { cookieFor, PASSWORD, postForm } from "../../../test/accounts.ts";
import { faultsIn } from "../../../test/health.ts";
import { mailingIn } from "../../../test/mail-server.ts";
import { worldForAll } from "../../../test/world.ts";
import { operator } from "../../http/actor.ts";
import { verify } from "../../operate/health/invariants.ts";
import * as removal from "../articles/removal.ts";
import { idCode } from "../comments/id-codes.ts";
import * as log from "../log/log.ts";
import { fanOut } from "../notifications/notifications.ts";
import * as organizations from "../organizations/organizations.ts";
import * as editing from "../tags/editing.ts";
import * as moderation from "../users/moderation.ts";
import { hashPassword } from "../users/password-hash.ts";
import * as users from "../users/users.ts";
import { liftEnded } from "./acts.ts";
import { deleteUser } from "./deleting.ts";
import { mergeUsers } from "./merging.ts";
import { aliasTag } from "./tags.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const HOUR = 3_600_000;
const world = worldForAll({ now: NOW });
const people: Record<string, { id: number; username: string; cookie: string; key: string }> = {};

async function person(username: string, role = "member") {
  const { id } = await world.user({ username, role, email: `${username}@mail.example` });
  const made = { id, username, cookie: await cookieFor(world, id), key: await world.key({ id }) };
  people[username] = made;
  return made;
}
const of = (username: string) => people[username] ?? { id: 0, username: "", cookie: "", key: "" };

beforeAll(async () => {
  for (const username of ["ada", "abe"]) await person(username, "admin");
  for (const username of ["mara", "moss"]) await person(username, "moderator");
  for (const username of ["lena", "mo", "reader"]) await person(username);
});

const headersOf = (who: string) => ({ accept: "text/html", ...(who && { cookie: of(who).cookie }) });
const get = (url: string, who = "") => world.get(url, { headers: headersOf(who) });
const post = (url: string, values: Record<string, string> = {}, who = "mara") =>
  postForm(world, url, values, headersOf(who));
const call = (method: string, url: string, who: string) =>
  world.request({ method, url, ...(who && { key: of(who).key }) });
const entries = () => log.list(world.db, { limit: 1_000 });
const newest = async () => (await entries())[0];

/** A person with an article, a comment under another's, a listing and an article that waits for its date. */
async function writer(username: string) {
  const { id } = await person(username);
  const article = await world.article({ username }, { title: `Heron ${username}`, tags: ["wool"] });
  const under = await world.article({ username: "mo" }, { title: `Pond of ${username}` });
  const comment = await world.comment(
    { username },
    { article: under.slug, body_markdown: `Egret ${username}` },
  );
  const listing = await world.listing({ username }, { title: `Stork ${username}` });
  return { id, article, under, comment, listing };
}
type Written = Awaited<ReturnType<typeof writer>>;

/** Where the article, the comment and the listing of a person are seen, by anyone. */
async function seen({ article, under, comment, listing }: Written, username: string) {
  await world.forget();
  const is = async (url: string, words: string) => (await get(url)).text.includes(words);
  return {
    page: (await get(`/${username}/${article.slug}`)).status === 200,
    front: await is("/api/articles/latest", `Heron ${username}`),
    profile: await is(`/${username}`, `/${username}/${article.slug}`),
    tag: await is("/api/articles?tag=wool", `Heron ${username}`),
    search: await is(`/api/articles/search?q=heron`, `Heron ${username}`),
    feed: await is(`/feed/${username}`, `Heron ${username}`),
    sitemap: await is("/sitemap-articles-1.xml", `/${username}/${article.slug}`),
    api: (await world.get(`/api/articles/${article.id}`)).status === 200,
    comment: await is(`/mo/${under.slug}`, `Egret ${username}`),
    commentByKey: await is(`/api/comments?a_id=${under.id}`, `Egret ${username}`),
    listing: await is("/listings", `Stork ${username}`),
    listingByKey: (await world.get(`/api/listings/${listing.id}`)).status === 200,
  };
}
const ALL = {
  page: true,
  front: true,
  profile: true,
  tag: true,
  search: true,
  feed: true,
  sitemap: true,
  api: true,
};
const ARTICLE = Object.fromEntries(Object.keys(ALL).map((place) => [place, false]));
const COMMENT = { comment: false, commentByKey: false };
const LISTING = { listing: false, listingByKey: false };
const EVERYTHING = { ...ALL, comment: true, commentByKey: true, listing: true, listingByKey: true };

describe("an act is seen everywhere at once, and so is its undoing", () => {
  test("an article that is unpublished shows its author why, and is back when it is restored", async () => {
    const written = await writer("ann");
    expect(await seen(written, "ann")).toEqual(EVERYTHING);
    await post(`/mod/article/${written.article.id}/unpublish`, { reason: "Name your sources" });
    expect(await seen(written, "ann")).toEqual({ ...EVERYTHING, ...ARTICLE });
    const path = `/ann/${written.article.slug}`;
    expect((await get(path, "ann")).text).toContain("The reason: Name your sources");
    expect((await get(path, "reader")).status).toBe(404);
    await removal.restore(operator(world.db), written.article.id);
    expect(await seen(written, "ann")).toEqual(EVERYTHING);
  });

  test("a comment is hidden and shown; who owns the page can't show it", async () => {
    const written = await writer("ben");
    const { id } = written.comment;
    await post(`/mod/comment/${id}/hide`, { reason: "Insults" });
    expect(await seen(written, "ben")).toEqual({ ...EVERYTHING, ...COMMENT });
    expect((await get(`/comments/${idCode(id)}`, "ben")).text).toContain("The reason: Insults");
    expect((await get(`/comments/${idCode(id)}`, "reader")).text).not.toContain("Insults");
    const owner = await post(`/take-part/hide-comment/${id}`, { on: "0" }, "mo");
    expect(owner.text).toContain("only moderators and admins can show it");
    expect(await seen(written, "ben")).toEqual({ ...EVERYTHING, ...COMMENT });
    await post(`/mod/comment/${id}/show`);
    expect(await seen(written, "ben")).toEqual(EVERYTHING);
  });

  test("what is deleted is gone, and asked for first", async () => {
    const written = await writer("cat");
    const path = `/mod/article/${written.article.id}/delete`;
    expect((await get(path, "mara")).text).toContain("Delete this article?");
    expect(await seen(written, "cat")).toEqual(EVERYTHING);
    await post(path);
    await post(`/mod/comment/${written.comment.id}/delete`);
    expect(await seen(written, "cat")).toEqual({ ...EVERYTHING, ...ARTICLE, ...COMMENT });
    await post(`/mod/listing/${written.listing.id}/unpublish`);
    expect(await seen(written, "cat")).toEqual({ ...EVERYTHING, ...ARTICLE, ...COMMENT, ...LISTING });
  });

  test.each(["page", "key"])(
    "marking as spam by a %s hides all, and lifting brings back just that",
    async (by) => {
      const name = `spam_${by}`;
      const written = await writer(name);
      const hidden = await world.article({ username: name }, { title: "Hidden before" });
      const drafted = await world.article({ username: name }, { title: "A draft", published: false });
      const later = await world.article(
        { username: name },
        { title: "Later", published_at: "2026-06-01T00:00:00Z" },
      );
      await post(`/mod/article/${hidden.id}/unpublish`, { reason: "Before" });
      const states = () =>
        world.db
          .selectFrom("articles")
          .select(["id", "state", "published_at", "unpublish_reason"])
          .where("author_id", "=", written.id)
          .orderBy("id")
          .execute();
      const before = await states();
      expect(before.map(({ id }) => id)).toContain(drafted.id);
      expect(before.find(({ id }) => id === later.id)?.state).toBe("scheduled");
      const url = `/api/users/${written.id}/spam`;
      if (by === "key") expect((await call("PUT", url, "mara")).status).toBe(204);
      else await post(`/mod/user/${written.id}/spam`, { reason: "Adverts" });
      expect(await seen(written, name)).toEqual({ ...EVERYTHING, ...ARTICLE, ...COMMENT, ...LISTING });
      expect((await call("GET", "/api/users/me", name)).status).toBe(401);
      if (by === "key") expect((await call("DELETE", url, "mara")).status).toBe(204);
      else await post(`/mod/user/${written.id}/lift`);
      expect(await seen(written, name)).toEqual(EVERYTHING);
      expect(await states()).toEqual(before);
      expect((await call("GET", "/api/users/me", name)).status).toBe(200);
    },
  );

  test("a person's texts are unpublished by key", async () => {
    const written = await writer("dan");
    expect((await call("PUT", `/api/users/${written.id}/unpublish?note=Copies`, "mara")).status).toBe(204);
    expect(await seen(written, "dan")).toEqual({ ...EVERYTHING, ...ARTICLE, ...COMMENT, ...LISTING });
    expect(await newest()).toMatchObject({ act: "unpublish_user", reason: "Copies", user: "dan" });
  });
});

describe("a suspension", () => {
  test("refuses keys, sessions and sign-ins with the reason, until it ends by itself", async () => {
    const { id } = await person("eve");
    const password_hash = await hashPassword(PASSWORD);
    await world.db.updateTable("users").set({ password_hash }).where("id", "=", id).execute();
    await post(`/mod/user/${id}/suspend`, { days: "7", reason: "Insults" });
    const refused = await call("GET", "/api/users/me", "eve");
    const words = "suspended until 7 April 2026 at 12:00 UTC. The reason: Insults";
    expect(refused).toMatchObject({ status: 401, body: { error: "unauthorized", status: 401 } });
    expect(
      (
        await world.get("/api/users/me", {
          key: of("eve").key,
          headers: { accept: "application/problem+json" },
        })
      ).text,
    ).toContain("Insults");
    expect((await get("/settings/profile", "eve")).status).toBe(303);
    const signIn = () => post("/signin", { login: "eve", password: PASSWORD }, "");
    expect((await signIn()).text).toContain(words);
    await liftEnded(world.db, new Date(NOW.getTime() + 7 * 24 * HOUR - 1));
    expect((await signIn()).status).toBe(422);
    await liftEnded(world.db, new Date(NOW.getTime() + 7 * 24 * HOUR));
    expect((await signIn()).status).toBe(303);
    expect(await newest()).toMatchObject({ act: "lift_suspension", actor_kind: "job", detail: "by itself" });
  });

  test("that is for good lasts until it is lifted, and asks for days that are offered", async () => {
    const { id } = await person("fay");
    expect((await post(`/mod/user/${id}/suspend`, { days: "99" })).status).toBe(422);
    await call("PUT", `/api/users/${id}/suspend`, "ada");
    await liftEnded(world.db, new Date("2036-01-01T00:00:00Z"));
    expect((await call("GET", "/api/users/me", "fay")).status).toBe(401);
    await call("DELETE", `/api/users/${id}/suspend`, "ada");
    expect((await call("GET", "/api/users/me", "fay")).status).toBe(200);
  });
});

test("those concerned hear of it by notification and email, with the reason", async () => {
  const written = await writer("gus");
  await post(`/mod/article/${written.article.id}/unpublish`, { reason: "Name your sources" });
  await fanOut(world.db, NOW);
  const { text } = await get("/notifications", "gus");
  expect(text).toContain("Your article “Heron gus” was unpublished: Name your sources");
  const mails = (await mailingIn(world).mails()).filter(({ user }) => user === "gus");
  expect(mails).toMatchObject([{ kind: "moderation" }]);
});

describe("who may act on whom", () => {
  const SUBJECTS = ["lena", "mara", "moss", "ada", "abe"];
  const ROLE_OF: Record<string, string> = {
    lena: "member",
    mara: "moderator",
    moss: "moderator",
    ada: "admin",
    abe: "admin",
  };
  const MAY: Record<string, readonly string[]> = {
    "": [],
    reader: [],
    mara: ["lena"],
    ada: ["lena", "mara", "moss", "abe"],
  };
  const KINDS = ["unpublish", "hide", "delete-article", "delete-comment", "note", "suspend", "spam"] as const;

  test.each(Object.keys(MAY).flatMap((who) => SUBJECTS.map((subject) => [who, subject] as const)))(
    "%s on %s",
    async (who, subject) => {
      const article = await world.article({ username: subject }, {});
      const comment = await world.comment({ username: subject }, { article: article.slug });
      const { id } = of(subject);
      const urls: Record<(typeof KINDS)[number], string> = {
        unpublish: `/mod/article/${article.id}/unpublish`,
        hide: `/mod/comment/${comment.id}/hide`,
        "delete-article": `/mod/article/${article.id}/delete`,
        "delete-comment": `/mod/comment/${comment.id}/delete`,
        note: `/mod/user/${id}/note`,
        suspend: `/mod/user/${id}/suspend`,
        spam: `/mod/user/${id}/spam`,
      };
      const isAllowed = MAY[who]?.includes(subject);
      const extra = { role: "admin", suspended: "true", staff_note: "x", author_id: "1", id: "1" };
      for (const kind of KINDS) {
        const before = (await entries()).length;
        const { status } = await post(urls[kind], { days: "1", note: `${who} ${kind}`, ...extra }, who);
        const isStaff = who === "mara" || who === "ada";
        expect([kind, status]).toEqual([kind, isAllowed ? 303 : isStaff ? 422 : 404]);
        expect((await entries()).length).toBe(before + (isAllowed ? 1 : 0));
      }
      for (const [method, path] of [
        ["PUT", "suspend"],
        ["PUT", "spam"],
        ["DELETE", "spam"],
        ["DELETE", "suspend"],
        ["PUT", "unpublish"],
      ]) {
        const { status } = await call(method ?? "", `/api/users/${id}/${path}`, who);
        const isStaff = who === "mara" || who === "ada";
        expect([path, status]).toEqual([
          path,
          isAllowed && path === "suspend" && method === "PUT" ? 422 : isAllowed ? 204 : isStaff ? 422 : 401,
        ]);
      }
      if (isAllowed) await post(`/mod/user/${id}/lift`, {}, "abe");
      people[subject] = { ...of(subject), cookie: await cookieFor(world, id) };
      const roles = await world.db
        .selectFrom("users")
        .select(["username", "role"])
        .where("suspended", "=", false)
        .execute();
      expect(roles).toContainEqual({
        username: subject,
        role: ROLE_OF[subject],
      });
    },
  );

  test("nothing is there for anyone about what doesn't exist", async () => {
    for (const [method, path] of [
      ["PUT", "suspend"],
      ["DELETE", "suspend"],
      ["PUT", "spam"],
      ["DELETE", "spam"],
      ["PUT", "unpublish"],
    ])
      expect((await call(method ?? "", `/api/users/999999/${path}`, "ada")).status).toBe(404);
    expect((await post("/mod/article/999999/unpublish")).text).toContain("It is gone");
    expect((await post("/mod/user/1/promote")).status).toBe(404);
  });
});

test("of two moderators at once one acts, and the other hears that it is done", async () => {
  const written = await writer("hal");
  const url = `/mod/comment/${written.comment.id}/hide`;
  const replies = await Promise.all([post(url), post(url, {}, "moss"), post(url, {}, "ada")]);
  const ends = replies.map(({ headers }) => String(headers.location).split("done=")[1]).toSorted();
  expect(ends).toEqual(["meanwhile", "meanwhile", "yes"]);
  expect(
    (await entries()).filter(({ on_kind, on_id }) => on_kind === "comment" && on_id === written.comment.id),
  ).toHaveLength(1);
});

describe("the log", () => {
  const op = () => operator(world.db, () => NOW);
  /** Does each act as it can be done. */
  const DO: Record<log.Act, () => Promise<unknown>> = {
    async dismiss_report() {
      const { article } = await writer("log1");
      await post(`/reports/article/${article.id}`, { reason: "spam" }, "reader");
      await post(`/mod/article/${article.id}/dismiss`);
    },
    unpublish_article: async () => post(`/mod/article/${(await writer("log2")).article.id}/unpublish`),
    delete_article: async () => post(`/mod/article/${(await writer("log3")).article.id}/delete`),
    async restore_article() {
      const { article } = await writer("log4");
      await post(`/mod/article/${article.id}/delete`);
      await removal.restore(op(), article.id);
    },
    hide_comment: async () => post(`/mod/comment/${(await writer("log5")).comment.id}/hide`),
    async show_comment() {
      const { id } = (await writer("log6")).comment;
      await post(`/mod/comment/${id}/hide`);
      await post(`/mod/comment/${id}/show`);
    },
    delete_comment: async () => post(`/mod/comment/${(await writer("log7")).comment.id}/delete`),
    unpublish_listing: async () => post(`/mod/listing/${(await writer("log8")).listing.id}/unpublish`),
    suspend_user: async () => post(`/mod/user/${(await person("log9")).id}/suspend`, { days: "1" }),
    lift_suspension: () => post(`/mod/user/${of("log9").id}/lift`),
    mark_spam: async () => post(`/mod/user/${(await person("log10")).id}/spam`),
    unmark_spam: () => post(`/mod/user/${of("log10").id}/lift`),
    unpublish_user: async () => call("PUT", `/api/users/${(await writer("log11")).id}/unpublish`, "mara"),
    note_user: () => post(`/mod/user/${of("log11").id}/note`, { note: "Asks often" }),
    change_role: async () =>
      moderation.changeRole(op(), { id: (await person("log12")).id, role: "moderator" }),
    edit_user: () => users.edit(op(), { id: of("log11").id, change: { location: "Here" } }),
    async delete_user() {
      const { id } = await person("log13");
      await deleteUser({ db: world.db, files: world.context.files }, { id, now: NOW });
    },
    async merge_user() {
      const [from, to] = [(await person("log14")).id, of("log11").id];
      await mergeUsers({ db: world.db, files: world.context.files }, { from, to, now: NOW, isTrial: false });
    },
    edit_tag: () => editing.edit(op(), { name: "wool", change: { short_summary: "Of sheep" } }),
    alias_tag: () => aliasTag(op(), { name: "woollen", of: "wool" }),
    remove_alias: () => editing.removeAlias(op(), "woollen"),
    create_organization: () => organizations.create(op(), { username: "guild", name: "Guild" }),
    edit_organization: async () =>
      organizations.edit(op(), {
        id: await organizations.find(world.db, "guild"),
        change: { location: "Here" },
      }),
    add_member: async () =>
      organizations.addMember(op(), {
        organizationId: await organizations.find(world.db, "guild"),
        userId: of("lena").id,
      }),
    remove_member: async () =>
      organizations.removeMember(op(), {
        organizationId: await organizations.find(world.db, "guild"),
        userId: of("lena").id,
      }),
    change_setting: () =>
      world.db
        .transaction()
        .execute((tx) =>
          log.record(tx, op(), { act: "change_setting", on: { kind: "setting", name: "posting" } }),
        ),
  };

  test.each(log.ACTS)("has one entry of %s, and moderators read it", async (act) => {
    const before = (await entries()).filter((entry) => entry.act === act).length;
    await DO[act]();
    expect((await entries()).filter((entry) => entry.act === act)).toHaveLength(before + 1);
    const { status, text } = await get(`/mod/log?act=${act}`, "mara");
    expect([status, text.includes("No entries")]).toEqual([200, false]);
  });

  test("keeps an entry without the name of a person who is deleted", async () => {
    const { id } = await writer("ida");
    await post(`/mod/user/${id}/suspend`, { days: "1", reason: "Ida insults" });
    const { id: entry } = (await newest()) ?? { id: "0" };
    await deleteUser({ db: world.db, files: world.context.files }, { id, now: NOW });
    expect(await log.find(world.db, Number(entry))).toMatchObject({
      act: "suspend_user",
      on_name: "",
      reason: null,
      user: null,
    });
    const left = await world.db.selectFrom("staff_log").selectAll().execute();
    expect(JSON.stringify(left).toLowerCase()).not.toContain("ida insults");
  });

  test("is read by pages, newest first", async () => {
    const page = await get("/mod/log", "mara");
    const next = /href="([^"]*cursor=[^"]*)"/.exec(page.text)?.[1] ?? "";
    const second = await get(next.replaceAll("&amp;", "&"), "mara");
    expect([page.status, second.status, second.text.includes("No entries")]).toEqual([200, 200, false]);
  });
});

test("after 500 acts, whatever they are, the site agrees with itself", async () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const written: Written[] = [];
  for (const name of ["r1", "r2", "r3", "r4"]) written.push(await writer(name));
  for (let round = 0; round < 500; round++) {
    const { id, article, comment, listing } = written[random(4)] as Written;
    const urls = [
      `/mod/article/${article.id}/unpublish`,
      `/mod/comment/${comment.id}/${["hide", "show"][random(2)]}`,
      `/mod/listing/${listing.id}/unpublish`,
      ...["spam", "suspend", "lift", "lift", "dismiss"].map((act) => `/mod/user/${id}/${act}`),
      `/reports/${["article", "user", "comment"][random(3)]}/${[article.id, id, comment.id][random(3)]}`,
    ];
    const who = ["mara", "moss", "ada"][random(3)];
    const reply = await post(
      urls[random(urls.length)] ?? "",
      { days: ["1", "7", ""][random(3)] ?? "", reason: "spam" },
      who,
    );
    expect(reply.status).toBeLessThan(500);
    if (random(8) === 0) await removal.restore(operator(world.db), article.id).catch(() => undefined);
  }
  await fanOut(world.db, NOW);
  expect(faultsIn(await verify(world.db))).toEqual({});
});
