import fc from "fast-check";
import Parser from "rss-parser";
import { expect, test } from "vitest";
import { cases } from "../../../test/setup.ts";
import { all, parseXml, textOf, type XmlElement } from "../../../test/documents.ts";
import { type Feed, toAtom, toJsonFeed, toRss } from "./formats.ts";

const HOSTILE = [
  "]]>",
  "<![CDATA[",
  "<!--",
  "&amp;",
  "&#0;",
  "&undefined;",
  "\u0000",
  "\u0008",
  "\r\n",
  "\u{1F9F6}",
  "\ud800",
  "\udc00",
  "\ufffe",
  "\uffff",
  "\u202eשלום",
  "مرحبا",
  "\u2028",
  '"',
  "'",
];

/** Any text, and often one that means something to XML. */
const text = fc
  .array(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...HOSTILE)), { maxLength: 6 })
  .map((parts) => parts.join(""));

const maybe = (arbitrary: fc.Arbitrary<string>) => fc.option(arbitrary, { nil: undefined });
const date = fc.date({
  min: new Date("1970-01-01T00:00:00Z"),
  max: new Date("2100-01-01T00:00:00Z"),
  noInvalidDate: true,
});

const entry = fc.record({
  id: text,
  url: text,
  title: text,
  summary: text,
  html: maybe(text),
  author: fc.record({ name: text, url: text, picture: text }),
  tags: fc.array(text, { maxLength: 4 }),
  cover: maybe(text),
  publishedAt: date,
  updatedAt: date,
});

const feed: fc.Arbitrary<Feed> = fc.record({
  title: text,
  description: text,
  id: text,
  page: text,
  self: text,
  first: maybe(text),
  next: maybe(text),
  language: maybe(fc.constant("en")),
  picture: maybe(text),
  updatedAt: fc.option(date, { nil: undefined }),
  entries: fc.array(entry, { maxLength: 3 }),
});

/** The characters of a text that XML can hold, by its definition. */
function held(value: string): string {
  const fits = (code: number) =>
    [0x9, 0xa, 0xd].includes(code) ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    code >= 0x10000;
  return Array.from(value)
    .filter((sign) => fits(sign.codePointAt(0) as number))
    .join("");
}

const entriesOf = (root: XmlElement) => all(root, "entry");

test("Atom is well-formed and says every text as it is, whatever it is", () => {
  fc.assert(
    fc.property(feed, (given) => {
      const root = parseXml(toAtom(given));
      expect(textOf(root, "title")).toBe(held(given.title));
      expect(all(root, "link")[1]?.attributes["href"]).toBe(held(given.self));
      expect(entriesOf(root).length).toBe(given.entries.length);
      for (const [index, found] of entriesOf(root).entries()) {
        const { title, summary, html, tags } = given.entries[index] as Feed["entries"][number];
        expect(textOf(found, "title")).toBe(held(title));
        expect(textOf(found, "summary")).toBe(held(summary));
        expect(textOf(found, "content")).toBe(html === undefined ? undefined : held(html));
        expect(all(found, "category").map(({ attributes }) => attributes["term"])).toEqual(tags.map(held));
      }
    }),
    { numRuns: cases(500, 100) },
  );
});

test("RSS is well-formed and says every text as it is, whatever it is", () => {
  fc.assert(
    fc.property(feed, (given) => {
      const channel = all(parseXml(toRss(given)), "channel")[0] as XmlElement;
      expect(textOf(channel, "title")).toBe(held(given.title));
      expect(all(channel, "item").length).toBe(given.entries.length);
      for (const [index, found] of all(channel, "item").entries()) {
        const { title, html, author, tags } = given.entries[index] as Feed["entries"][number];
        expect(textOf(found, "title")).toBe(held(title));
        expect(textOf(found, "dc:creator")).toBe(held(author.name));
        expect(textOf(found, "content:encoded")).toBe(html === undefined ? undefined : held(html));
        expect(all(found, "category").map((category) => category.text)).toEqual(tags.map(held));
      }
    }),
    { numRuns: cases(500, 100) },
  );
});

test("both are read by rss-parser, whatever they say", async () => {
  await fc.assert(
    fc.asyncProperty(feed, async (given) => {
      for (const written of [toRss(given), toAtom(given)]) {
        const { items } = await new Parser().parseString(written);
        expect(items.length).toBe(given.entries.length);
      }
    }),
    { numRuns: cases(100, 30) },
  );
});

test("JSON Feed is JSON with what the format requires, whatever it says", () => {
  fc.assert(
    fc.property(feed, (given) => {
      const read = JSON.parse(toJsonFeed(given)) as { items: Record<string, unknown>[] };
      expect(read).toMatchObject({ version: "https://jsonfeed.org/version/1.1", title: given.title });
      expect(read.items.length).toBe(given.entries.length);
      for (const [index, item] of read.items.entries()) {
        expect(item["id"]).toBe(given.entries[index]?.id);
        expect(typeof (item["content_html"] ?? item["content_text"])).toBe("string");
      }
    }),
    { numRuns: cases(200, 50) },
  );
});
