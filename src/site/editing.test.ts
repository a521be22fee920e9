import { PASSWORD } from "../../test/accounts.ts";
import { editingForAll, fieldsOf, sent } from "../../test/editor.ts";
import { describe, expect, test } from "vitest";
import { versionOf } from "../community/articles/editing.ts";
import { findByPath } from "../community/articles/reading.ts";

const { world, get, post, rowOf, draft } = editingForAll();
const idOf = async (username: string) =>
  (await world.db.selectFrom("users").select("id").where("username", "=", username).executeTakeFirstOrThrow())
    .id;

describe("an article", () => {
  test("that is opened and saved unchanged isn't written, whatever its bytes", async () => {
    const pieces = [
      "\r\n",
      "\n",
      "\r",
      ...Array.from(' \ta"é\u00a0'),
      "<b>",
      "&amp;",
      "日本",
      "```\n",
      "# x",
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
      .values({ organization_id, user_id: await idOf("ada"), role: "member" })
      .execute();
    const form = fieldsOf((await get(`/ada/${slug}/edit`)).text);
    expect(form["organization_id"]).toBe("");
    expect(fieldsOf((await get("/new")).text)["organization_id"]).toBe("");
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
    const key = await world.key({ id: await idOf("ada") });
    await world.request({ method: "PUT", url: `/api/articles/${id}`, key, body: { article: change } });
    expect((await post(edit, form)).status).toBe(412);
    const row = await findByPath(world.db, `/ada/${slug}`);
    expect((await post(edit, { ...form, version: row ? versionOf(row) : "" })).status).toBe(303);
  });

  test("that was deleted meanwhile leaves its text for a new one", async () => {
    const { id, slug } = await draft();
    const form = { ...fieldsOf((await get(`/ada/${slug}/edit`)).text), body_markdown: "Long text" };
    await post(`/ada/${slug}/delete`, {});
    const { status, text } = await post(`/ada/${slug}/edit`, { ...form, act: "draft" });
    expect(status).toBe(404);
    expect(text).toContain("There is no such article any more.");
    const again = fieldsOf(text);
    expect(again["body_markdown"]).toBe("Long text");
    expect(again["article"]).toBeUndefined();
    expect((await post("/new", { ...again, act: "draft" })).status).toBe(303);
    expect((await rowOf(id)).state).toBe("deleted");
  });

  test("whose lines only moved, or that was published meanwhile, says so in its conflict", async () => {
    const { slug } = await draft({ body_markdown: "a\nb\nc\n" });
    const edit = `/ada/${slug}/edit`;
    const form = { ...fieldsOf((await get(edit)).text), act: "draft" };
    await post(edit, { ...form, body_markdown: "b\na\nc\n", act: "publish" });
    const { status, text } = await post(edit, { ...form, body_markdown: "a\nb\nc\n" });
    expect(status).toBe(412);
    expect(text).toContain("<mark>b\n</mark><mark>a\n</mark>c");
    expect(text).toContain("The article is published: readers see what you save.");
    expect(text).toContain('name="act" value="save"');
  });

  test("that is published twice is published once, and both answers lead to a page of its author", async () => {
    const { id, slug } = await draft();
    const form = fieldsOf((await get(`/ada/${slug}/edit`)).text);
    const twice = [1, 2].map(() => post(`/ada/${slug}/edit`, { ...form, act: "publish" }));
    for (const { status, headers } of await Promise.all(twice)) {
      expect(status).toBe(303);
      expect((await get(String(headers["location"]))).status).toBe(200);
    }
    expect((await rowOf(id)).state).toBe("published");
  });

  test("that an admin unpublishes leads the admin to its form", async () => {
    const { id, slug } = await world.article({ username: "ada" }, { published_at: "2026-01-01T00:00:00Z" });
    const { headers } = await post(`/ada/${slug}/edit`, { act: "unpublish" }, "lena");
    expect((await rowOf(id)).state).toBe("unpublished");
    expect((await get(String(headers["location"]), "lena")).status).toBe(200);
  });

  test("whose conflict comes after a sign-in shows no password", async () => {
    const { slug } = await draft();
    const edit = `/ada/${slug}/edit`;
    const form = fieldsOf((await get(edit)).text);
    await post(edit, { ...form, title: "Other", act: "draft" });
    const sentAgain = { ...form, title: "Mine", act: "draft", login: "ada", password: PASSWORD };
    const { status, text } = await post(edit, sentAgain);
    expect(status).toBe(412);
    expect(text).not.toContain(PASSWORD);
    expect(text).toContain('name="title" value="Mine"');
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
    const cleared = await post(`${path}/edit`, { ...form, published_at: "", act: "save" });
    expect(cleared.status).toBe(422);
    expect(cleared.text).toContain("press Unpublish to make it a draft");
    await post(`${path}/edit`, { ...form, act: "unpublish" });
    const row = await findByPath(world.db, path);
    expect(row).toMatchObject({ state: "draft" });
    const { text } = await get(path);
    expect(text).toContain("This is a draft: only you see it.");
    expect(text).toContain('value="publish"');
    expect((await get(path, "bob")).status).toBe(404);
  });
});
