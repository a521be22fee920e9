import { describe, expect, test } from "vitest";
import { FeedProblem } from "./feed.ts";
import { readFeed } from "./read-feed.ts";

const read = (body: string | Uint8Array, contentType?: string) =>
  readFeed(Buffer.from(body as string), contentType, "https://feeds.example/feed");

const rss = (inside: string) => `<rss version="2.0"><channel>${inside}</channel></rss>`;

/** Ten to the ninth laughs. */
const LAUGHS = Array.from(
  { length: 9 },
  (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
).join("");

describe("what can't be read says why:", () => {
  test.for([
    ["nothing", "", "The feed is empty."],
    ["control characters alone", "\0\x01\x02", "The feed is empty."],
    ["text", "Not found", "The response is neither XML nor JSON, so it is not a feed."],
    [
      "a picture",
      Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
      "The response is neither XML nor JSON",
    ],
    ["a web page", "<!DOCTYPE html><html><body><rss version='2.0'></rss>", "a web page, not a feed"],
    [
      "XHTML",
      '<?xml version="1.0"?><!-- x --><html xmlns="http://www.w3.org/1999/xhtml"/>',
      "a web page, not a feed",
    ],
    ["other XML", "<opml version='2.0'><body/></opml>", "XML, but neither RSS nor Atom"],
    ["JSON of another kind", '{"rss": "2.0", "items": []}', "JSON, but no JSON Feed"],
    ["a JSON list", "[1, 2]", "JSON, but no JSON Feed"],
    ["broken JSON", '{"version": "https://jsonfeed.org/version/1.1", "title"', "JSON, but no JSON Feed"],
    ["an end in a comment", "<!-- <rss version='2.0'>", "breaks off before its first element"],
    ["an end in a document type", "<!DOCTYPE rss", "breaks off before its first element"],
    [
      "a billion laughs",
      `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY l0 "ha">${LAUGHS}]>${rss("<title>&l9;</title>")}`,
      "declares a document type or entities of its own",
    ],
    [
      "an external entity",
      `<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>${rss("<title>&x;</title>")}`,
      "declares a document type or entities of its own",
    ],
    [
      "100,000 numeric references",
      rss(`<title>${"&#65;".repeat(100_000)}</title>`),
      "more than 50000 numeric character references",
    ],
    ["20,000 levels", rss("<a>".repeat(20_000)), "The feed is nested too deeply."],
    [
      "20,000 levels of JSON",
      `{"version": "https://jsonfeed.org/version/1", "items": ${"[".repeat(20_000)}`,
      "no JSON Feed",
    ],
  ] as const)("%s", ([, body, sentence]) => {
    expect(() => read(body as string)).toThrow(FeedProblem);
    expect(() => read(body as string)).toThrow(sentence);
  });
});

test("a document type that declares nothing is passed over, as RSS 0.91 has one", () => {
  const type = `<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/publish/formats/rss-0.91.dtd">`;
  expect(read(`<?xml version="1.0"?>\n${type}\n${rss("<title>Old</title>")}`).title).toBe("Old");
});

test("an undeclared entity is text, and those of HTML are characters", () => {
  expect(read(rss("<title>&nope; caf&eacute; &amp; &#8212; &#x1F331;</title>")).title).toBe(
    "&nope; café & — 🌱",
  );
});

test("a document type in a text is text", () => {
  const title = "<title><![CDATA[<!DOCTYPE html [<!ENTITY a 'b'>]>]]></title>";
  expect(read(rss(title)).title).toBe("<!DOCTYPE html [<!ENTITY a 'b'>]>");
});

test("a JSON feed of 20,000 levels, in an unknown field, is read without harm", () => {
  const levels = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  const body = `{"version": "https://jsonfeed.org/version/1", "title": "Deep", "items": [], "_x": ${levels}}`;
  expect(read(body).title).toBe("Deep");
});

test("no text holds what can't be stored", () => {
  const dirt = "a\0b\x07c&#0;d&#x1f;e&#xD800;f";
  const feed = read(
    rss(
      `<title>${dirt}</title><description>${dirt}</description><item><title>${dirt}</title><guid>${dirt}</guid><category>${dirt}</category><description><![CDATA[${dirt}]]></description></item>`,
    ),
  );
  const [item] = feed.items;
  for (const text of [
    feed.title,
    feed.description,
    item?.title,
    item?.guid,
    item?.categories[0],
    item?.summary,
  ]) {
    expect(text).toMatch(/^abc/);
    // oxlint-disable-next-line no-control-regex -- what is looked for
    expect(text).not.toMatch(/[\0-\x08\x0b-\x1f]|[\ud800-\udfff]/u);
  }
});

test("addresses of other schemes, and those that are none, are left out", () => {
  const links = [
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "http://[",
    `https://a.example/${"a".repeat(3000)}`,
  ];
  const items = links.map(
    (link) => `<item><title>x</title><link>${link}</link><enclosure url="${link}"/></item>`,
  );
  const feed = read(rss(`<title>Links</title>${items.join("")}`));
  expect(feed.items).toHaveLength(links.length);
  for (const item of feed.items) expect(item).toEqual({ title: "x", categories: [] });
});

test("a feed that is cut off is broken, not a shorter one", () => {
  expect(() => read('<rss version="2.0"><channel><title>Cut</title><item><title>One</tit')).toThrow(
    FeedProblem,
  );
});

describe("an encoding is found whatever a feed says of it:", () => {
  const xml = (encoding: string, title: string) =>
    `<?xml version="1.0" encoding="${encoding}"?>${rss(`<title>${title}</title>`)}`;
  const utf16be = (text: string) => Buffer.from(text, "utf16le").swap16();
  test.for([
    ["UTF-8 as it says", Buffer.from(xml("utf-8", "Käse")), undefined, "Käse"],
    ["UTF-8 that says nothing", Buffer.from(rss("<title>Käse</title>")), undefined, "Käse"],
    [
      "UTF-8 with a mark, called Latin 1",
      Buffer.from(`\ufeff${xml("iso-8859-1", "Käse")}`),
      undefined,
      "Käse",
    ],
    ["UTF-8 called Latin 1", Buffer.from(xml("iso-8859-1", "Käse")), undefined, "Käse"],
    [
      "UTF-8 called Latin 1 by its host",
      Buffer.from(xml("utf-8", "Käse")),
      "text/xml; charset=ISO-8859-1",
      "Käse",
    ],
    ["Latin 1 as it says", Buffer.from(xml("iso-8859-1", "Käse"), "latin1"), undefined, "Käse"],
    ["Latin 1 called UTF-8", Buffer.from(xml("utf-8", "Käse"), "latin1"), undefined, "Käse"],
    [
      "Latin 1 that only its host names",
      Buffer.from(rss("<title>Käse</title>"), "latin1"),
      'text/xml; charset="latin1"',
      "Käse",
    ],
    ["Windows 1251", Buffer.from(xml("windows-1251", "\xcc\xe8\xf0"), "latin1"), undefined, "Мир"],
    ["Shift_JIS", Buffer.from(xml("Shift_JIS", "\x93\xfa\x96\x7b"), "latin1"), undefined, "日本"],
    [
      "GB 18030 by its host",
      Buffer.from(rss("<title>\xd6\xd0\xce\xc4</title>"), "latin1"),
      "application/rss+xml;charset=gb18030",
      "中文",
    ],
    ["UTF-16 with a mark", Buffer.from(`\ufeff${xml("utf-16", "Käse")}`, "utf16le"), undefined, "Käse"],
    ["UTF-16, the other way round", utf16be(xml("utf-16", "Käse")), undefined, "Käse"],
    ["UTF-8 called UTF-16", Buffer.from(xml("utf-16", "Käse")), "text/xml; charset=utf-16", "Käse"],
  ] as const)("%s", ([, body, contentType, title]) => {
    expect(read(body, contentType).title).toBe(title);
  });
});
