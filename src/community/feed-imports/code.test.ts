import { describe, expect, test } from "vitest";
import { toMarkdown } from "./to-markdown.ts";

const convert = (html: string) => toMarkdown({ html, base: undefined }).markdown;

describe("code in HTML from elsewhere becomes a block", () => {
  test.each<[what: string, html: string, markdown: string]>([
    [
      "a table in it",
      "<pre><table>\n<tr>\n<td>a</td>\n<td>b</td>\n</tr>\n<tr><td>c</td></tr></table></pre>",
      "a\tb\nc",
    ],
    ["breaks", "<pre>  a;<br>b;<br />\nc;<br><br>d &lt;e&gt;</pre>", "  a;\nb;\nc;\n\nd <e>"],
    ["breaks in a code element", "<pre><code>a<br>b</code></pre>", "a\nb"],
    ["breaks outside of a pre", "<p><code>a<br>&nbsp;b</code></p>", "a\n b"],
    ["divs", "<pre><div>a</div><div>  b<br></div><div><br></div><div>c</div></pre>", "a\n  b\n\nc"],
    ["line ends beside divs", "<pre><div>a</div>\n<div>b</div>\n\n<div>c</div></pre>", "a\nb\n\nc"],
    ["lists", "<pre>a\n<ul>\n  <li>b</li>\n  <li>c</li>\n</ul></pre>", "a\nb\nc"],
    ["paragraphs", "<pre><p>a</p><p>b</p></pre>", "a\nb"],
  ])("with the lines of code that has %s", (_what, html, code) => {
    expect(convert(html)).toBe(`\`\`\`\n${code}\n\`\`\``);
  });

  test.each<[html: string, language: string]>([
    ['<pre lang="python">a\nb</pre>', "python"],
    ['<pre lang="en">a\nb</pre>', ""],
    ['<pre class="sourceCode haskell"><code>a\nb</code></pre>', "haskell"],
    ['<pre><code class="hljs elm language-elm">a\nb</code></pre>', "elm"],
    ['<pre><code data-lang="go">a\nb</code></pre>', "go"],
    ['<div class="highlight highlight-source-js"><pre>a\nb</pre></div>', "js"],
    [
      '<div class="language-ruby highlighter-rouge"><div class="highlight"><pre><code>a\nb</code></pre></div></div>',
      "ruby",
    ],
    [
      `<figure class="highlight python"><table><tr><td class="gutter"><pre>1<br>2</pre></td>
        <td class="code"><pre>a<br>b</pre></td></tr></table></figure>`,
      "python",
    ],
    [
      `<pre><code class="language-ruby"><table class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre
        class="lineno">1\n2\n</pre></td><td class="rouge-code"><pre>a\nb\n</pre></td></tr></tbody></table></code></pre>`,
      "ruby",
    ],
    [
      `<table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>1\n2</pre></div></td>
        <td class="code"><div class="highlight"><pre>a\nb</pre></div></td></tr></table>`,
      "",
    ],
    [
      `<table class="highlight"><tr><td data-line-number="1"></td><td class="blob-code">a</td></tr>
        <tr><td data-line-number="2"></td><td class="blob-code">b</td></tr></table>`,
      "",
    ],
    [
      `<div class="syntaxhighlighter php"><table><tr><td class="gutter"><div>1</div><div>2</div></td><td class="code">
        <div class="container"><div><code>a</code></div><div><code>b</code></div></div></td></tr></table></div>`,
      "php",
    ],
    ['<pre><span class="lineno">1 </span>a\n<span class="lineno">2 </span>b</pre>', ""],
  ])("with the language of the code %s, and without numbers of lines", (html, language) => {
    expect(convert(html)).toBe(`\`\`\`${language}\na\nb\n\`\`\``);
  });
});
