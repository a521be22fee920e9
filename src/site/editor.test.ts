import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cookieFor, PASSWORD, postForm } from "../../test/accounts.ts";
import { FORM_TYPE, form as fileForm, pngOf } from "../../test/pictures.ts";
import { worldForAll } from "../../test/world.ts";
import { versionOf } from "../community/articles/editing.ts";
import { findByPath } from "../community/articles/reading.ts";
import { hashPassword } from "../community/users/password-hash.ts";
import * as settings from "../platform/settings/settings.ts";

const NOW = new Date("2026-03-31T12:00:00Z");
const bursts = {
  read_burst: "10000",
  write_burst: "10000",
  article_update_limit: "1000",
  article_create_limit: "100",
};
const world = worldForAll({ now: NOW, rateLimits: true, settings: bursts });
const cookies: Record<string, string> = {};
const ids: Record<string, number> = {};
let minutes = 0;

beforeAll(async () => {
  for (const [username, role] of [
    ["ada", "member"],
    ["bob", "member"],
    ["lena", "admin"],
  ] as const) {
    const { id } = await world.user({ username, role, registered_at: "2020-01-01T00:00:00Z" });
    ids[username] = id;
    cookies[username] = await cookieFor(world, id);
  }
  const password_hash = await hashPassword(PASSWORD);
  await world.db.updateTable("users").set({ password_hash }).execute();
});
/** No test meets the limits of another. */
beforeEach(() => world.setNow(new Date(NOW.getTime() + 60_000 * ++minutes)));

const headersOf = (who: string) => ({
  accept: "text/html",
  ...(who !== "" && { cookie: cookies[who] ?? "" }),
});
const get = (url: string, who = "ada") => world.get(url, { headers: headersOf(who) });
const post = (url: string, values: Record<string, string>, who = "ada", headers = {}) =>
  postForm(world, url, values, { ...headersOf(who), ...headers });
const rows = () => world.db.selectFrom("articles").selectAll().orderBy("id").execute();
const rowOf = async (id: number) =>
  world.db.selectFrom("articles").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
const eventsOf = () => world.db.selectFrom("outbox").selectAll().execute();
const draft = (fields: object = {}) => world.article({ username: "ada" }, { published: false, ...fields });

const plain = (html: string) =>
  html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

/** The fields of the editor, as a browser without a script has them. */
function fieldsOf(html: string): Record<string, string> {
  const text = html.replaceAll(/\r\n?/g, "\n");
  const [editor = ""] = /<form[^>]*id="editor".*?<\/form>/s.exec(text) ?? [];
  const values: Record<string, string> = {};
  for (const [input] of editor.matchAll(/<input [^>]*>/g)) {
    if (/type="(?:file|checkbox)"/.test(input)) continue;
    values[/ name="([^"]*)"/.exec(input)?.[1] ?? ""] = plain(/ value="([^"]*)"/s.exec(input)?.[1] ?? "");
  }
  for (const [, name = "", value = ""] of editor.matchAll(
    /<textarea[^>]* name="([^"]*)"[^>]*>(.*?)<\/textarea>/gs,
  ))
    values[name] = plain(value.replace(/^\n/, ""));
  for (const [, name = "", options = ""] of editor.matchAll(
    /<select[^>]* name="([^"]*)"[^>]*>(.*?)<\/select>/gs,
  ))
    values[name] = /<option [^>]*selected[^>]*>/.exec(options)?.[0].match(/value="([^"]*)"/)?.[1] ?? "";
  return values;
}

/** Browsers end lines with CRLF. */
const sent = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.replaceAll("\n", "\r\n")]));

