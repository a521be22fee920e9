import { brotliCompressSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { cookieFor, PASSWORD, postForm } from "../../test/accounts.ts";
import { worldForAll } from "../../test/world.ts";
import { hashPassword } from "../community/users/password-hash.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const bursts = { read_burst: "10000", write_burst: "10000" };
const world = worldForAll({ now: NOW, rateLimits: true, settings: bursts });
const readers: Record<string, { id: number; cookie: string }> = {};
let article: { id: number; slug: string };
let path: string;

beforeAll(async () => {
  for (const username of ["ada", "bob", "eve"]) {
    const { id } = await world.user({
      username,
      name: `${username} Reader`,
      registered_at: "2020-01-01T00:00:00Z",
    });
    readers[username] = { id, cookie: await cookieFor(world, id) };
  }
  const password_hash = await hashPassword(PASSWORD);
  await world.db.updateTable("users").set({ password_hash }).execute();
  article = await world.article({ username: "ada" }, { title: "Looms", tags: ["wool"] });
  path = `/ada/${article.slug}`;
});

const idOf = (who: string) => readers[who]?.id ?? 0;
const headersOf = (who: string) => ({
  accept: "text/html",
  ...(who !== "" && { cookie: readers[who]?.cookie ?? "" }),
});
const get = (url: string, who = "") => world.get(url, { headers: headersOf(who) });
const post = (url: string, values: Record<string, string>, who = "", headers = {}) =>
  postForm(world, url, values, { ...headersOf(who), ...headers });
const press = (act: string, id: number, who: string, on = "1", headers = {}) =>
  post(`/take-part/${act}/${id}`, { on, back: path }, who, headers);
const isPressed = (html: string, act: string, id: number) =>
  new RegExp(`<button[^>]* id="${act}-${id}"[^>]* aria-pressed="(true|false)"`).exec(html)?.[1] === "true";
const likes = async () =>
  (
    await world.db
      .selectFrom("articles")
      .select("reactions_count")
      .where("id", "=", article.id)
      .executeTakeFirstOrThrow()
  ).reactions_count;
const comment = (values: Record<string, string>, who = "bob") =>
  post("/comments/new", { article: String(article.id), back: path, ...values }, who);
const codeIn = (location: unknown) => String(location).split("#comment-")[1] ?? "";

describe("a button of an act", () => {
  test.each([
    ["like", () => article.id],
    ["unicorn", () => article.id],
    ["readinglist", () => article.id],
    ["follow-user", () => idOf("ada")],
  ])("%s is pressed and taken back, once each", async (act, of) => {
    for (const [on, pressed] of [
      ["1", true],
      ["1", true],
      ["0", false],
      ["0", false],
    ] as const) {
      expect(await press(act, of(), "bob", on)).toMatchObject({ status: 303, headers: { location: path } });
      expect(isPressed((await get(path, "bob")).text, act, of())).toBe(pressed);
      expect(isPressed((await get(path, "eve")).text, act, of())).toBe(false);
      expect(isPressed((await get(path)).text, act, of())).toBe(false);
    }
    expect(await likes()).toBe(0);
  });

  test("answers a script with itself and its count", async () => {
    const { status, text } = await press("fire", article.id, "bob", "1", { accept: "text/html; fragment=1" });
    expect(status).toBe(200);
    expect(isPressed(text, "fire", article.id)).toBe(true);
    expect(text).toMatch(/<span class="number">1<\/span><\/button>/);
    expect(text).not.toContain("<body");
    await press("fire", article.id, "bob", "0");
  });

  test("follows tags and organizations on their pages", async () => {
    const { id } = await world.db
      .selectFrom("tags")
      .select("id")
      .where("name", "=", "wool")
      .executeTakeFirstOrThrow();
    await press("follow-tag", id, "bob");
    expect(isPressed((await get("/t/wool", "bob")).text, "follow-tag", id)).toBe(true);
    const organization = await world.organization({ username: "weavers" });
    await press("follow-organization", organization.id, "bob");
    expect(isPressed((await get("/weavers", "bob")).text, "follow-organization", organization.id)).toBe(true);
    const following = await get("/following?tab=organizations", "bob");
    expect(following.text).toContain('href="/weavers"');
    await press("follow-tag", id, "bob", "0");
    await press("follow-organization", organization.id, "bob", "0");
    expect((await get("/following?tab=organizations", "bob")).text).toContain(
      "You follow no organizations yet",
    );
  });

  test("counts fifty members who press it at once", async () => {
    const cookies = await Promise.all(
      Array.from({ length: 50 }, async () => cookieFor(world, (await world.user()).id)),
    );
    const pressed = cookies.map((cookie) =>
      postForm(world, `/take-part/like/${article.id}`, { on: "1" }, { accept: "text/html", cookie }),
    );
    for (const { status } of await Promise.all(pressed)) expect(status).toBe(303);
    expect(await likes()).toBe(50);
    const { text } = await get(path);
    expect(text).toMatch(new RegExp(`id="like-${article.id}".*?<span class="number">50</span></button>`));
  });

  test.each([
    ["unknown acts", "wave", () => article.id, 404],
    ["unknown articles", "like", () => 999_999, 404],
    ["oneself", "follow-user", () => idOf("bob"), 422],
    ["hiding comments of another's article", "hide-comment", () => 1, 404],
  ])("refuses %s", async (_, act, of, status) => {
    const before = await likes();
    const { status: actual, text } = await press(act, of(), "bob");
    expect(actual).toBe(status);
    if (act === "follow-user") {
      expect(text).toContain("<title>Error: ");
      expect(text).toContain("You can't follow yourself");
    }
    expect(await likes()).toBe(before);
  });

  test("of an unpublished article has no effect", async () => {
    const { id } = await world.article({ username: "ada" }, { published: false });
    for (const act of ["like", "readinglist"]) expect((await press(act, id, "bob")).status).toBe(404);
  });
});

describe("a stranger", () => {
  test("signs in by the answer to a button, which is pressed then", async () => {
    const asked = await press("exploding_head", article.id, "");
    expect(asked.status).toBe(401);
    expect(asked.text).toContain(`name="action" value="/take-part/exploding_head/${article.id}"`);
    const sent = { on: "1", back: path, action: `/take-part/exploding_head/${article.id}` };
    const wrong = await post("/signin", { ...sent, login: "eve", password: "wrong" });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain(`name="back" value="${path}"`);
    const signedIn = await post("/signin", { ...sent, login: "eve", password: PASSWORD });
    expect(signedIn).toMatchObject({ status: 307, headers: { location: sent.action } });
    const cookie = String(signedIn.headers["set-cookie"]).split(";")[0] ?? "";
    const headers = { accept: "text/html", cookie };
    const again = await postForm(world, sent.action, { ...sent, login: "eve", password: PASSWORD }, headers);
    expect(again).toMatchObject({ status: 303, headers: { location: path } });
    expect(isPressed((await get(path, "eve")).text, "exploding_head", article.id)).toBe(true);
    await press("exploding_head", article.id, "eve", "0");
  });

  test("is led to no other site by a form that is sent after a sign-in", async () => {
    const sent = { action: "https://elsewhere.example/", back: "//elsewhere.example" };
    const { headers } = await post("/signin", { ...sent, login: "eve", password: PASSWORD });
    expect(headers["location"]).toBe("/");
  });

  test("has a page that grows by a kilobyte at most, with what is for members", async () => {
    for (let n = 0; n < 10; n++)
      await comment({ body_markdown: `Thought number ${n}` }, n % 2 ? "bob" : "eve");
    const { text } = await get(path);
    const without = text
      .replaceAll(/<button class="act".*?<\/button>/gs, "")
      .replaceAll(/<div class="acts[^>]*>.*?<\/div>/gs, "")
      .replaceAll(/<form (?:id="acts"|class="form").*?<\/form>/gs, "");
    expect(without).not.toContain("/take-part/");
    const [whole, less] = [text, without].map((html) => brotliCompressSync(html).length) as [number, number];
    expect(whole - less).toBeLessThan(1_024);
    await world.db.deleteFrom("comments").execute();
  });
});

describe("a comment", () => {
  test("is written, answered, edited and deleted, and each leads to it", async () => {
    world.setNow(new Date(NOW.getTime() + 60_000));
    const { status, headers } = await comment({ body_markdown: "Nice *weave*" });
    expect([status, headers["location"]]).toEqual([303, expect.stringContaining(`${path}#comment-`)]);
    const code = codeIn(headers["location"]);
    const reply = await comment({ body_markdown: "Thank you", parent: code }, "ada");
    const { text } = await get(path, "bob");
    expect(text).toContain("Nice <em>weave</em>");
    expect(text).toContain(`id="comment-${codeIn(reply.headers["location"])}"`);
    expect(text).toContain(`/comments/${code}/edit`);
    expect((await get(path, "eve")).text).not.toContain(`/comments/${code}/edit`);

    const edited = await post(`/comments/${code}/edit`, { body_markdown: "Nicer" }, "bob");
    expect(edited).toMatchObject({ status: 303, headers: { location: `${path}#comment-${code}` } });
    expect((await get(`/comments/${code}/edit`, "bob")).text).toContain("Nicer</textarea>");
    expect((await get(`/comments/${code}/delete`, "bob")).text).toContain("Replies to it stay");
    expect((await post(`/comments/${code}/delete`, {}, "bob")).status).toBe(303);
    const after = await get(path);
    expect(after.text).toContain("This comment was deleted.");
    expect(after.text).toContain("Thank you");
    expect(after.text).not.toContain("Nicer");
  });

  test("is one, when its form is sent twice", async () => {
    const form = { body_markdown: "Twice", form_token: "a".repeat(32) };
    for (const { status } of await Promise.all([comment(form), comment(form)]))
      expect([303, 409]).toContain(status);
    const { text } = await get(path);
    expect(text.split("<p>Twice</p>")).toHaveLength(2);
  });

  test.each([
    ["blank", { body_markdown: " \n " }, "Your comment can't be blank"],
    [
      "too long",
      { body_markdown: "x".repeat(25_001) },
      "Your comment is too long (maximum is 25000 characters)",
    ],
    [
      "under what is gone",
      { body_markdown: "Late", article: "999999" },
      "What this is about is unpublished or gone",
    ],
    [
      "a reply to a comment of elsewhere",
      { body_markdown: "Lost", parent: "1" },
      "What this is about is unpublished or gone",
    ],
  ])("that is %s comes back with its text", async (_, values, sentence) => {
    const stored = () => world.db.selectFrom("comments").select("id").execute();
    const before = await stored();
    const { status, text } = await comment(values);
    expect(status).toBe(422);
    expect(text).toContain("<title>Error: ");
    expect(text).toContain(sentence);
    expect(text).toContain(values.body_markdown.trim());
    expect(await stored()).toEqual(before);
  });

  test("is one of ten in 30 seconds, and the next waits with its text", async () => {
    world.setNow(new Date(NOW.getTime() + 600_000));
    for (let n = 0; n < 10; n++)
      expect((await comment({ body_markdown: `No. ${n}` }, "eve")).status).toBe(303);
    const { status, headers, text } = await comment({ body_markdown: "One more" }, "eve");
    expect([status, headers["retry-after"]]).toEqual([429, "30"]);
    expect(text).toContain("One more</textarea>");
    world.setNow(NOW);
  });

  test("of another has no edit, and is hidden by the author of the article alone", async () => {
    world.setNow(new Date(NOW.getTime() + 1_200_000));
    const code = codeIn((await comment({ body_markdown: "Rude" })).headers["location"]);
    const id = Number.parseInt(code, 26);
    for (const act of ["edit", "delete"]) {
      expect((await get(`/comments/${code}/${act}`, "eve")).status).toBe(404);
      expect((await post(`/comments/${code}/${act}`, { body_markdown: "Mine" }, "eve")).status).toBe(404);
    }
    expect((await press("hide-comment", id, "eve")).status).toBe(404);
    expect((await get(path)).text).toContain("<p>Rude</p>");
    const hidden = await press("hide-comment", id, "ada");
    expect(hidden).toMatchObject({ status: 303, headers: { location: `${path}#comment-${code}` } });
    expect((await get(path)).text).not.toContain("Rude");
    await press("hide-comment", id, "ada", "0");
    expect((await get(path)).text).toContain("<p>Rude</p>");
    await press("like-comment", id, "ada");
    expect(isPressed((await get(`/comments/${code}`, "ada")).text, "like-comment", id)).toBe(true);
    world.setNow(NOW);
  });
});
