import { describe, expect, test } from "vitest";
import { renderMarkdown } from "../text/markdown.ts";
import { toMarkdown } from "./to-markdown.ts";

const BASE = "https://blog.example/posts/one";
const convert = (html: string, base: string | undefined = BASE) => toMarkdown({ html, base }).markdown;

describe("HTML from elsewhere becomes Markdown", () => {
  test.each<[what: string, html: string, markdown: string]>([
    ["paragraphs", "<p>One</p>\n<p>two<br>three</p>", "One\n\ntwo  \nthree"],
    ["headings", "<h1>A</h1><h3>B</h3>", "# A\n\n### B"],
    [
      "emphasis, also within a word",
      "<em>a</em> <strong>b</strong> c<i>d</i>e <del>f</del>",
      "*a* **b** c*d*e ~~f~~",
    ],
    ["lists", "<ul><li>a<ol start=3><li>b<li>c</ol></ul>", "-   a\n    3.  b\n    4.  c"],
    ["tasks", "<ul><li><input type=checkbox checked> a</li></ul>", "-   [x]  a"],
    ["quotes", "<blockquote><p>a</p><p>b</p></blockquote>", "> a\n> \n> b"],
    ["rules", "a<hr>b", "a\n\n***\n\nb"],
    ["code", "<code>a_b `c`</code>", "`` a_b `c` ``"],
    ["blocks of code", '<pre><code class="language-ts">a\n\n  *b*</code></pre>', "```ts\na\n\n  *b*\n```"],
    ["blocks without a code element", '<pre class="brush: js; x">a</pre>', "```js\na\n```"],
    ["blocks with fences in them", "<pre>```\na\n```</pre>", "````\n```\na\n```\n````"],
    ["links", '<a href="../two?a=1#b" title="t">two</a>', "[two](https://blog.example/two?a=1#b)"],
    ["links that show their address", `<a href="${BASE}">${BASE}</a>`, `<${BASE}>`],
    ["links with brackets", '<a href="/a(b)">[c]</a>', String.raw`[\[c\]](https://blog.example/a\(b\))`],
    [
      "links around blocks",
      '<a href="/a"><figure><img src="b.png" alt="B"><figcaption>C</figcaption></figure></a>',
      "[![B](https://blog.example/posts/b.png) C](https://blog.example/a)",
    ],
    [
      "pictures",
      '<img src="//cdn.example/a b.png" alt="A*">',
      String.raw`![A\*](https://cdn.example/a%20b.png)`,
    ],
    ["players", '<p>a</p><iframe src="https://video.example/1"></iframe>', "a\n\n<https://video.example/1>"],
    ["recordings", '<audio controls><source src="a.mp3"></audio>', "<https://blog.example/posts/a.mp3>"],
    ["keys and indices", "<kbd>Ctrl</kbd> H<sub>2</sub>O", "<kbd>Ctrl</kbd> H<sub>2</sub>O"],
    [
      "tables with bars in them",
      "<table><tr><th>a|b</th><th>c</th></tr><tr><td><code>d || e</code></td><td>f</td></tr></table>",
      String.raw`| a\|b | c   |` + "\n| --- | --- |\n" + String.raw`| ${"`"}d \|\| e${"`"} | f   |`,
    ],
    [
      "tables with lists, as HTML",
      "<table><tr><td><ul><li>a | b</li></ul></td><td>c</td></tr></table>",
      "<table><tbody><tr><td><ul><li>a | b</li></ul></td><td>c</td></tr></tbody></table>",
    ],
  ])("%s", (_what, html, markdown) => {
    expect(convert(html)).toBe(markdown);
  });

  test.each<[what: string, html: string]>([
    [
      "scripts and styles",
      "<script>a()</script><style>b{}</style><noscript>c</noscript><template>d</template>",
    ],
    ["comments", "<!-- a -->"],
    [
      "links and pictures that lead nowhere",
      '<a href="javascript:a()"></a><img src="data:image/png;base64,AA">',
    ],
    ["pictures that count readers", '<img src="/a.gif" width="1" height="1"><img src="/b.gif" height=0>'],
    ["nothing", ""],
  ])("without %s", (_what, html) => {
    expect(convert(html)).toBe("");
  });

  test.each([
    "<div> & &amp; 5 < 6 &lt;b&gt;",
    "*a* _b_ **c** ~~d~~ `e` [f](g) ![h](i)",
    "{% youtube dQw4w9WgXcQ %}",
    "# not a heading",
    "1. not a list",
    "- nor this",
    "> nor a quote",
    "=====",
    "a | b\\| c",
    "https://a.example/b_c_d?e=1&f=_2~~3",
  ])("that shows the text %s as it was", (text) => {
    const html = `<p>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</p>`;
    const shown = renderMarkdown(convert(html)).html;
    const words = shown
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
    expect(words.trim()).toBe(text);
  });

  test("whose addresses stay as they are where nothing says what they belong to", () => {
    expect(
      toMarkdown({
        html: '<a href="/a">b</a> <a href="https://c.example/">d</a>',
        base: undefined,
      }),
    ).toMatchObject({
      markdown: "b [d](https://c.example/)",
    });
  });
});
