import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { Prose, sanitized } from "./html.tsx";

const shown = (html: string, rest: Omit<Parameters<typeof Prose>[0], "html"> = {}) =>
  render(Prose({ html: sanitized(html), ...rest })).replace(
    /^<div class="prose" dir="auto">(.*)<\/div>$/s,
    "$1",
  );

test.each([
  ["<h1>a</h1><h2>b</h2>", 1, "<h2>a</h2><h3>b</h3>"],
  ['<h3 id="h-a">a</h3><h4>b</h4>', 1, '<h2 id="h-a">a</h2><h3>b</h3>'],
  ["<h2>a</h2><p>b</p>", 1, "<h2>a</h2><p>b</p>"],
  ["<h1>a</h1><h5>b</h5><h6>c</h6>", 2, "<h3>a</h3><h6>b</h6><h6>c</h6>"],
  ["<hr /><p>a</p><pre>&lt;h1></pre>", 2, "<hr /><p>a</p><pre>&lt;h1></pre>"],
])("the headings of %s begin below level %i", (html, under, expected) => {
  expect(shown(html, { under })).toBe(expected);
});

test("a text may have any number of headings", () => {
  expect(shown("<h1>a</h1>".repeat(200_000))).toContain("<h2>a</h2><h2>a</h2>");
});

test.each([
  ['<a href="#steps">a</a><h2 id="h-steps">b</h2>', '<a href="#h-steps">a</a><h2 id="h-steps">b</h2>'],
  [
    '<a href="#%D1%88%D0%B0%D0%B3">a</a><h2 id="h-шаг">b</h2>',
    '<a href="#h-%D1%88%D0%B0%D0%B3">a</a><h2 id="h-шаг">b</h2>',
  ],
  ['<a href="#comments">a</a><a href="#%">b</a>', '<a href="#comments">a</a><a href="#%">b</a>'],
  ['<a href="#h-a">a</a><h2 id="h-a">b</h2>', '<a href="#h-a">a</a><h2 id="h-a">b</h2>'],
])("links of %s lead to its headings", (html, expected) => {
  expect(shown(html)).toBe(expected);
});

test("texts beside each other have ids of their own", () => {
  const note = '<a href="#h--fn1" id="h--fnref1">1</a><li id="h--fn1"><code> id="h-a"</code></li>';
  expect(shown(note, { scope: "comment-x" })).toBe(
    '<a href="#comment-x-h--fn1" id="comment-x-h--fnref1">1</a>' +
      '<li id="comment-x-h--fn1"><code> id="h-a"</code></li>',
  );
});
