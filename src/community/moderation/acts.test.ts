import { describe, expect, test } from "vitest";
import { NOW, type Written, moderatingForAll } from "../../../test/moderating.ts";
import { mailingIn } from "../../../test/mail-server.ts";
import { PASSWORD } from "../../../test/accounts.ts";
import { type Actor, operator } from "../../http/actor.ts";
import * as listings from "../listings/listings.ts";
import * as removal from "../articles/removal.ts";
import { idCode } from "../comments/id-codes.ts";
import { fanOut } from "../notifications/notifications.ts";
import { hashPassword } from "../users/password-hash.ts";
import * as access from "./access.ts";
import { liftEnded } from "./acts.ts";
import { SPAM } from "./hiding.ts";

const site = moderatingForAll();
const { person, of, get, post, call, entries, newest, writer } = site;
const HOUR = 3_600_000;

/** Where the article, the comment and the listing of a person are seen, by anyone. */
async function seen({ article, under, listing }: Written, username: string) {
  await site.world.forget();
  const is = async (url: string, words: string) => (await get(url)).text.includes(words);
  return {
    page: (await get(`/${username}/${article.slug}`)).status === 200,
    front: await is("/api/articles/latest", `Heron ${username}`),
    profile: await is(`/${username}`, `/${username}/${article.slug}`),
    tag: await is("/api/articles?tag=wool", `Heron ${username}`),
    search: await is(`/api/articles/search?q=heron`, `Heron ${username}`),
    feed: await is(`/feed/${username}`, `Heron ${username}`),
    sitemap: await is("/sitemap-articles-1.xml", `/${username}/${article.slug}`),
    api: (await site.world.get(`/api/articles/${article.id}`)).status === 200,
    comment: await is(`/mo/${under.slug}`, `Egret ${username}`),
    commentByKey: await is(`/api/comments?a_id=${under.id}`, `Egret ${username}`),
    listing: await is("/listings", `Stork ${username}`),
    listingByKey: (await site.world.get(`/api/listings/${listing.id}`)).status === 200,
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
    expect((await get(`/mod/people/${written.id}`, "ada")).text).toContain(">Restore</button>");
    await removal.restore(operator(site.world.db), written.article.id);
    expect(await seen(written, "ann")).toEqual(EVERYTHING);
  });

  test("a comment is hidden and shown; who owns the page can't show it", async () => {
    const written = await writer("ben");
    const { id } = written.comment;
    await post(`/mod/comment/${id}/hide`, { reason: "Insults" });
    expect(await seen(written, "ben")).toEqual({ ...EVERYTHING, ...COMMENT });
    expect((await get(`/comments/${idCode(id)}`, "ben")).text).toContain("The reason: Insults");
    expect((await get(`/comments/${idCode(id)}`, "reader")).text).not.toContain("Insults");
    expect((await get(`/mo/${written.under.slug}`, "mo")).text).not.toContain(`hide-comment ${id}`);
    const owner = await post(`/take-part/hide-comment/${id}`, { on: "0" }, "mo");
    expect(owner.text).toContain("only moderators and admins can show it");
    expect(await seen(written, "ben")).toEqual({ ...EVERYTHING, ...COMMENT });
    await post(`/mod/comment/${id}/show`);
    expect(await seen(written, "ben")).toEqual(EVERYTHING);
  });

  test("what is deleted is gone, and asked for first", async () => {
    const written = await writer("cat");
    const path = `/mod/article/${written.article.id}/delete`;
    const { text } = await get(path, "mara");
    for (const part of ["Delete this article?", "Heron cat", "@cat", ">Cancel</a>"])
      expect(text).toContain(part);
    for (const act of ["article/1/unpublish", `user/${written.id}/suspend`, "article/99999/delete"])
      expect([act, (await get(`/mod/${act}`, "mara")).status]).toEqual([act, 404]);
    expect(await seen(written, "cat")).toEqual(EVERYTHING);
    await post(path);
    expect((await get(`/mod/people/${written.id}`, "ada")).text).toContain(">Restore</button>");
    await post(`/mod/article/${written.article.id}/restore`, {}, "ada");
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
      const about = { summary: "Buy wool", website_url: "https://spam.example" };
      await site.world.db.updateTable("users").set(about).where("id", "=", written.id).execute();
      expect((await get(`/${name}`)).text).toContain("Buy wool");
      const hidden = await site.world.article({ username: name }, { title: "Hidden before" });
      const drafted = await site.world.article({ username: name }, { title: "A draft", published: false });
      const later = await site.world.article(
        { username: name },
        { title: "Later", published_at: "2026-06-01T00:00:00Z" },
      );
      await post(`/mod/article/${hidden.id}/unpublish`, { reason: "Before" });
      const states = () =>
        site.world.db
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
      expect((await get(`/${name}`)).text).not.toMatch(/Buy wool|spam\.example/);
      if (by === "key") expect((await call("DELETE", url, "mara")).status).toBe(204);
      else await post(`/mod/user/${written.id}/lift`);
      expect(await seen(written, name)).toEqual(EVERYTHING);
      expect(await states()).toEqual(before);
      expect((await call("GET", "/api/users/me", name)).status).toBe(200);
    },
  );

  test("a person's texts are unpublished by key", async () => {
    const written = await writer("dan");
    expect((await call("PUT", `/api/users/${written.id}/unpublish`, "mara")).status).toBe(204);
    expect(await seen(written, "dan")).toEqual({ ...EVERYTHING, ...ARTICLE, ...COMMENT, ...LISTING });
    expect(await newest()).toMatchObject({ act: "unpublish_user", reason: null, user: "dan" });
  });
});