describe("a new article", () => {
  test("is kept as a draft, then published with all that its form has", async () => {
    const form = fieldsOf((await get("/new")).text);
    const typed = { ...form, title: "Dyeing", body_markdown: "Boil it.\n\n*Gently.*", tag_list: "wool, dye" };
    const saved = await post("/new", sent({ ...typed, act: "draft" }));
    expect([saved.status, saved.headers["location"]]).toEqual([
      303,
      expect.stringMatching(/\/edit\?done=saved$/),
    ]);
    const [edit = ""] = String(saved.headers["location"]).split("?");
    const page = await get(String(saved.headers["location"]));
    expect(page.text).toContain("Saved.");
    const again = fieldsOf(page.text);
    expect(again).toMatchObject({
      title: "Dyeing",
      body_markdown: "Boil it.\n\n*Gently.*",
      tag_list: "wool, dye",
    });

    const full = {
      ...again,
      description: "On pots.",
      series: "Pots",
      canonical_url: "https://a.example/dye",
    };
    const published = await post(edit, sent({ ...full, act: "publish" }));
    expect(published.status).toBe(303);
    const to = String(published.headers["location"]);
    expect((await get(to, "")).text).toContain("Boil it.");
    const row = await findByPath(world.db, to);
    expect(row).toMatchObject({
      state: "published",
      body_markdown: "Boil it.\n\n*Gently.*",
      tag_list: ["wool", "dye"],
      description: "On pots.",
      canonical_url: "https://a.example/dye",
    });
    expect((await get(to)).text).toContain(`href="${to}/edit"`);
    expect((await get(to, "bob")).text).not.toContain(`href="${to}/edit"`);
    expect(fieldsOf((await get(`${to}/edit`)).text)).toMatchObject({ series: "Pots" });
  });

  test("is one when its form is sent twice", async () => {
    const form = { ...fieldsOf((await get("/new")).text), title: "Twice", body_markdown: "x", act: "draft" };
    const before = (await rows()).length;
    expect((await post("/new", form)).status).toBe(303);
    expect(await post("/new", form)).toMatchObject({
      status: 303,
      headers: { location: "/dashboard?state=drafts" },
    });
    expect(await rows()).toHaveLength(before + 1);
  });

  test.each([
    ["no title", { title: "" }, "title", "Title can’t be blank"],
    ["too many tags", { tag_list: "a,b,c,d,e" }, "tag_list", "Tags exceed the maximum of 4 tags"],
    ["a bad tag", { tag_list: "c++" }, "tag_list", "non-alphanumeric"],
    ["a bad address", { canonical_url: "example" }, "canonical_url", "must be a full http or https address"],
    ["a past date", { published_at: "2020-01-01", act: "publish" }, "published_at", "only future or current"],
    ["no date", { published_at: "soon" }, "published_at", "must be a date-time"],
    [
      "broken front matter",
      { body_markdown: "---\npublished_at: soon\n---\nHi" },
      "body_markdown",
      "There was a problem",
    ],
    ["too long a text", { body_markdown: "long ".repeat(164_000) }, "body_markdown", "is too long"],
  ])("with %s comes back with its text, and nothing is written", async (_, wrong, field, sentence) => {
    const before = [await rows(), await eventsOf()];
    const typed = { title: "Kept", body_markdown: "My *text*", act: "draft", ...wrong };
    const { status, text } = await post("/new", typed);
    expect(status).toBe(422);
    expect(text).toContain("<title>Error: Write");
    const [fault = ""] = new RegExp(`<p class="fault" id="${field}-fault">.*?</p>`, "s").exec(text) ?? [];
    expect(plain(fault).replaceAll("'", "’")).toContain(sentence);
    const { act: _act, ...kept } = typed;
    expect(fieldsOf(text)).toMatchObject(kept);
    expect([await rows(), await eventsOf()]).toEqual(before);
  });

  test("comes back with its text when there were too many", async () => {
    await settings.set(world.db, "article_create_limit", "2");
    for (let n = 0; n < 2; n++)
      await post("/new", { title: `Many ${n}`, body_markdown: "x", act: "publish" }, "bob");
    const { status, headers, text } = await post(
      "/new",
      { title: "One more", body_markdown: "Kept", act: "publish" },
      "bob",
    );
    await settings.set(world.db, "article_create_limit", "100");
    expect([status, Number(headers["retry-after"]) > 0]).toEqual([429, true]);
    expect(fieldsOf(text)).toMatchObject({ title: "One more", body_markdown: "Kept" });
  });

  test("by front matter says what decides, and is saved byte for byte", async () => {
    const body = "---\ntitle: Ruled\ntags: wool\npublished: false\n---\n\n\nText  \n\n";
    const answer = await post("/new", { title: "Other", body_markdown: body, act: "draft" });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("Attribute title was ignored");
    expect(answer.text).toMatch(
      /The front matter of this text decides.*Title, Published, Description, Tags/s,
    );
    const row = (await rows()).at(-1);
    expect(row).toMatchObject({ title: "Ruled", body_markdown: body, tag_list: ["wool"] });
  });

  test("has a cover, which stays while the rest is refused", async () => {
    const parts = Object.entries({ title: "", body_markdown: "Covered", act: "draft" }).map(
      ([name, value]) => `--XX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const send = (file: Buffer) =>
      world.request({
        method: "POST",
        url: "/new",
        headers: { ...headersOf("ada"), "content-type": FORM_TYPE },
        body: Buffer.concat([Buffer.from(parts.join("")), fileForm(file, 'name="cover"; filename="a.png"')]),
      });
    const bad = await send(Buffer.from("no picture"));
    expect([bad.status, fieldsOf(bad.text)["body_markdown"]]).toEqual([422, "Covered"]);
    expect(bad.text).toContain('id="cover-fault"');
    const large = await send(Buffer.alloc(10 * 1024 * 1024 + 1));
    expect([large.status, fieldsOf(large.text)["body_markdown"]]).toEqual([413, "Covered"]);
    const refused = await send(pngOf(40, 30));
    expect(refused.status).toBe(422);
    const typed = fieldsOf(refused.text);
    expect(typed["main_image"]).toMatch(/^https:\/\/ink\.example\/uploads\/[0-9a-f]{32}\.png$/);
    const { headers } = await post("/new", { ...typed, title: "Covered", act: "draft" });
    const [edit = ""] = String(headers["location"]).split("?");
    const form = fieldsOf((await get(edit)).text);
    expect(form["main_image"]).toBe(typed["main_image"]);
    await post(edit, { ...form, remove_cover: "1", act: "draft" });
    expect((await rows()).at(-1)).toMatchObject({ title: "Covered", main_image: null });
  });

  test("is for those who may post", async () => {
    await settings.set(world.db, "posting", "admins");
    expect((await get("/new")).status).toBe(404);
    expect((await post("/new", { title: "No", body_markdown: "x" })).status).toBe(404);
    expect((await get("/new", "lena")).status).toBe(200);
    await settings.set(world.db, "posting", "everyone");
  });
});

describe("a preview", () => {
  test("shows the article above its form, with links in new tabs, and saves nothing", async () => {
    const before = [await rows(), await eventsOf()];
    const typed = {
      title: "Soon",
      body_markdown: "See [there](https://a.example) and\n\n# Head",
      act: "preview",
    };
    const { status, text } = await post("/new", typed);
    expect(status).toBe(200);
    expect(text).toContain('<a target="_blank" href="https://a.example"');
    expect(text.indexOf('class="preview"')).toBeLessThan(text.indexOf('id="editor"'));
    expect(fieldsOf(text)).toMatchObject({ title: "Soon", body_markdown: typed.body_markdown });
    const fragment = await post("/new", typed, "ada", { accept: "text/html; fragment=1" });
    expect(fragment.text).toContain('class="preview"');
    expect(fragment.text).not.toContain("<form");
    expect([await rows(), await eventsOf()]).toEqual(before);
  });

  test("that is refused keeps the text", async () => {
    const { status, text } = await post("/new", {
      title: "x",
      body_markdown: "---\npublished_at: soon\n---\n",
      act: "preview",
    });
    expect([status, fieldsOf(text)["body_markdown"]]).toEqual([422, "---\npublished_at: soon\n---\n"]);
    expect(text).toContain('id="body_markdown-fault"');
  });
});

describe("an article", () => {
  test("that is opened and saved unchanged isn't written, whatever its bytes", async () => {
    const pieces = [
      "\r\n",
      "\n",
      "\r",
      " ",
      "\t",
      "a",
      "<b>",
      "&amp;",
      '"',
      "é",
      "日本",
      "```\n",
      "# x",
      "\u00a0",
      "</p>",
    ];
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const { id, slug } = await draft();
    const path = `/ada/${slug}/edit`;
    for (let n = 0; n < 200; n++) {
      const body = Array.from({ length: random(30) }, () => pieces[random(pieces.length)]).join("");
      const excerpt = n % 2 === 0 ? null : "x";
      const description = n % 3 === 0 ? `A\nb ${n}` : "c";
      await world.db
        .updateTable("articles")
        .set({ body_markdown: body, description, excerpt })
        .where("id", "=", id)
        .execute();
      const before = await rowOf(id);
      const form = fieldsOf((await get(path)).text);
      expect((await post(path, sent({ ...form, act: "draft" }))).status).toBe(303);
      expect(await rowOf(id)).toEqual(before);
    }
  }, 60_000);

  test("is found by its author and admins alone", async () => {
    const { id, slug } = await draft({ title: "Mine" });
    for (const act of ["edit", "delete"]) {
      for (const who of ["ada", "lena"]) expect((await get(`/ada/${slug}/${act}`, who)).status).toBe(200);
      expect((await get(`/ada/${slug}/${act}`, "bob")).status).toBe(404);
      expect((await post(`/ada/${slug}/${act}`, { title: "Yours", act: "save" }, "bob")).status).toBe(404);
      expect((await post(`/bob/x/${act}`, { title: "Yours", article: String(id) }, "bob")).status).toBe(404);
    }
    expect((await get(`/ada/${slug}/edit`, "")).status).toBe(303);
    expect(await rowOf(id)).toMatchObject({ title: "Mine", state: "draft" });
  });

  test("is changed, unpublished and published again", async () => {
    const { id, slug } = await world.article({ username: "ada" }, { published_at: "2026-01-01T00:00:00Z" });
    const edit = `/ada/${slug}/edit`;
    const page = (await get(edit)).text;
    expect(page).not.toContain('name="published_at"');
    const form = fieldsOf(page);
    const saved = await post(edit, { ...form, title: "Changed", act: "save" });
    expect(saved).toMatchObject({ status: 303, headers: { location: `/ada/${slug}` } });
    await post(edit, { ...fieldsOf((await get(edit)).text), act: "unpublish" });
    expect(await rowOf(id)).toMatchObject({ title: "Changed", state: "unpublished" });
    expect((await get(`/ada/${slug}`, "bob")).status).toBe(404);
    const own = (await get(`/ada/${slug}`)).text;
    expect(own).toContain("This is unpublished: only you see it.");
    expect((await post(edit, { act: "publish" })).headers["location"]).toBe(`/ada/${slug}`);
    expect(await rowOf(id)).toMatchObject({ state: "published" });
  });

  test("belongs to an organization of its author", async () => {
    const { id, slug } = await draft();
    expect((await get(`/ada/${slug}/edit`)).text).not.toContain("organization_id");
    const { id: organization_id } = await world.organization({ username: "weavers", name: "Weavers" });
    await world.db
      .insertInto("organization_members")
      .values({ organization_id, user_id: ids["ada"] ?? 0, role: "member" })
      .execute();
    const form = fieldsOf((await get(`/ada/${slug}/edit`)).text);
    expect(form["organization_id"]).toBe("");
    const { headers } = await post(`/ada/${slug}/edit`, {
      ...form,
      organization_id: String(organization_id),
      act: "draft",
    });
    expect(headers["location"]).toBe(`/weavers/${slug}/edit?done=saved`);
    expect(await rowOf(id)).toMatchObject({ organization_id });
  });

  test("that was changed meanwhile shows both texts, and either is taken", async () => {
    const { id, slug } = await draft({ body_markdown: "one\ntwo\nthree\n", title: "Both" });
    const edit = `/ada/${slug}/edit`;
    const form = fieldsOf((await get(edit)).text);
    await world.reaction({ user: "bob", article: slug, category: "like" });
    await post(edit, { ...form, body_markdown: "one\n2\nthree\n", act: "draft" });
    const mine = { ...form, body_markdown: "one\nzwei\nthree\n", act: "draft" };
    const conflict = await post(edit, mine);
    expect(conflict.status).toBe(412);
    expect(conflict.text).toContain("<mark>2\n</mark>");
    expect(conflict.text).toContain("<mark>zwei\n</mark>");
    expect(await rowOf(id)).toMatchObject({ body_markdown: "one\n2\nthree\n" });

    const version = /name="version" value="([^"]*)"/.exec(conflict.text)?.[1] ?? "";
    const theirs = await post(edit, { ...mine, version, act: "theirs" });
    expect(fieldsOf(theirs.text)["body_markdown"]).toBe("one\n2\nthree\n");
    expect(theirs.text).toMatch(/<textarea id="mine" readonly[^>]*>\n?one\nzwei\nthree\n/i);
    expect((await post(edit, { ...mine, version })).status).toBe(303);
    expect(await rowOf(id)).toMatchObject({ body_markdown: "one\nzwei\nthree\n" });
  });

  test.each([
    ["a title by key", { title: "By key" }],
    ["tags by key", { tags: ["key"] }],
    ["a cover by key", { main_image: "https://a.example/b.png" }],
  ])("has a conflict with %s, but none with counts", async (_, change) => {
    const { id, slug } = await draft();
    const edit = `/ada/${slug}/edit`;
    const form = { ...fieldsOf((await get(edit)).text), body_markdown: "Mine", act: "draft" };
    await world.db.updateTable("articles").set({ comments_count: 3 }).where("id", "=", id).execute();
    const key = await world.key({ id: ids["ada"] ?? 0 });
    await world.request({ method: "PUT", url: `/api/articles/${id}`, key, body: { article: change } });
    expect((await post(edit, form)).status).toBe(412);
    const row = await findByPath(world.db, `/ada/${slug}`);
    expect((await post(edit, { ...form, version: row ? versionOf(row) : "" })).status).toBe(303);
  });

  test("that another tab published is still saved at its former path", async () => {
    const { headers } = await post("/new", { title: "Tabs", body_markdown: "x", act: "draft" });
    const [edit = ""] = String(headers["location"]).split("?");
    const form = fieldsOf((await get(edit)).text);
    await post(edit, { ...form, act: "publish" });
    expect((await post(edit, { ...form, body_markdown: "y", act: "draft" })).status).toBe(412);
  });

  test("is deleted after a question, and restored on the dashboard", async () => {
    const { id, slug } = await world.article(
      { username: "ada" },
      { title: "Gone", published_at: "2026-01-01T00:00:00Z" },
    );
    expect((await get(`/ada/${slug}/delete`)).text).toContain("for 30 days");
    expect((await rowOf(id)).state).toBe("published");
    const deleted = await post(`/ada/${slug}/delete`, {});
    expect(deleted).toMatchObject({ status: 303, headers: { location: "/dashboard?state=deleted" } });
    expect((await get("/dashboard?state=deleted")).text).toContain("Gone");
    expect((await get("/dashboard?state=deleted", "bob")).text).toContain("No articles here");
    expect((await post("/dashboard", { restore: String(id) }, "bob")).status).toBe(404);
    expect((await rowOf(id)).state).toBe("deleted");
    expect(await post("/dashboard", { restore: String(id) })).toMatchObject({
      status: 303,
      headers: { location: "/dashboard" },
    });
    expect((await rowOf(id)).state).toBe("published");
    expect((await post("/dashboard", { restore: String(id) })).status).toBe(404);
  });

  test("that an admin deleted comes back unpublished, and only an admin publishes it", async () => {
    const { id, slug } = await world.article({ username: "ada" }, { published_at: "2026-01-01T00:00:00Z" });
    await post(`/ada/${slug}/delete`, {}, "lena");
    await post("/dashboard", { restore: String(id) });
    expect((await rowOf(id)).state).toBe("unpublished");
    const refused = await post(`/ada/${slug}/edit`, { act: "publish" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("staff unpublished this article");
    expect(fieldsOf(refused.text)["body_markdown"]).toBe("Some words.");
  });

  test("that is scheduled or a draft answers to its author alone", async () => {
    const date = "2026-05-01 09:15";
    const { headers } = await post("/new", {
      title: "Later",
      body_markdown: "x",
      published_at: date,
      act: "publish",
    });
    const path = String(headers["location"]);
    expect((await get(path)).text).toContain(
      "This will be published on 1 May 2026 at 09:15 UTC: only you see it.",
    );
    for (const who of ["bob", "lena", ""]) expect((await get(path, who)).status).toBe(404);
    const form = fieldsOf((await get(`${path}/edit`)).text);
    expect(form["published_at"]).toBe(date);
    await post(`${path}/edit`, { ...form, act: "unpublish" });
    const row = await findByPath(world.db, path);
    expect(row).toMatchObject({ state: "draft" });
    const { text } = await get(path);
    expect(text).toContain("This is a draft: only you see it.");
    expect(text).toContain('value="publish"');
    expect((await get(path, "bob")).status).toBe(404);
  });
});

