import { writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import {
  article,
  type Entries,
  patched,
  personsArchive as archive,
  twoSites,
  user,
  writeZip,
  zipOf,
} from "../../../test/community-file.ts";
import { cases } from "../../../test/setup.ts";

const sites = twoSites();
const { at, counts } = sites;
const inkstone = (...args: string[]) => sites.inkstone("here", ...args);
const NAME = `${"0a".repeat(16)}.png`;

describe("bad input leaves nothing behind", () => {
  const lines = [user("tom"), article("toms", { author: "tom" })];
  const huge = `{"type":"article","title":"${"x".repeat(cases(200_000_000, 20_000_000))}"}`;
  const deep = `{"type":"article","slug":"deep","title":"t","body_markdown":"b","tags":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;

  test.each<[string, () => Promise<Entries> | Entries, string]>([
    [
      "a line that is far too long",
      () => ({ "community.ndjson": { content: `${huge}\n`, compress: false } }),
      "line 1 of community.ndjson in x.zip: the line is longer than 8 MiB",
    ],
    ["20,000 levels", () => archive([user("tom"), deep]), "article t: it is nested too deeply"],
    [
      "an archive of nothing",
      () => ({ "notes.txt": "x" }),
      "x.zip has neither community.ndjson, articles.json",
    ],
  ])("%s", async (_name, entries, sentence) => {
    const before = await counts();
    await writeZip(at("x.zip"), await entries());
    const { code, out, err } = await inkstone("import", at("x.zip"));
    expect({ code, out, err: err.replaceAll(at("x.zip"), "x.zip") }).toEqual({
      code: 1,
      out: "",
      err: expect.stringContaining(sentence),
    });
    expect(err).not.toContain("\n    at ");
    expect(await counts()).toEqual(before);
  });

  test.each<[string, (whole: Buffer) => Buffer, string]>([
    [
      "a name that leaves the archive",
      (whole) => patched(whole, "aaa.txt", "../.txt"),
      "leaves the archive by its name",
    ],
    ["a cut file", (whole) => whole.subarray(0, whole.length - 200), "can't be read as a zip archive"],
  ])("%s", async (_name, spoil, sentence) => {
    const before = await counts();
    await writeFile(at("x.zip"), spoil(await zipOf(archive(lines, { "aaa.txt": "a" }))));
    const { code, err } = await inkstone("import", at("x.zip"));
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(sentence) });
    expect(await counts()).toEqual(before);
  });

  test("a bomb among the pictures", async () => {
    const before = await counts();
    await writeZip(at("x.zip"), archive(lines, { [`uploads/${NAME}`]: Buffer.alloc(9_000_000) }));
    expect((await inkstone("import", at("x.zip"))).err).toContain("unpacks to more than 100 times its size");
    expect(await counts()).toEqual(before);
  });
});