describe("staff take back what staff did, and nothing else", () => {
  const mara = <Result>(): Actor<Result> => ({
    ...operator(site.world.db, () => NOW),
    by: "key",
    user: { id: of("mara").id, role: "moderator" },
  });

  test("a listing that was unpublished is published again by staff alone", async () => {
    const written = await writer("hob");
    const { id } = written.listing;
    await post(`/mod/listing/${id}/unpublish`, { reason: "Adverts" });
    const body = { listing: { action: "publish" } };
    const refused = await site.world.request({
      method: "PUT",
      url: `/api/listings/${id}`,
      key: of("hob").key,
      body,
    });
    expect([refused.status, refused.text.includes("Their reason: Adverts")]).toEqual([422, true]);
    expect(await seen(written, "hob")).toEqual({ ...EVERYTHING, ...LISTING });
    expect(await listings.restore(mara(), id, "")).toBe(true);
    expect(await listings.restore(mara(), id, "")).toBe(false);
    expect(await seen(written, "hob")).toEqual(EVERYTHING);
  });

  test.each(["unpublish", "delete"])(
    "an article after %s, but not one that its author deleted",
    async (act) => {
      const name = `ivy_${act}`;
      const written = await writer(name);
      const { id } = written.article;
      await post(`/mod/article/${id}/${act}`);
      await removal.restore(mara(), id, { reason: "Mistaken" });
      expect(await newest()).toMatchObject({ act: "restore_article", actor: "mara", reason: "Mistaken" });
      expect(await seen(written, name)).toEqual(EVERYTHING);
      await post(`/mod/article/${id}/unpublish`);
      await removal.remove({ ...mara(), user: { id: written.id, role: "member" } }, id);
      await expect(removal.restore(mara(), id, { reason: "" })).rejects.toThrow(
        "There is no deleted article",
      );
    },
  );

  test("a draft isn't unpublished, and no one reads one that was never public", async () => {
    const { id } = await person("jay");
    const draft = await site.world.article({ username: "jay" }, { title: "Quill", published: false });
    await site.world.article({ username: "jay" }, { title: "Plume", published_at: "2026-06-01T00:00:00Z" });
    const before = (await entries()).length;
    expect((await post(`/mod/article/${draft.id}/unpublish`, {}, "ada")).status).toBe(422);
    expect((await entries()).length).toBe(before);
    await post(`/mod/user/${id}/spam`);
    expect((await get(`/mod/people/${id}`, "mara")).text).not.toMatch(/Quill|Plume/);
  });

  test("texts that are unpublished for good, or for a reason like that of spam, stay so", async () => {
    const written = await writer("kit");
    await post(`/mod/article/${written.article.id}/unpublish`, { reason: SPAM });
    await post(`/mod/user/${written.id}/spam`);
    expect((await call("PUT", `/api/users/${written.id}/unpublish`, "mara")).status).toBe(204);
    expect(await newest()).toMatchObject({ act: "unpublish_user" });
    await post(`/mod/user/${written.id}/lift`);
    expect(await seen(written, "kit")).toEqual({ ...EVERYTHING, ...ARTICLE, ...COMMENT, ...LISTING });
  });
});

