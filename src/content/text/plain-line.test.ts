import { expect, test } from "vitest";
import { plainLine } from "./plain-line.ts";

test.each([
  ["Markup: <em>Title</em> with <code>&lt;div&gt;</code>", "Markup: Title with <div>"],
  ["Caf&#233; &amp; <b>&quot;more&quot;</b> &hellip;", 'Café & "more" …'],
  ["One<br>two <img src=x onerror=y> <A HREF='z'>three</A>", "One two three"],
  ["<script>x()</script>Safe <style>y</style>", "Safe"],
  ["Vec&lt;T&gt; and Map<K, V> <i>here</i>", "Vec<T> and Map<K, V> here"],
  ["a &lt; b <em>c</em> 1 < 2 <3", "a < b c 1 < 2 <3"],
  ["Use <script> &amp; co", "Use <script> & co"],
])("markup in the line %s becomes the text %s", (line, text) => {
  expect(plainLine(line)).toBe(text);
});

test.each(["a < b", "a <b> c", "AT&T", "R&D; Q&A", "Vec<T>", "if a <b or c> d", "&zork;", "", "1 &< 2"])(
  "the text %s stays as it is",
  (text) => {
    expect(plainLine(text)).toBe(text);
  },
);

test("a long line of tags takes no time of note", () => {
  expect(plainLine("<a =".repeat(2_500_000)).length).toBeLessThanOrEqual(10_000);
  expect(plainLine("<script></script".repeat(600_000)).length).toBeLessThanOrEqual(10_000);
});
