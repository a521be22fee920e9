import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandsForAll, type Outcome } from "../../../test/commands.ts";

const site = commandsForAll();
const { inkstone } = site;

const file = async (name: string, lines: object[]) => {
  await writeFile(join(site.folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return name;
};
const parse = ({ out }: Outcome): unknown => JSON.parse(out);

describe("inkstone import and export", () => {
  const tag = (name: string) => ({ type: "tag", name });

  test("import a file and say what it did", async () => {
    const name = await file("tags.ndjson", [tag("wool"), tag("silk")]);
    const first = await inkstone(["import", name]);
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toMatch(
      /^Imported 2 records in [\d.]+ s: 2 created, 0 updated, 0 unchanged, 0 skipped\.\n$/,
    );
    const { seconds, ...summary } = parse(await inkstone(["import", name, "--json"])) as { seconds: number };
    expect(summary).toEqual({
      records: 2,
      created: 0,
      updated: 0,
      unchanged: 2,
      skipped: 0,
      bad: [],
      types: { tag: { created: 0, updated: 0, unchanged: 2 } },
      left_out: [],
      remarks: [],
      pictures: { made: 0, kept: [] },
    });
    expect(seconds).toBeGreaterThanOrEqual(0);
  });

  test("import standard input, all of it or what is wanted", async () => {
    const input = [tag("linen"), { type: "tag", name: "a b" }, { type: "comment" }]
      .map((line) => JSON.stringify(line))
      .join("\n");
    const refused = await inkstone(["import", "-"], { input });
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toMatch(/^inkstone: line 2, tag "a b": Tag "a b" contains non-alphanumeric/);
    const asJson = await inkstone(["import", "-", "--json"], { input });
    expect(JSON.parse(asJson.err)).toEqual({ error: expect.stringContaining('line 2, tag "a b"') });
    const some = await inkstone(["import", "-", "--only", "tag", "--skip-invalid"], { input });
    expect(some.out).toMatch(
      /^Imported 3 records in [\d.]+ s: 1 created, 0 updated, 0 unchanged, 2 skipped\.\n$/,
    );
    expect(some.err).toMatch(
      /^line 2, tag "a b": Tag "a b" contains non-alphanumeric or prohibited unicode characters\n$/,
    );
    const json = parse(
      await inkstone(["import", "-", "--only", "tag", "--skip-invalid", "--json"], { input }),
    );
    expect(json).toMatchObject({ records: 3, unchanged: 1, skipped: 2, bad: [{ line: 2 }] });
  });

  test("refuse a file that isn't there", async () => {
    expect(await inkstone(["import", "nothing.ndjson"])).toMatchObject({
      code: 1,
      err: "inkstone: nothing.ndjson can't be used: there is no such file.\n",
    });
    expect((await inkstone(["import", "."])).err).toBe("inkstone: . can't be used: it is a directory.\n");
    expect((await inkstone(["export", "no/where"])).err).toBe(
      "inkstone: no/where can't be used: there is no such file.\n",
    );
    expect((await inkstone(["export", "x", "--only", "tags"])).err).toContain('--only can\'t name "tags"');
  });

  test("export to a file that only its owner reads, and to standard output", async () => {
    const api_keys = [{ key: "brought from elsewhere", description: "x" }];
    await inkstone([
      "import",
      await file("user.ndjson", [{ type: "user", username: "lena", name: "Lena", api_keys }]),
    ]);
    const written = await inkstone(["export", "site.ndjson", "--with-secrets"]);
    expect(written).toMatchObject({ code: 0, err: "" });
    expect(written.out).toMatch(/^Wrote \d+ records to site\.ndjson\.\n$/);
    const text = await readFile(join(site.folder, "site.ndjson"), "utf8");
    expect((await stat(join(site.folder, "site.ndjson"))).mode & 0o777).toBe(0o600);
    expect(text).toContain('"sha256"');
    const piped = await inkstone(["export", "--with-secrets"]);
    expect(piped).toEqual({ code: 0, out: text, err: "" });
    expect((await inkstone(["export", "--only", "tag"])).out).toMatch(/^(\{"type":"tag",.*\}\n)+$/);
    expect((await inkstone(["export", "-", "--with-secrets"])).out).toBe(piped.out);
    expect(parse(await inkstone(["export", "site.ndjson", "--force", "--json"]))).toEqual({
      records: expect.any(Number),
    });
    expect(await readFile(join(site.folder, "site.ndjson"), "utf8")).not.toContain('"sha256"');
  });

  test("overwrite a file only with --force, and nothing but a file", async () => {
    await writeFile(join(site.folder, "mine.txt"), "mine");
    expect(await inkstone(["export", "mine.txt"])).toEqual({
      code: 1,
      out: "",
      err: "inkstone: mine.txt exists already: name another file, or overwrite it with --force.\n",
    });
    expect(await readFile(join(site.folder, "mine.txt"), "utf8")).toBe("mine");
    expect(await inkstone(["export", "mine.txt", "--force"])).toMatchObject({ code: 0, err: "" });
    expect(await readFile(join(site.folder, "mine.txt"), "utf8")).toContain('{"type":');
    const { code, err } = await inkstone(["export", "/dev/null", "--force"]);
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining("is not a regular file") });
  });

  test("leave the file of before when an export fails", async () => {
    await writeFile(join(site.folder, "kept.ndjson"), "before");
    const { code } = await inkstone(["export", "kept.ndjson", "--force"], {
      env: { DATABASE_URL: "postgres://x@127.0.0.1:1/x" },
    });
    expect(code).toBe(1);
    expect(await readFile(join(site.folder, "kept.ndjson"), "utf8")).toBe("before");
  });
});
