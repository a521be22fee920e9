import { expect, test } from "vitest";
import { describe, plainText } from "./plain-text.ts";
import { sanitise } from "./sanitise.ts";

test.each([
  ["<h1>Title</h1>\n<p>One <b>bo</b>ld\nword.</p><p>Two</p>", "Title One bold word. Two"],
  ["<ul><li>a</li><li>b</li></ul>", "a b"],
  ["<p>a<br />b</p><table><tr><td>c</td><td>d</td></tr></table>", "a b c d"],
  ['<p>1 &lt; 2 &amp;&amp; 3 &gt; "2" &amp;lt;</p>', '1 < 2 && 3 > "2" &lt;'],
  ['<p title="a &gt; b">c</p><img alt="d" src="/e.png" />', "c"],
  ["", ""],
])("%s reads %j", (html, text) => {
  expect(plainText(sanitise(html))).toBe(text);
});

test("the signs of footnotes are no text", () => {
  expect(
    plainText(
      '<p>A<sup class="footnote-ref"><a id="h--fnref1" href="#h--fn1">1</a></sup> b<sup>2</sup></p><ol class="footnotes"><li><p>c <a class="footnote-back" href="#h--fnref1">↩</a></p></li></ol>',
    ),
  ).toBe("A b2 c");
});

test("a short text is the description, on one line", () => {
  expect(describe("  Warp\n and\tweft. ", "Ada")).toBe("Warp and weft.");
});

test("an empty body is described by its author", () => {
  expect(describe(" \n ", "Ada Lovelace")).toBe("A post by Ada Lovelace");
});

test("a text of 104 characters stays whole", () => {
  const text = "x".repeat(104);
  expect(describe(text, "Ada")).toBe(text);
});

test("a longer text is cut at a word boundary", () => {
  const description = describe("weaving ".repeat(50), "Ada");
  expect(description).toBe(`${"weaving ".repeat(12).trimEnd()}...`);
});

test("a word that ends where the cut is stays", () => {
  const words = `${"x".repeat(98)} yy zzzz`;
  expect(describe(words, "Ada")).toBe(`${"x".repeat(98)} yy...`);
});

test("a text without spaces is cut where it must be, between characters", () => {
  expect(describe("中".repeat(200), "Ada")).toBe(`${"中".repeat(101)}...`);
  expect(describe("🎉".repeat(200), "Ada")).toBe(`${"🎉".repeat(101)}...`);
});
