import { expect, test } from "vitest";
import { plainText } from "./plain-text.ts";
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
