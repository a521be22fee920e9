import { expect, test } from "vitest";
import { renderMarkdown } from "./markdown.ts";
import { excerptOf, runningText } from "./plain-text.ts";

const read = (markdown: string) => runningText(renderMarkdown(markdown).html);

test.each([
  ["headings", "# Looms\n\nWarp first.\n\n## Then\n\nWeft *second*.", "Warp first. Weft second."],
  ["code blocks", "Run it:\n\n```sh\nnpm start\n```\n\nDone with `npm`.", "Run it: Done with npm."],
  ["tables", "Prices.\n\n|Loom|Price|\n|-|-|\n|Small|3|\n\nAll in euros.", "Prices. All in euros."],
  [
    "captions of images",
    "![Loom](/a.png)\n*A loom.*\n\nWarp.\n\n![](/b.png)\n\n*Another.*\n\n*Weft.*",
    "Warp. Weft.",
  ],
  ["figures", "<figure><img src='/a.png'><figcaption>A loom.</figcaption></figure>\n\nWarp.", "Warp."],
  ["embeds", "{% youtube dQw4w9WgXcQ %}\n\nWatch it.\n\nhttps://youtu.be/dQw4w9WgXcQ", "Watch it."],
  ["lists beside text", "You need:\n\n- wool\n- a loom\n\nThen weave.", "You need: Then weave."],
  ["signs of footnotes", "Warp.[^1]\n\n[^1]: A note.", "Warp."],
])("running text is without %s", (_, markdown, text) => {
  expect(read(markdown)).toBe(text);
});

test.each([
  ["a quote", "> Warp & weft.", "Warp & weft."],
  ["a list", "# Looms\n\n- wool\n- a loom", "wool a loom"],
  ["headings", "# Looms\n\n## Wool", "Looms Wool"],
  ["nothing", "![](/a.png)", ""],
])("a body with only %s gives its text", (_, markdown, text) => {
  expect(read(markdown)).toBe(text);
});

test("the beginning of a long text is enough, and never half a character", () => {
  expect(read(`x${"🎉".repeat(5_000)}`)).toBe(`x${"🎉".repeat(499)}`);
});

test("an excerpt is the first whole sentences of at most 160 characters", () => {
  const first = "Warp threads run the length of the cloth, e.g. from the back beam to the front of the loom.";
  expect(
    excerptOf(`${first} Weft threads cross them, over and under, from one selvedge to the other one again.`),
  ).toBe(first);
  expect(excerptOf("Short. Shorter.")).toBe("Short. Shorter.");
});

test("an excerpt without a short sentence ends behind a word, with an ellipsis that can't stand alone in a line", () => {
  expect(excerptOf("weaving, ".repeat(50))).toBe(`${"weaving, ".repeat(16)}weaving…`);
  expect(excerptOf("🎉".repeat(200))).toBe(`${"🎉".repeat(79)}…`);
});
