import { describe, expect, test } from "vitest";
import { RENDERER_VERSION, renderMarkdown } from "./markdown.ts";

test("the renderer has a version to store", () => {
  expect(RENDERER_VERSION).toBe(1);
});

test("paragraphs, emphasis, lists, quotes and rules become HTML", () => {
  expect(renderMarkdown("*a* **b** ~~c~~\n\n> d\n\n1. e\n\n- f\n\n---\n")).toBe(
    "<p><em>a</em> <strong>b</strong> <s>c</s></p>\n<blockquote>\n<p>d</p>\n</blockquote>\n" +
      "<ol>\n<li>e</li>\n</ol>\n<ul>\n<li>f</li>\n</ul>\n<hr />\n",
  );
});

test("an empty body is empty HTML", () => {
  expect(renderMarkdown("")).toBe("");
});

describe("headings", () => {
  test("have prefixed ids that are unique in the document", () => {
    const html = renderMarkdown("# A *b* c\n## A b c\n### a-b-c\n# Привет, мир!\n# 🎉\n# A b c 2\n");
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
    expect(renderMarkdown(`# ${"word ".repeat(100)}`)).toMatch(/^<h1 id="h-[a-z-]{40,60}">/);
  });
});

test("code in a known language is coloured, other code is not", () => {
  expect(renderMarkdown("```js\nconst a = '<';\n```")).toBe(
    '<pre><code class="language-js"><span class="hljs-keyword">const</span> a = <span class="hljs-string">\'&lt;\'</span>;\n</code></pre>\n',
  );
  expect(renderMarkdown("```mermaid\nconst a = '<';\n```")).toBe(
    "<pre><code class=\"language-mermaid\">const a = '&lt;';\n</code></pre>\n",
  );
  expect(renderMarkdown("```\nconst a;\n```")).toBe("<pre><code>const a;\n</code></pre>\n");
  expect(renderMarkdown(`\`\`\`js\n${"const a;\n".repeat(10_000)}\`\`\``)).not.toContain("<span");
});

test("table cells keep their alignment without a style", () => {
  expect(renderMarkdown("|a|b|\n|-|-:|\n|c|d|\n")).toContain('<th>a</th>\n<th align="right">b</th>');
});

test("plain addresses become links", () => {
  expect(renderMarkdown("see https://example.com/a_b.")).toBe(
    '<p>see <a href="https://example.com/a_b" rel="nofollow ugc noopener">https://example.com/a_b</a>.</p>\n',
  );
});

test("quotes and tags of other systems stay as written", () => {
  expect(renderMarkdown('"a" -- (c)\n\n{% embed x %} {{ y }}\n')).toBe(
    '<p>"a" -- (c)</p>\n<p>{% embed x %} {{ y }}</p>\n',
  );
});

test("HTML in Markdown is kept as far as it is allowed", () => {
  expect(
    renderMarkdown(
      '<details><summary>a</summary>\n\n**b**\n\n</details>\n\n<center onclick="x">c</center>\n<font color="red">d</font>',
    ),
  ).toBe("<details><summary>a</summary>\n<p><strong>b</strong></p>\n</details>\n<center>c</center>\nd");
});

test("what runs code does not pass", () => {
  const html = renderMarkdown(
    '[a](javascript:alert(1)) ![b](data:text/html,x)\n\n<script>c</script><img src=x onerror=d>\n\n```js" onclick=e\nf\n```\n',
  );
  expect(html).not.toMatch(/<script|<img|onerror=|onclick=|href="javascript/);
});
