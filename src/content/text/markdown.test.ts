import { describe, expect, test } from "vitest";
import { renderMarkdown } from "./markdown.ts";
import { cpuCost } from "../../../test/waiting.ts";

const htmlOf = (markdown: string) => renderMarkdown(markdown).html;

test("paragraphs, emphasis, lists, quotes and rules become HTML", () => {
  expect(htmlOf("*a* **b** ~~c~~\n\n> d\n\n1. e\n\n- f\n\n---\n")).toBe(
    "<p><em>a</em> <strong>b</strong> <s>c</s></p>\n<blockquote>\n<p>d</p>\n</blockquote>\n" +
      "<ol>\n<li>e</li>\n</ol>\n<ul>\n<li>f</li>\n</ul>\n<hr />\n",
  );
});

test("a line ends as it is written, without the spaces around its end", () => {
  expect(htmlOf('a \n  b\nc\n\nd  \ne\\\nf\n*g*\n\\"')).toBe(
    '<p>a\nb\nc</p>\n<p>d<br />\ne<br />\nf\n<em>g</em>\n"</p>\n',
  );
});

test("short lines of quotes cost less than a third of as much emphasis", async () => {
  const costOf = (piece: string) => cpuCost(() => renderMarkdown(piece.repeat(20_000)));
  expect(await costOf('"\n')).toBeLessThan((await costOf("*a")) / 3);
});

describe("headings", () => {
  test("have prefixed ids that are unique in the document", () => {
    const html = htmlOf("# A *b* c\n## A b c\n### a-b-c\n# Привет, мир!\n# 🎉\n# A b c 2\n");
    expect([...html.matchAll(/id="([^"]*)"/g)].map((match) => match[1])).toEqual([
      "h-a-b-c",
      "h-a-b-c-2",
      "h-a-b-c-3",
      "h-привет-мир",
      "h-section",
      "h-a-b-c-2-2",
    ]);
  });

  test("keep their ids short", () => {
    expect(htmlOf(`# ${"word ".repeat(100)}`)).toMatch(/^<h1 id="h-[a-z-]{40,60}">/);
  });
});

test("code in a known language is coloured, other code is not", () => {
  expect(htmlOf("```js\nconst a = '<';\n```")).toBe(
    '<pre><code class="language-js"><span class="hljs-keyword">const</span> a = <span class="hljs-string">\'&lt;\'</span>;\n</code></pre>\n',
  );
  expect(htmlOf("```mermaid\nconst a = '<';\n```")).toBe(
    "<pre><code class=\"language-mermaid\">const a = '&lt;';\n</code></pre>\n",
  );
  expect(htmlOf("```\nconst a;\n```")).toBe("<pre><code>const a;\n</code></pre>\n");
  expect(htmlOf(`\`\`\`js\n${"const a;\n".repeat(10_000)}\`\`\``)).not.toContain("<span");
});

test("quotes and tags of other systems stay as written", () => {
  expect(htmlOf('"a" -- (c)\n\n{% embed x %} {{ y }}\n')).toBe(
    '<p>"a" -- (c)</p>\n<p>{% embed x %} {{ y }}</p>\n',
  );
});

test("HTML in Markdown is kept as far as it is allowed", () => {
  expect(
    htmlOf(
      '<details><summary>a</summary>\n\n**b**\n\n</details>\n\n<center onclick="x">c</center>\n<font color="red">d</font>',
    ),
  ).toBe("<details><summary>a</summary>\n<p><strong>b</strong></p>\n</details>\n<center>c</center>\nd");
});

test("what runs code does not pass", () => {
  const html = htmlOf(
    '[a](javascript:alert(1)) ![b](data:text/html,x)\n\n<script>c</script><img src=x onerror=d>\n\n```js" onclick=e\nf\n```\n',
  );
  expect(html).not.toMatch(/<script|<img|onerror=|onclick=|href="javascript/);
});

test("of many warnings the first twenty are told, in the order of their lines", () => {
  const { warnings } = renderMarkdown(`{% zork %}\n\n${"{% details %}\n\n".repeat(30)}`, { firstLine: 5 });
  expect(warnings).toHaveLength(21);
  expect(warnings.slice(0, 2)).toEqual([
    "Unknown tag {% zork %} in line 5: it is shown as text.",
    "Tag {% details %} in line 7 has no {% enddetails %}: it is shown as text.",
  ]);
  expect(warnings.at(-1)).toBe("And 11 more tags are shown as text.");
});

test("lines are counted in lists, quotes and paragraphs of several lines", () => {
  const { warnings } = renderMarkdown(
    "a\r\nb {% x1 %}\r\n\r\n- c\r\n\r\n  d\r\n  {% x2 %}\r\n> {% x3 %}\r\n> `e\r\n> f` {% x4 %}\r\n",
  );
  expect(warnings.map((sentence) => /\{% (\w+) %\} in line (\d+)/.exec(sentence)?.slice(1))).toEqual([
    ["x1", "2"],
    ["x2", "7"],
    ["x3", "8"],
    ["x4", "10"],
  ]);
});

test("footnotes beyond five hundred, and labels that nothing closes, are text", () => {
  const notes = Array.from({ length: 600 }, (_, number) => `[^${number}]: n\n\n[^${number}]\n\n`).join("");
  expect(htmlOf(notes).match(/<li id="h--fn/g)).toHaveLength(500);
  expect(htmlOf("[^1]: n\n\n[^1 [^1]")).toContain("[^1 <sup");
});

describe("emoji", () => {
  test.each([
    [":tada:", "🎉"],
    ["(:tada:)! **a**:tada: _:white_check_mark:_", "(🎉)! <strong>a</strong>🎉 <em>✅</em>"],
    [":tada::rocket: :tada::nothing:", "🎉🚀 🎉:nothing:"],
    ["[:tada: a](/b) ![:tada:](/c.png)", '<a href="/b">🎉 a</a> <img alt="🎉" src="/c.png" />'],
  ])("of %s are read", (markdown, html) => {
    expect(htmlOf(markdown)).toBe(`<p>${html}</p>\n`);
  });

  test.each([
    "fe80::a:1",
    "std::key::Key",
    "crate::new::",
    "::key::",
    "10:100:20",
    "great:tada:",
    ":tada:great",
    "é:key:",
    ":toString: :nothing:",
  ])("are not read in %s", (text) => {
    expect(htmlOf(text)).toBe(`<p>${text}</p>\n`);
  });

  test.each(["http://x.example/:a:b", "https://x.example/:key:/c", "www.x.example/:tada:"])(
    "are not read in the address %s",
    (address) => {
      expect(htmlOf(`See ${address} and <https://x.example/:key:>`)).not.toMatch(/\p{Emoji_Presentation}|🅰/u);
      expect(htmlOf(address)).toContain(`>${address}</a>`);
    },
  );

  test("are not read behind a backslash or in code", () => {
    expect(htmlOf("\\:tada: `:tada:`")).toBe("<p>:tada: <code>:tada:</code></p>\n");
  });
});
