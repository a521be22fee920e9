import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuCost } from "../../../test/waiting.ts";
import { cases } from "../../../test/setup.ts";
import { AppError } from "../../platform/errors.ts";
import { parseFrontMatter } from "./front-matter.ts";

const attributesOf = (yaml: string) => parseFrontMatter(`---\n${yaml}\n---\nBody`).attributes;

describe("the block", () => {
  test("is split from the body, which keeps every byte", () => {
    expect(parseFrontMatter("---\ntitle: Loom\n---\n\n Body \r\n---\nend\n")).toEqual({
      attributes: { title: "Loom" },
      body: "\n Body \r\n---\nend\n",
      hasBlock: true,
    });
  });

  test("may have Windows line ends, a byte order mark, blank lines above and blanks after its dashes", () => {
    const parsed = parseFrontMatter("\ufeff\r\n--- \r\ntitle: Loom\r\ntags: a, b\r\n---\t\r\nBody\r\n");
    expect(parsed).toEqual({
      attributes: { title: "Loom", tags: ["a", "b"] },
      body: "Body\r\n",
      hasBlock: true,
    });
  });

  test("may be empty, and may end the text", () => {
    expect(parseFrontMatter("---\n---\nBody")).toEqual({ attributes: {}, body: "Body", hasBlock: true });
    expect(parseFrontMatter("---\ntitle: x\n---")).toEqual({
      attributes: { title: "x" },
      body: "",
      hasBlock: true,
    });
  });

  test.each([
    "",
    "Body\n---\ntitle: x\n---\n",
    "---\ntitle: never closed\n",
    "---\nJust a rule above some prose.\n---\n",
    "---\n\n# A heading\n\n---\n",
    "---\n- a\n- list\n---\n",
    "---\nSome prose: with colons: and more\nand [brackets\n---\n",
    "----\ntitle: x\n----\n",
    " ---\ntitle: x\n---\n",
  ])("is no block: %j", (markdown) => {
    expect(parseFrontMatter(markdown)).toEqual({ attributes: {}, body: markdown, hasBlock: false });
  });
});

describe("leniency", () => {
  test.each([
    ["title: Rust: the hard parts", "Rust: the hard parts"],
    ["title: Why C# is nice # really", "Why C# is nice # really"],
    ["title: #hashtag", "#hashtag"],
    ["title: It's Ada's \"loom\"", "It's Ada's \"loom\""],
    ['title: "Quoted" and not', '"Quoted" and not'],
    ["title: 'It''s quoted' # comment", "It's quoted"],
    ['title: "a\\u00e9"', "aé"],
    ["title: [draft] @home & *away*", "[draft] @home & *away*"],
    ["title: {{ liquid }}", "{{ liquid }}"],
    ["title:no space", "no space"],
    ["Title: 1.10", "1.10"],
    ["title: true", "true"],
    ["title: one\n  two: three", "one two: three"],
    ["title: >\n  folded\n  text", "folded text"],
    ["title: # to be found", ""],
    ["title:", ""],
  ])("reads %j as %j", (yaml, title) => {
    expect(attributesOf(yaml).title).toBe(title);
  });

  test.each([
    ["My: Series", "My: Series"],
    ["C# for everybody # a comment", "C# for everybody"],
    ["[Part] one & two", "[Part] one & two"],
    ["null", null],
  ])("reads the series %j as %j", (text, series) => {
    expect(attributesOf(`title: x\nseries: ${text}`).series).toBe(series);
  });

  test("description may hold colons too", () => {
    expect(attributesOf("title: x\ndescription: One thing: another").description).toBe("One thing: another");
  });

  test.each([
    "#wool #felt",
    "wool, felt",
    "wool, #felt # a comment",
    "[wool, felt]",
    "[#wool, #felt]",
    '["wool", "felt"]',
    '"#wool #felt"',
    "\n  - Wool\n  - felt",
    "\n- wool\n- felt",
    "[wool,\n  felt]",
    "wool,\n  felt",
  ])("reads tags written as %j", (tags) => {
    expect(attributesOf(`title: x\ntags: ${tags}`).tags).toEqual(["wool", "felt"]);
  });

  test.each([
    ["published: true", true],
    ["Published: false", false],
    ["PUBLISHED: True", true],
    ["published: 'true'", true],
    ["published: yes", undefined],
    ["published: 1", undefined],
    ["published:", undefined],
    ["title: x", undefined],
  ])("%j says published %j", (yaml, published) => {
    expect(attributesOf(yaml).published).toBe(published);
  });

  test("the key as we write it stands above another spelling of it", () => {
    expect(attributesOf("Published: true\npublished: false").published).toBe(false);
  });

  test("unknown keys are ignored, whatever their name", () => {
    const { attributes } = parseFrontMatter(
      "---\n__proto__: {title: x}\nconstructor: y\nlayout: post\n---\n",
    );
    expect(attributes).toEqual({});
    expect(({} as Record<string, unknown>)["title"]).toBeUndefined();
  });

  test("an empty key differs from an absent one", () => {
    expect(
      attributesOf("title:\ndescription:\ntags:\nseries:\ncanonical_url: ''\ncover_image: ~\ndate:\nvideo:"),
    ).toEqual({
      title: "",
      description: "",
      tags: [],
      series: null,
      canonical_url: null,
      cover_image: null,
      date: null,
      video: "",
    });
    expect(attributesOf("series: Looms\ncover_image: https://example.com/a.png")).toEqual({
      series: "Looms",
      cover_image: "https://example.com/a.png",
    });
  });
});

