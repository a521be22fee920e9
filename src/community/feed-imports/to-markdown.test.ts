import { describe, expect, test } from "vitest";
import { renderMarkdown } from "../../content/text/markdown.ts";
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
    [
      "embeds by frames and scripts, as cards where there are such",
      `<iframe data-src="https://www.youtube.com/embed/dQw4w9WgXcQ"></iframe>
        <script src="https://gist.github.com/lena/0123abc.js?file=a.py"></script>
        <script src="https://paste.example/1.js"></script>`,
      "{% embed https://www.youtube.com/embed/dQw4w9WgXcQ %}\n\n{% embed https://gist.github.com/lena/0123abc %}\n\n" +
        "<https://paste.example/1.js>",
    ],
    [
      "links behind an exclamation mark",
      '<p>Oh!<a href="/a">b</a></p>',
      String.raw`Oh\![b](https://blog.example/a)`,
    ],
    ["headings in links", '<a href="/a"><h2>b</h2></a>', "[b](https://blog.example/a)"],
    ["keys and indices", "<kbd>Ctrl</kbd> H<sub>2</sub>O", "<kbd>Ctrl</kbd> H<sub>2</sub>O"],
    [
      "tables with bars in them",
      "<table><tr><th>a|b</th><th>c</th></tr><tr><td><code>d || e</code></td><td>f</td></tr></table>",
      String.raw`| a\|b | c   |` + "\n| --- | --- |\n" + String.raw`| ${"`"}d \|\| e${"`"} | f   |`,
    ],
    [
      "tables with code, as HTML",
      "<table><tr><td>a</td><td><pre>b<br><br>c</pre></td></tr></table>",
      "<table><tbody><tr><td>a</td><td><pre>b&#10;&#10;c</pre></td></tr></tbody></table>",
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
    "1.",
    "2) nor that",
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

  test.each([
    "<p>これは<strong>「重要」</strong>です</p>",
    "<p><strong>Note:</strong>text</p>",
    '<p><em>"quoted,"</em>he</p>',
    "<p>a<strong>(<em>b!</em>)</strong>c<strong><em>d</em></strong>e <em>f</em><em>g</em><strong>h</strong><em>i</em></p>",
    "<p>한국어<strong>‘인용’</strong>은 <em>。</em>我</p>",
    "<p><strong>a<em>b</em></strong>c a<em>b</em>c <s>d.</s>e</p>",
  ])("whose emphasis is shown as in %s", (html) => {
    const shown = renderMarkdown(convert(html.replaceAll("s>", "del>").replaceAll(/(\w)del>/g, "$1s>"))).html;
    expect(shown.trim().replaceAll(/(<\/?)del>/g, "$1s>")).toBe(html);
  });

  test.each([
    ["<b><i>a</i></b>b", "<strong><em>a</em></strong>b"],
    ["x<b> a </b>y", "x <strong>a</strong> y"],
    ["<b><strong>a.</strong>b<br></b>c", "<strong>a.b</strong><br />\nc"],
    ["<b><p>a</p><p>b</p></b>", "<strong>a</strong></p>\n<p><strong>b</strong>"],
    [
      '<b><a href="http://a.example/">a</a></b>b',
      '<strong><a href="http://a.example/" rel="nofollow ugc noopener">a</a></strong>b',
    ],
  ])("whose emphasis in %s stays", (html, shown) => {
    expect(renderMarkdown(convert(html)).html).toBe(`<p>${shown}</p>\n`);
  });

  test.each<[before: string, address: string, after: string, href?: string]>([
    ["[see ", "http://example.com/a", "]"],
    ["(", "http://x.example/a_(b)", ")"],
    ["*", "http://x.example/a*b_c", "*"],
    ["日本語", "http://x.example/a_b", "。"],
    ["~", "http://x.example/a~~b_c", "~~"],
    ['"', "http://x.example/a_b", '" or <b>'],
    ["<", "http://x.example/a?b=1&copy;c", ">"],
    ["", "http://x.example/x[1]", "", "http://x.example/x%5B1%5D"],
    ["[", "www.example.com/a_b", "]", "https://www.example.com/a_b"],
    ["(", "lena_b@mail.example", ")", "mailto:lena_b@mail.example"],
  ])("with whole addresses in the text %s%s%s", (before, address, after, href = address) => {
    const inHtml = (text: string) =>
      text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    const shown = renderMarkdown(convert(`<p>${inHtml(before + address + after)}</p>`)).html;
    expect(shown.replace(' rel="nofollow ugc noopener"', "")).toBe(
      `<p>${inHtml(before)}<a href="${inHtml(href)}">${inHtml(address)}</a>${inHtml(after)}</p>\n`,
    );
  });

  const REAL = "![](https://cdn.example/real.jpg)";
  test.each([
    [`<img src="data:image/gif;base64,AA" data-src="$"><noscript><img src="$"></noscript>`],
    [`<noscript><img src="$"></noscript><img src="/placeholder.gif" data-lazy-src="$">`],
    [`<div><img src="data:image/gif;base64,AA"></div> <noscript>Turn on scripts <img src="$"></noscript>`],
    [`<img data-original="$" src="/a.gif">`],
    [`<img data-src="$">`],
    [`<img src="data:," srcset="/a.jpg 300w, $ 1200w, /b.jpg 600w">`],
    [`<img src="/a.gif" data-srcset="/a.jpg 1x,$ 2x">`],
    [`<picture><source srcset="/a.jpg, $ 2x"><img src="data:,"></picture>`],
    [`<picture><source srcset="/a.webp"><img src="$" srcset="/b.jpg 2x"></picture>`],
  ])("with the picture of %s once", (html) => {
    const converted = toMarkdown({
      html: html.replaceAll("$", "https://cdn.example/real.jpg"),
      base: BASE,
    });
    expect(converted).toMatchObject({ markdown: REAL, remarks: [] });
  });

  test("with remarks about what is left out", () => {
    const html = `<script async src="https://ads.example/a.js"></script><script>a()</script><img src="data:,">
      <script src="https://gist.github.com/lena/0123abc.js"></script><script src="/lib/jquery.min.js"></script>`;
    expect(toMarkdown({ html, base: BASE }).remarks).toEqual([
      "a script of ads.example is left out",
      "a link or picture is left out: its address can't be used",
      "an embed of gist.github.com becomes a link",
      "a script of blog.example is left out",
    ]);
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
