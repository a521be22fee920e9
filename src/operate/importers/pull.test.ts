import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { type Fields, foreignImports } from "../../../test/foreign-imports.ts";
import { faultAt, KEY, pullsInto } from "../../../test/pulling.ts";
import type { PullOptions } from "./pull.ts";

const site = foreignImports({ ALLOW_PRIVATE_NETWORK: "true" });
const there = pullsInto(site);

const keysOf = (records: Fields[], type: string) =>
  records
    .filter((record) => record["type"] === type)
    .map(({ slug, username, name, id_code }) => slug ?? username ?? id_code ?? name);

describe("a pull", () => {
  test("writes published articles with their people, organizations, tags and comments", async () => {
    const { records, result } = await there.pulled();
    expect(result).toEqual({ articles: 3, comments: 3, users: 2 });
    expect(keysOf(records, "article")).toEqual(["three", "two", "one"]);
    expect(keysOf(records, "user")).toEqual(["ben", "lena"]);
    expect(keysOf(records, "organization")).toEqual(["seeds"]);
    expect(keysOf(records, "tag")).toEqual(["gardening"]);
    expect(records.find(({ slug }) => slug === "one")).toEqual({
      type: "article",
      id: expect.any(Number),
      slug: "one",
      author: "lena",
      title: "one",
      body_markdown: "# One\n\nText.",
      description: expect.any(String),
      tags: ["gardening"],
      canonical_url: expect.stringMatching(/\/lena\/one$/),
      published: true,
      published_at: "2025-01-01T00:00:00.000Z",
      created_at: "2024-12-31T00:00:00.000Z",
      imported_reactions_count: 3,
    });
    expect(records.find(({ username }) => username === "lena")).toMatchObject({
      name: "Lena Ortiz",
      summary: "Gardens.",
      created_at: "2022-03-02T00:00:00.000Z",
    });
    expect(records.filter(({ type }) => type === "comment")).toMatchObject([
      { id_code: "1", author: "ben", body_markdown: "Well *done*, **you**." },
      { id_code: "2", author: "lena", body_markdown: "Thanks.", parent: "1" },
      { id_code: "3", body_markdown: "", deleted: true },
    ]);
  });

  test("can be imported, and changes nothing the second time", async () => {
    const to = site.newPath("import.ndjson");
    const { records } = await there.pulled({ to });
    expect(await site.load(to)).toMatchObject({ records: records.length, bad: [] });
    expect(await site.load(to)).toMatchObject({ created: 0, updated: 0, unchanged: records.length });
    expect(await site.article("two")).toMatchObject({ author: "lena", organization: "seeds" });
  });

  test("of one person leaves out the articles of others", async () => {
    const { records } = await there.pulled({ user: "Lena" });
    expect(keysOf(records, "article")).toEqual(["two", "one"]);
  });

  test("with a key brings its owner's drafts, and shows the key to nobody else", async () => {
    const { records } = await there.pulled({ user: "lena", key: KEY });
    expect(keysOf(records, "article")).toEqual(["two", "one", "hidden-temp-slug-1"]);
    expect(records.find(({ slug }) => slug === "hidden-temp-slug-1")).toMatchObject({ published: false });
    expect(there.asked.every(({ headers }) => headers["api-key"] === KEY)).toBe(true);
  });

  test("asks for one thing after the other, one a second or as fast as RateLimit allows", async () => {
    const { pauses } = await there.pulled();
    expect(pauses[0]).toBe(0);
    expect(new Set(pauses.slice(1))).toEqual(new Set([100]));
    for (const [header, milliseconds] of [
      [undefined, 1_000],
      ['"reads";r=0;t=30', 30_000],
      ['"reads";r=50;t=30, "day";r=10;t=60', 6_000],
      ["nonsense", 1_000],
    ] as const) {
      there.fail((_request, response) => {
        response.writeHead(200, header === undefined ? {} : { ratelimit: header }).end("[]");
        return true;
      });
      expect((await there.pulled()).pauses).toEqual([0, milliseconds]);
    }
  });

  test("follows comments that are nested 20,000 levels deep", async () => {
    const depth = 20_000;
    there.fail((request, response) => {
      if (!request.url?.startsWith("/api/comments")) return false;
      const opening = Array.from({ length: depth }, (_, index) => `[{"id_code":"${index + 10}","children":`);
      response.end(`${opening.join("")}[]${"}]".repeat(depth)}`);
      return true;
    });
    expect((await there.pulled()).result.comments).toBe(depth);
  });
});

describe("a refusal", () => {
  test.each<[string, Partial<PullOptions>, string]>([
    [
      "an address that is none",
      { from: "dev.to" },
      '--from must be the address of a site such as https://dev.to, not "dev.to".',
    ],
    ["a key that is wrong", { key: "ink_wrong" }, "with the status 401, so it refuses the key."],
    [
      "a key of somebody else",
      { key: KEY, user: "ben" },
      "The key is that of lena, so it shows no drafts of ben.",
    ],
  ])("names %s", async (_name, options, sentence) => {
    await expect(there.pulled(options)).rejects.toThrow(sentence);
  });

  test("names a person without articles, and leaves no file", async () => {
    const to = site.newPath("nobody.ndjson");
    await expect(there.pulled({ user: "nobody", to })).rejects.toThrow('shows no articles of "nobody".');
    expect((await readdir(dirname(to))).filter((name) => name.startsWith(basename(to)))).toEqual([]);
  });

  test("names a site without such an API", async () => {
    there.fail(faultAt([1], (response) => response.writeHead(404).end()));
    await expect(there.pulled()).rejects.toThrow(
      "The site has no API like Forem's: there is no list at /api/articles/latest?per_page=100.",
    );
  });

  test("keeps a file that exists", async () => {
    const to = await site.file("mine", "mine.ndjson");
    await expect(there.pulled({ to })).rejects.toThrow(`${to} exists already: name another file.`);
    expect(await readFile(to, "utf8")).toBe("mine");
    expect(there.asked).toEqual([]);
  });
});

describe("inkstone import --from", () => {
  test("writes the file and says how to go on", async () => {
    const to = site.newPath("cli.ndjson");
    expect(await site.inkstone("import", "--from", there.url, "--user", "ben", "--to", to)).toEqual({
      code: 0,
      out: `Wrote 1 article, 0 comments and 1 user to ${to}. Import them with: inkstone import ${to}\n`,
      err: "",
    });
    expect((await stat(to)).mode & 0o777).toBe(0o600);
  });

  test("is refused without --to, and with a file to import", async () => {
    expect(await site.inkstone("import", "--from", there.url)).toMatchObject({ code: 2 });
    expect(await site.inkstone("import", "x.ndjson", "--from", there.url, "--to", "y")).toMatchObject({
      code: 2,
    });
    expect(await site.inkstone("import")).toMatchObject({ code: 2 });
    expect(there.asked).toEqual([]);
  });
});