describe("a block that does not parse", () => {
  test.each([
    ['title: "never closed', 3],
    ["title: x\nvideo: a: b", 3],
    ["title: x\nlayout: a\n\tvideo: b: c", 4],
    ["title: x\n\tpublished: true", 3],
    ["title: x\ntags: a\n published: true", 4],
    ["title: x\n  that goes on\n  Tags: a", 4],
    ["layout: [post", 3],
    ["title: x\nvideo: [a", 4],
    [`title: x\nmenu: ${"[".repeat(21)}`, 3],
    [`title: x\nmenu:\n  ${"- ".repeat(21)}x`, 4],
  ])("%j is refused with its line", (yaml, line) => {
    expect(() => attributesOf(yaml)).toThrow(
      expect.objectContaining({
        code: "invalid",
        message: expect.stringMatching(
          new RegExp(`^There was a problem parsing the front-matter YAML\\. Line ${line}: .*\\.$`),
        ),
      }),
    );
  });

  test.each([
    ["video: *other", "It uses an alias"],
    ["video: [a, b]", "The value of video must be a text."],
    ['title: "a\\0b"', "The value of title must not contain control characters."],
    ['cover_image: "\\ud800"', "The value of cover_image must not contain control characters."],
  ])("%j is refused", (yaml, reason) => {
    expect(() => attributesOf(yaml)).toThrow(reason);
  });

  test("is refused or read, whatever it holds", () => {
    const scraps =
      "--- title: tags: date: - ? [ ] { } & * ! | > ' \" % @ ` # \\ \t \n \r\n \0 \ud800 é 中 a 2026-03-02 << __proto__".split(
        " ",
      );
    const anyYaml = fc.array(
      fc.oneof(fc.constantFrom(...scraps, " ", "\n"), fc.string({ unit: "binary", maxLength: 5 })),
    );
    fc.assert(
      fc.property(anyYaml, (pieces) => {
        const markdown = `---\n${pieces.join("")}\n---\nBody`;
        expect(attempt(() => parseFrontMatter(markdown).body)).toSatisfy(
          (outcome) =>
            markdown.endsWith(String(outcome)) || (outcome instanceof AppError && outcome.code === "invalid"),
        );
      }),
      { numRuns: cases(2000, 300) },
    );
  });

  test.each([
    "[",
    "{",
    "- ",
    "? ",
    "a,",
    ",",
    "{a: b,",
    "a: &a [*a, ",
    "!a ,",
    "&a ,",
    "!<",
    '"\\',
    "*a ",
    "- a\n",
    "'',",
    "#\n",
    "k:\n",
  ])(
    "of many %j is refused, at a cost that doesn't grow with the square, and ends no process",
    async (piece) => {
      const opening = piece.includes("\n") ? "\n" : "";
      const flow = piece.endsWith(",") ? "[" : "";
      const ofLength = (length: number) =>
        `title: x\nvideo: ${opening}${flow}${piece.repeat(length / piece.length)}`;
      const cost = async (length: number) => {
        const yaml = ofLength(length);
        const refuse = () =>
          expect(() => attributesOf(yaml)).toThrow("There was a problem parsing the front-matter YAML.");
        return cpuCost(refuse);
      };
      // A cost that grows with the square would be a hundred times as high. Below a millisecond it is noise.
      const small = Math.max(await cost(40_000), 1_000);
      expect(await cost(400_000)).toBeLessThan(40 * small);
    },
  );

  test("of too many values names the line of the first that is too many", () => {
    const lines = (count: number) => `title: x\nmenu:${"\n- a".repeat(count)}`;
    expect(() => attributesOf(lines(1_000))).toThrow(/ Line \d{3}: there are too many values; /);
    expect(attributesOf(lines(300))).toEqual({ title: "x" });
  });

  test("of aliases that multiply is refused", () => {
    const levels = Array.from({ length: 12 }, (_, at) => `k${at + 1}: &k${at + 1} [${`*k${at},`.repeat(9)}]`);
    expect(() => attributesOf(`title: x\nk0: &k0 x\n${levels.join("\n")}`)).toThrow("It uses an alias");
  });
});

function attempt(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}
