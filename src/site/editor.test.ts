import { PASSWORD } from "../../test/accounts.ts";
import { editingForAll, fieldsOf, plain, sent } from "../../test/editor.ts";
import { FORM_TYPE, form as fileForm, pngOf } from "../../test/pictures.ts";
import { describe, expect, test } from "vitest";
import { findByPath } from "../community/articles/reading.ts";
import * as settings from "../platform/settings/settings.ts";

const { world, join, headersOf, get, post, rows, rowOf, draft } = editingForAll();
const eventsOf = () => world.db.selectFrom("events").selectAll().execute();

function withCover(who: string, file: Buffer, values: Record<string, string>) {
  const parts = Object.entries(values).map(
    ([name, value]) => `--XX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const body = Buffer.concat([Buffer.from(parts.join("")), fileForm(file, 'name="cover"; filename="a.png"')]);
  return world.request({
    method: "POST",
    url: "/new",
    headers: { ...headersOf(who), "content-type": FORM_TYPE },
    body,
  });
}

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
      /The front matter of this text decides.*Title, Tags, Publication, Description, Series\./s,
    );
    const row = (await rows()).at(-1);
    expect(row).toMatchObject({ title: "Ruled", body_markdown: body, tag_list: ["wool"] });
  });

  test("has a cover, which stays while the rest is refused", async () => {
    const send = (file: Buffer) =>
      withCover("ada", file, { title: "", body_markdown: "Covered", act: "draft" });
    const bad = await send(Buffer.from("no picture"));
    expect([bad.status, fieldsOf(bad.text)["body_markdown"]]).toEqual([422, "Covered"]);
    expect(bad.text).toContain('id="cover-fault"');
    for (const mebibytes of [11, 30]) {
      const large = await send(Buffer.alloc(mebibytes * 1024 * 1024));
      expect([large.status, fieldsOf(large.text)["body_markdown"]]).toEqual([413, "Covered"]);
      expect(large.text).toContain("The file is larger than 10 MiB");
    }
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
    const refused = await post("/new", { title: "No", body_markdown: "x" });
    expect([refused.status, fieldsOf(refused.text)["body_markdown"]]).toEqual([422, "x"]);
    expect((await get("/new", "lena")).status).toBe(200);
    await settings.set(world.db, "posting", "everyone");
  });
});

describe("a preview", () => {
  test("takes a cover, whose address is in the fragment for a script too", async () => {
    const { status, text } = await withCover("ada", pngOf(40, 30), { title: "Covered", act: "preview" });
    expect(status).toBe(200);
    const [, address] = /<img class="cover" src="([^"]*)"/.exec(text) ?? [];
    expect(address).toMatch(/\/uploads\/[0-9a-f]{32}\.png$/);
    expect(fieldsOf(text)).toMatchObject({ title: "Covered", main_image: address });
    expect((await withCover("", pngOf(4, 3), { act: "preview" })).status).toBe(401);
  });

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

describe("a member whose session has ended", () => {
  test("signs in by the answer to the form, which then saves all of its text", async () => {
    const { id, slug } = await draft();
    const edit = `/ada/${slug}/edit`;
    const form = fieldsOf((await get(edit)).text);
    const text = 'Ünï "quoted" <b>\n'.repeat(15_000);
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

describe("a form that can't be taken", () => {
  test("because of too many writes shows its text again, with the time to wait", async () => {
    await settings.set(world.db, "write_burst", "1");
    await join("wim");
    const typed = { title: "Fast", body_markdown: "Kept too", act: "draft" };
    const answers = [await post("/new", typed, "wim"), await post("/new", { ...typed, title: "Two" }, "wim")];
    await settings.set(world.db, "write_burst", "10000");
    expect(answers.map(({ status }) => status)).toEqual([303, 429]);
    expect(answers[1]?.headers["retry-after"]).toBe("1");
    expect(fieldsOf(answers[1]?.text ?? "")).toMatchObject({ title: "Two", body_markdown: "Kept too" });
  });

  test.each([
    ["a draft that says published: true", "draft", true],
    ["an article to publish that says published: false", "publish", false],
  ])("because it is %s says so beside the text", async (_, act, published) => {
    const before = await rows();
    const body_markdown = `---\ntitle: Both\npublished: ${published}\n---\n\nText`;
    const { status, text } = await post("/new", { title: "x", body_markdown, act });
    expect(status).toBe(422);
    expect(text).toContain(`Text says published: ${published} in its front matter`);
    expect(fieldsOf(text)["body_markdown"]).toBe(body_markdown);
    expect(await rows()).toEqual(before);
  });

  test("from a stranger with a large cover asks to sign in, with the text", async () => {
    const values = { title: "Kept", act: "draft" };
    const { status, text } = await withCover("", Buffer.alloc(11 * 1024 * 1024), values);
    expect(status).toBe(401);
    expect(text).toContain('name="title" value="Kept"');
    expect((await withCover("", Buffer.alloc(14 * 1024 * 1024), values)).status).toBe(413);
  });

  test("from a stranger with more than an article has is refused, not carried on", async () => {
    const { status, text } = await post("/new", { body_markdown: "a".repeat(2_000_000) }, "");
    expect([status, text.length < 100_000]).toEqual([422, true]);
    expect((await post("/new", { title: "x", other: "a".repeat(5_000) }, "")).status).toBe(422);
  });
});