describe("a suspension", () => {
  test("refuses keys, sessions and sign-ins with the reason, until it ends by itself", async () => {
    const { id } = await person("eve");
    const password_hash = await hashPassword(PASSWORD);
    await site.world.db.updateTable("users").set({ password_hash }).where("id", "=", id).execute();
    await post(`/mod/user/${id}/suspend`, { days: "7", reason: "Insults" });
    const refused = await call("GET", "/api/users/me", "eve");
    const words = "suspended until 7 April 2026 at 12:00 UTC. The reason: Insults";
    expect(refused).toMatchObject({ status: 401, body: { error: "unauthorized", status: 401 } });
    expect(
      (
        await site.world.get("/api/users/me", {
          key: of("eve").key,
          headers: { accept: "application/problem+json" },
        })
      ).text,
    ).toContain("Insults");
    expect((await get("/settings/profile", "eve")).status).toBe(303);
    await expect(access.makeSignInLink(operator(site.world.db), id)).rejects.toThrow("Insults");
    const signIn = () => post("/signin", { login: "eve", password: PASSWORD }, "");
    expect((await signIn()).text).toContain(words);
    await liftEnded(site.world.db, new Date(NOW.getTime() + 7 * 24 * HOUR - 1));
    expect((await signIn()).status).toBe(422);
    await liftEnded(site.world.db, new Date(NOW.getTime() + 7 * 24 * HOUR));
    expect((await signIn()).status).toBe(303);
    expect(await newest()).toMatchObject({ act: "lift_suspension", actor_kind: "job", detail: "by itself" });
  });

  test("that is for good lasts until it is lifted, and asks for days that are offered", async () => {
    const { id } = await person("fay");
    for (const days of [{ days: "99" }, {}])
      expect((await post(`/mod/user/${id}/suspend`, days)).status).toBe(422);
    expect((await call("GET", "/api/users/me", "fay")).status).toBe(200);
    await call("PUT", `/api/users/${id}/suspend`, "ada");
    await liftEnded(site.world.db, new Date("2036-01-01T00:00:00Z"));
    expect((await call("GET", "/api/users/me", "fay")).status).toBe(401);
    await call("DELETE", `/api/users/${id}/suspend`, "ada");
    expect((await call("GET", "/api/users/me", "fay")).status).toBe(200);
  });
});

test("those concerned hear of it by notification and email, with the reason", async () => {
  const written = await writer("gus");
  await post(`/mod/article/${written.article.id}/unpublish`, { reason: "Name your sources" });
  await fanOut(site.world.db, NOW);
  const { text } = await get("/notifications", "gus");
  expect(text).toContain("Your article “Heron gus” was unpublished: Name your sources");
  const mails = (await mailingIn(site.world).mails()).filter(({ user }) => user === "gus");
  expect(mails).toMatchObject([{ kind: "moderation" }]);
});