describe("a member whose session has ended", () => {
  test("signs in by the answer to the form, which then saves all of its text", async () => {
    const { id, slug } = await draft();
    const edit = `/ada/${slug}/edit`;
    const form = fieldsOf((await get(edit)).text);
    const text = 'Ünï "quoted" <b>\n'.repeat(40_000);
    const typed = { ...form, body_markdown: text, act: "draft" };
    const asked = await post(edit, sent(typed), "");
    expect(asked.status).toBe(401);
    const carried: Record<string, string> = {};
    for (const [, name = "", value = ""] of asked.text.matchAll(
      /<input type="hidden" name="([^"]*)" value(?:="([^"]*)")?/gs,
    ))
      carried[name] = plain(value);
    expect(carried).toMatchObject({ ...typed, action: edit, back: edit });
    const signedIn = await post("/signin", sent({ ...carried, login: "ada", password: PASSWORD }), "");
    expect(signedIn).toMatchObject({ status: 307, headers: { location: edit } });
    const cookie = String(signedIn.headers["set-cookie"]).split(";")[0] ?? "";
    const saved = await post(edit, sent({ ...carried, login: "ada", password: PASSWORD }), "", { cookie });
    expect(saved.status).toBe(303);
    expect(await rowOf(id)).toMatchObject({ body_markdown: text });
  });
});

