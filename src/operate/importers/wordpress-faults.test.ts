import { writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { cases } from "../../../test/setup.ts";
import { wordpressImports, wxr, WXR_END, wxrPost, wxrStart } from "../../../test/wordpress.ts";

const site = wordpressImports();
const { database, inkstone } = site;

/** The refusal of a file. */
async function refusal(content: string | Buffer): Promise<string> {
  const path = site.path("export.xml");
  await writeFile(path, content);
  const { code, out, err } = await inkstone("import", path);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  const counts = await Promise.all(
    (["users", "articles", "comments"] as const).map((table) =>
      database.db.selectFrom(table).select("id").execute(),
    ),
  );
  expect(counts.flat()).toEqual([]);
  return err.replace(path, "FILE");
}

const MIB = 1024 * 1024;
const good = wxrPost({ name: "good" });
const start = wxrStart();
const inItem = (xml: string) => start + good + xml + WXR_END;

describe("a file that is no whole export of WordPress is refused, and nothing is kept:", () => {
  test.each<[string, string | Buffer, string | RegExp]>([
    ["cut within an item", wxr([{ name: "a" }, { name: "b" }]).slice(0, -400), /ends in the middle/],
    ["cut between items", start + good, /FILE, line \d+: it ends in the middle: get the whole file\.\n$/],
    [
      "with tags that don't match",
      inItem("<item><b></item>"),
      /it isn't well-formed XML \(unexpected close tag\)/,
    ],
    [
      "with an entity of HTML",
      inItem("<item>&nbsp;</item>"),
      /it isn't well-formed XML \(undefined entity\)/,
    ],
    ["with NUL", inItem("<item>a\0b</item>"), /it isn't well-formed XML \(disallowed character\)/],
    [
      "that isn't UTF-8",
      Buffer.concat([Buffer.from(start), Buffer.from([0xff]), Buffer.from(WXR_END)]),
      /UTF-8/,
    ],
    ["in UTF-16", Buffer.from(`\ufeff${wxr([{}])}`, "utf16le"), "FILE is UTF-16: save it as UTF-8."],
    [
      "in another encoding",
      wxr([{}]).replace("UTF-8", "ISO-8859-1"),
      'it is in "ISO-8859-1": save it as UTF-8',
    ],
    ["without a version", wxr([{}]).replace(/<wp:wxr_version>.*/, ""), "it has no wp:wxr_version"],
    [
      "that is another XML",
      "<rss><channel><item></item></channel></rss>",
      "FILE is XML, but no export of WordPress",
    ],
    ["20,000 elements deep", inItem("<a>".repeat(20_000)), "elements are more than 100 deep in each other"],
  ])("one %s", async (_what, content, sentence) => {
    const said = await refusal(content);
    expect(said).toMatch(sentence);
    expect(said).toMatch(/^inkstone: [^\n]+\n$/);
  });

  const withType = (type: string) => wxr([{}]).replace("<rss", `${type}<rss`);
  test.each([
    ["an external one", '<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>'],
    ["a recursive one", '<!DOCTYPE rss [<!ENTITY a "&b;&b;"><!ENTITY b "&a;&a;">]>'],
    ["those of another file", '<!DOCTYPE rss SYSTEM "http://127.0.0.1:1/rss.dtd">'],
  ])("one with entities of its own, such as %s", async (_what, type) => {
    expect(await refusal(withType(type))).toContain("it has a document type (<!DOCTYPE)");
  });

  test.each([
    ["text", (long: string) => `<content:encoded>${long}</content:encoded>`],
    ["section", (long: string) => `<content:encoded><![CDATA[${long}]]></content:encoded>`],
    ["attribute", (long: string) => `<category domain="${long}">a</category>`],
    ["comment", (long: string) => `<!-- ${long} -->`],
  ])("one with a %s of 200 MB", async (_what, element) => {
    const said = await refusal(inItem(`<item>${element("x".repeat(cases(200, 10) * MIB))}</item>`));
    expect(said).toContain("is longer than 8 MiB");
  });
});

test("control characters that XML can't hold are left out", async () => {
  const path = site.path("control.xml");
  await writeFile(path, wxr([{ name: "controls", title: "A\u000b title", content: "A\u0008 text" }]));
  expect(await inkstone("import", path)).toMatchObject({ code: 0 });
  const articles = await database.db.selectFrom("articles").select(["title", "body_markdown"]).execute();
  expect(articles).toEqual([{ title: "A title", body_markdown: "A text" }]);
});
