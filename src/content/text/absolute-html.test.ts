import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../test/setup.ts";
import { absoluteHtml } from "./absolute-html.ts";
import { sanitise } from "./sanitise.ts";

const PAGE = "https://ink.example/lena/tomatoes-1a";

test.each([
  ['<a href="/omar/looms?a=1&amp;b=2">x</a>', '<a href="https://ink.example/omar/looms?a=1&amp;b=2">x</a>'],
  ['<a href="#h-end">x</a>', `<a href="${PAGE}#h-end">x</a>`],
  ['<a href="basil-2b">x</a>', '<a href="https://ink.example/lena/basil-2b">x</a>'],
  ['<a href="/a/../b">x</a>', '<a href="https://ink.example/a/../b">x</a>'],
  ['<a href="a&amp;b/../c&amp;d">x</a>', '<a href="https://ink.example/lena/c&amp;d">x</a>'],
  ['<a href="//other.example/x">x</a>', '<a href="https://other.example/x">x</a>'],
  [
    '<a class="cta" href="/x" rel="nofollow">x</a>',
    '<a class="cta" href="https://ink.example/x" rel="nofollow">x</a>',
  ],
  ['<img alt="a" src="/uploads/a.png" />', '<img alt="a" src="https://ink.example/uploads/a.png" />'],
  ['<a href="https://other.example/a">x</a>', '<a href="https://other.example/a">x</a>'],
  ['<a href="mailto:lena@ink.example">x</a>', '<a href="mailto:lena@ink.example">x</a>'],
  [
    '<p title="href=">href="/x" &lt;a href="/x"&gt;</p>',
    '<p title="href=">href="/x" &lt;a href="/x"&gt;</p>',
  ],
  [
    '<img alt="b src=" src="/a.png" title="src=&quot;/c&quot;" />',
    '<img alt="b src=" src="https://ink.example/a.png" title="src=&quot;/c&quot;" />',
  ],
])("%s leads where it does on its page", (html, expected) => {
  expect(absoluteHtml(html, PAGE)).toBe(expected);
});

test("what was safe before is so afterwards, whatever it is", () => {
  const value = fc
    .array(
      fc.oneof(
        fc.string(),
        fc.constantFrom('"', "'", "<", ">", " src=", " href=", "/x", "&quot;", "onclick="),
      ),
    )
    .map((parts) => parts.join(""));
  const html = fc
    .tuple(fc.constantFrom("a", "img"), value, value, value)
    .map(
      ([tag, title, address, text]) =>
        `<${tag} title="${title}" href="${address}" src="${address}">${text}</${tag}>`,
    );
  fc.assert(
    fc.property(html, (given) => {
      const made = absoluteHtml(sanitise(given), PAGE);
      expect(sanitise(made).replaceAll(' rel="nofollow ugc noopener"', "")).toBe(
        made.replaceAll(' rel="nofollow ugc noopener"', ""),
      );
    }),
    { numRuns: cases(300, 60) },
  );
});