describe("the dashboard", () => {
  test("has tabs, and 30 articles a page by a cursor, each once", async () => {
    const { id } = await world.user({ username: "kim" });
    cookies["kim"] = await cookieFor(world, id);
    for (const state of ["published", "drafts", "scheduled", "deleted"])
      expect((await get(`/dashboard?state=${state}`, "kim")).text).toContain("No articles here");
    expect((await get("/dashboard?state=other", "kim")).status).toBe(422);
    const titles = [];
    for (let n = 0; n < 35; n++) {
      const published_at = new Date(NOW.getTime() - (n % 5) * 86_400_000).toISOString();
      titles.push((await world.article({ username: "kim" }, { published_at })).title);
    }
    const titlesIn = (html: string) =>
      [...html.matchAll(/<p dir="auto"><a [^>]*>(.*?)<\/a>/g)].map(([, title]) => title);
    const first = (await get("/dashboard", "kim")).text;
    expect(titlesIn(first)).toHaveLength(30);
    const next = plain(/<a href="([^"]*)" rel="next"/.exec(first)?.[1] ?? "");
    const second = (await get(next, "kim")).text;
    const byText = (one = "", other = "") => one.localeCompare(other);
    expect([...titlesIn(first), ...titlesIn(second)].toSorted(byText)).toEqual(titles.toSorted(byText));
    expect(first).toContain("0 views");
    expect((await get("/dashboard?state=drafts&cursor=x", "kim")).status).toBe(422);
    expect(first).toContain('href="/new"');
    expect((await get("/dashboard", "")).status).toBe(303);
  });
});

describe("a picture of the script", () => {
  const send = (who: string, body: Buffer) =>
    world.request({
      method: "POST",
      url: "/new/images",
      headers: { ...headersOf(who), accept: "application/json", "content-type": FORM_TYPE },
      body,
    });

  test("is stored, and its address comes back", async () => {
    const { status, body } = await send("ada", fileForm(pngOf(40, 30)));
    expect([status, body]).toEqual([
      201,
      { links: [expect.stringMatching(/\/uploads\/[0-9a-f]{32}\.png$/)] },
    ]);
  });

  test("is refused with a reason", async () => {
    expect((await send("", fileForm(pngOf(4, 3)))).status).toBe(401);
    expect(await send("ada", fileForm(Buffer.from("text")))).toMatchObject({
      status: 422,
      body: { error: expect.any(String) },
    });
    expect((await send("ada", fileForm(pngOf(4, 3), 'name="other"; filename="a"'))).body).toMatchObject({
      error: "image is missing: send one file as image",
    });
    expect((await send("ada", fileForm(Buffer.alloc(10 * 1024 * 1024 + 1)))).status).toBe(413);
  });
});
