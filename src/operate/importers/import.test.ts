import { readFile, writeFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import {
  article,
  bytesOf,
  type Line,
  personsArchive as archive,
  twoSites,
  user,
  writeZip,
} from "../../../test/community-file.ts";
import { pngOf } from "../../../test/pictures.ts";

const sites = twoSites();
const { at, counts } = sites;
const inkstone = (...args: string[]) => sites.inkstone("here", ...args);
const db = () => sites.db("here");

const NAME = `${"0a".repeat(16)}.png`;

async function importing(lines: Line[], { more = {}, args = [] as string[] } = {}) {
  await writeZip(at("x.zip"), archive(lines, more));
  const outcome = await inkstone("import", at("x.zip"), "--json", ...args);
  return { ...outcome, report: outcome.code === 0 ? JSON.parse(outcome.out) : JSON.parse(outcome.err).error };
}

const authors = async () => {
  const rows = db().selectFrom("articles").innerJoin("users", "users.id", "author_id");
  return rows.select(["slug", "username"]).orderBy("slug").execute();
};

beforeAll(async () => {
  await writeFile(
    at("people.ndjson"),
    bytesOf([user("ada", { email: "ada@example.org" }), article("mine", { author: "ada" })]),
  );
});

describe("the person of an archive", () => {
  test("is a new one without a password, whatever e-mail address and picture it says", async () => {
    expect(await inkstone("import", at("people.ndjson"))).toMatchObject({ code: 0 });
    const known = await importing([
      user("countess", { email: "ADA@example.org", profile_image: `/uploads/${"0".repeat(32)}.png` }),
      article("one", { author: "countess" }),
    ]);
    expect(known.report).toMatchObject({ created: 2, types: { article: { created: 1 } } });
    const countess = db()
      .selectFrom("users")
      .select(["email", "profile_image"])
      .where("username", "=", "countess");
    expect(await countess.executeTakeFirst()).toEqual({ email: null, profile_image: null });
    // This ada is somebody else.
    const other = await importing([user("ada"), article("two", { author: "ada" })]);
    expect(other.report.types).toMatchObject({ user: { created: 1 } });
    const again = await importing([user("ada"), article("two", { author: "ada" })]);
    expect(again.report).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
    // A reserved name.
    await importing([user("admin", { role: "admin", password: "x", id: 2_000_000_000 }), article("three")]);
    expect(await authors()).toEqual([
      { slug: "mine", username: "ada" },
      { slug: "one", username: "countess" },
      { slug: "three", username: expect.stringMatching(/^admin_[0-9a-f]{8}$/) },
      { slug: "two", username: expect.stringMatching(/^ada_[0-9a-f]{8}$/) },
    ]);
    const { role, password_hash, id } = await db()
      .selectFrom("users")
      .selectAll()
      .where("username", "like", "admin%")
      .executeTakeFirstOrThrow();
    expect({ role, password_hash, isNext: id < 100 }).toEqual({
      role: "member",
      password_hash: null,
      isNext: true,
    });
  });

  test("give everything to the user of --author", async () => {
    const { report } = await importing([user("zed"), article("four", { author: "zed" })], {
      args: ["--author", "ada"],
    });
    expect(report.types).toEqual({ article: { created: 1, updated: 0, unchanged: 0 } });
    expect(await authors()).toContainEqual({ slug: "four", username: "ada" });
    const unknown = await importing([user("zed")], { args: ["--author", "nobody"] });
    expect(unknown).toMatchObject({ code: 1, report: 'There is no user "nobody".' });
  });

  test("never take the articles of others, nor bring what isn't theirs", async () => {
    const { report } = await importing([
      user("mallory"),
      user("second"),
      article("mine", {
        author: "ada",
        score: 1_000,
        imported_reactions_count: 1_000,
        body_markdown: "Mine now",
      }),
      { type: "setting", key: "tagline", value: "Hacked" },
      { type: "retired_path", path: "/ada/mine", article: "one" },
    ]);
    expect(report.left_out.map(({ type }: { type: string }) => type)).toEqual(["user", "setting"]);
    expect(report.remarks).toEqual([
      { text: expect.stringContaining("belongs to another article"), count: 1 },
    ]);
    const rows = await db()
      .selectFrom("articles")
      .selectAll()
      .where("title", "=", "mine")
      .orderBy("id")
      .execute();
    expect(rows.map(({ slug, body_markdown, score }) => ({ slug, body_markdown, score }))).toEqual([
      { slug: "mine", body_markdown: "# mine", score: 0 },
      { slug: expect.stringMatching(/^mine-/), body_markdown: "Mine now", score: 0 },
    ]);
  });
});

describe("pictures", () => {
  const url = `https://old.example/uploads/${NAME}`;

  test("in the archive become uploads of the author, others keep their addresses and are listed", async () => {
    const missing = `https://old.example/uploads/${"1b".repeat(16)}.png`;
    const body = `![a](${url}) <img src='${url}'> ![b](${missing}) ![c](https://cdn.example/c.jpg?w=1) [d](/d.html)`;
    const lines = [user("pia"), article("shown", { author: "pia", body_markdown: body, main_image: url })];
    const { report } = await importing(lines, { more: { [`uploads/${NAME}`]: pngOf(3, 3) } });
    const here = `https://here.example/uploads/${NAME}`;
    const stored = await db()
      .selectFrom("articles")
      .selectAll()
      .where("slug", "=", "shown")
      .executeTakeFirstOrThrow();
    expect(stored.main_image).toBe(here);
    expect(stored.body_markdown).toBe(body.replaceAll(url, here));
    expect(report.pictures).toEqual({
      made: 1,
      kept: [
        { url: missing, reason: "its file is missing" },
        { url: "https://cdn.example/c.jpg?w=1", reason: "it is on another site" },
      ],
    });
    expect(await sites.storedFiles("here")).toEqual([NAME]);
  });

  test("never replace those of others, and keep one name in each import", async () => {
    const lines = [user("quinn"), article("theirs", { author: "quinn", main_image: url })];
    const more = { [`uploads/${NAME}`]: pngOf(4, 4) };
    const before = await sites.files("here").get(`uploads/${NAME}`);
    before?.stream.destroy();
    await importing(lines, { more });
    const after = await sites.files("here").get(`uploads/${NAME}`);
    after?.stream.destroy();
    expect(after?.size).toBe(before?.size);
    const files = await sites.storedFiles("here");
    expect(files.length).toBe(2);
    const { report } = await importing(lines, { more });
    // The articles are here already, so their pictures are too.
    expect(report).toMatchObject({ created: 0, updated: 0, pictures: { made: 0, kept: [] } });
    expect(await sites.storedFiles("here")).toEqual(files);
  });

  test("that can't be read keep their addresses", async () => {
    const lines = [user("rosa"), article("broken", { author: "rosa", main_image: url })];
    const { report } = await importing(lines, { more: { [`uploads/${NAME}`]: "<script>alert(1)</script>" } });
    expect(report.pictures).toEqual({
      made: 0,
      kept: [{ url, reason: expect.stringContaining("Image isn't of a known format") }],
    });
  });

  test("leave no file behind when the import fails", async () => {
    const before = await counts();
    const lines = [
      user("sven"),
      article("fine", { author: "sven", main_image: url }),
      article("bad", { title: "" }),
    ];
    const { code, report } = await importing(lines, { more: { [`uploads/${NAME}`]: pngOf(5, 5) } });
    expect({ code, report }).toEqual({
      code: 1,
      report: expect.stringMatching(/^article "bad": Title can't be blank/),
    });
    expect(await counts()).toEqual(before);
    const skipping = await importing(lines, {
      more: { [`uploads/${NAME}`]: pngOf(5, 5) },
      args: ["--skip-invalid"],
    });
    expect(skipping.report).toMatchObject({ created: 2, skipped: 1 });
  });
});

describe("the format", () => {
  test("is recognized by the first bytes, or given", async () => {
    await writeFile(at("utf16.json"), Buffer.from("\ufeff{}", "utf16le"));
    expect((await inkstone("import", at("utf16.json"))).err).toContain("is UTF-16: save it as UTF-8");
    await writeFile(at("page.xml"), "<?xml version='1.0'?><rss><channel/></rss>");
    expect((await inkstone("import", at("page.xml"))).err).toContain("is XML, but no export of WordPress");
    await writeZip(at("y.zip"), archive([user("uma")]));
    const mixed = await inkstone("import", at("people.ndjson"), at("y.zip"));
    expect(mixed.err).toContain("y.zip of inkstone: import them one by one.");
    const forced = await inkstone("import", at("y.zip"), "--format", "community");
    expect(forced.err).toContain("is an archive: unpack it");
    const foreign = await inkstone("import", at("people.ndjson"), "--site", "https://old.example");
    expect(foreign.err).toContain("--site is for other formats");
    expect((await inkstone("import", at("people.ndjson"), "--format", "inkstone")).err).toContain(
      "is no archive with community.ndjson",
    );
    expect(await readFile(at("people.ndjson"), "utf8")).toContain("ada");
  });
});
