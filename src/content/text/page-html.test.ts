import { expect, test } from "vitest";
import { renderMarkdown } from "./markdown.ts";
import { bodyPage } from "./page-html.ts";

const pageOf = (markdown: string) => bodyPage(renderMarkdown(markdown).html);

test("the list of contents has the headings of three levels, by their ids", () => {
  expect(pageOf("# Warp & *weft*\n\n#### Deep\n\n### Tools\n").contents).toEqual([
    { level: 1, id: "h-warp-weft", text: "Warp & weft" },
    { level: 3, id: "h-tools", text: "Tools" },
  ]);
});

test("a list of contents has at most 200 headings: the higher levels, then the first ones", () => {
  const parts = Array.from(
    { length: 150 },
    (_, part) => `## Part ${part}\n\n### Detail\n\n### Detail\n`,
  ).join("\n");
  const { contents, html } = pageOf(parts);
  expect(contents).toHaveLength(150);
  expect(contents.at(-1)?.text).toBe("Part 149");
  // The page has every heading.
  expect(html.match(/<h[23]/g)).toHaveLength(450);
  expect(pageOf("# a\n".repeat(16_000)).contents).toHaveLength(200);
  expect(pageOf(`# ${"a".repeat(900)}\n`).contents[0]?.text).toBe(`${"a".repeat(200)}…`);
});

test("a text in one language says so, and a short one doesn't", () => {
  const text =
    "Ein guter Kompost riecht nach Waldboden. Wenn er stinkt, fehlt ihm Luft, und meistens ist er zu nass. " +
    "Dann hilft es, den Haufen umzusetzen und trockene Blätter, Stroh oder zerrissenen Karton unterzumischen. ";
  expect(pageOf(text.repeat(3)).language).toBe("de");
  expect(pageOf("Kette").language).toBeUndefined();
});
