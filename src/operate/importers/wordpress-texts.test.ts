import { describe, expect, test } from "vitest";
import type { Fields } from "../../../test/foreign-imports.ts";
import { LENA, wordpressImports, wxr } from "../../../test/wordpress.ts";

const { inkstone, load, exported } = wordpressImports();

describe("the text of a post", () => {
  const picture = (id: number, parent: number) => ({
    id,
    parent,
    type: "attachment",
    status: "inherit",
    attachmentUrl: `https://old.example/wp-content/uploads/${id}.jpg`,
    meta: { _wp_attachment_image_alt: `Picture ${id}` },
  });
  const shown = (...ids: number[]) =>
    ids.map((id) => `![Picture ${id}](https://old.example/wp-content/uploads/${id}.jpg)`).join("\n\n");
  const blocks = `<!-- wp:paragraph {"dropCap":true} -->
<p class="has-drop-cap">One
line.</p>
<!-- /wp:paragraph -->

<!-- wp:more -->
<!--more-->
<!-- /wp:more -->

<!-- wp:code -->
<pre class="wp-block-code"><code>let a = 1;

&lt;!-- b --&gt;</code></pre>
<!-- /wp:code -->

<!-- wp:embed {"url":"https://youtu.be/dQw4w9WgXcQ","type":"video"} -->
<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">
https://youtu.be/dQw4w9WgXcQ
</div><figcaption>A film</figcaption></figure>
<!-- /wp:embed -->

<!-- wp:latest-posts /-->`;
  const classic = `[caption id="attachment_6" align="aligncenter" width="300"]<a href="/big.jpg"><img src="/a.jpg" alt="Red" width="300" /></a> A ripe one[/caption]
[embed width="100"]https://youtu.be/dQw4w9WgXcQ[/embed]
[code language="php"]if (a < b) {

  echo "[gallery]";
}[/code]
[[gallery]]`;
  const texts: [what: string, content: string, markdown: string][] = [
    [
      "has paragraphs and line breaks where it has no markup",
      "One\r\ntwo\n\nthree\n<ul>\n<li>four</li>\n</ul>\nfive",
      "One  \ntwo\n\nthree\n\n-   four\n\nfive",
    ],
    ["has them in quotations", "<blockquote>One\n\ntwo</blockquote>\nthree", "> One\n> \n> two\n\nthree"],
    ["has none in preformatted text", "a\n<pre>\n one\n\n two\n</pre>", "a\n\n```\n one\n\n two\n```"],
    [
      "has no comments of blocks",
      blocks,
      "One line.\n\n```\nlet a = 1;\n\n<!-- b -->\n```\n\nhttps://youtu.be/dQw4w9WgXcQ\n\nA film",
    ],
    [
      "has captions, embeds and code in place of their shortcodes",
      classic,
      "[![Red](https://old.example/a.jpg)](https://old.example/big.jpg)\n\nA ripe one\n\n" +
        "<https://youtu.be/dQw4w9WgXcQ>\n\n" +
        '```php\nif (a < b) {\n\n  echo "[gallery]";\n}\n```\n\n\\[gallery\\]',
    ],
    ["has the pictures that a gallery names", '[gallery ids="603, 601,999"]', shown(603, 601)],
    ["has its own pictures in a gallery without names", "[gallery columns=2]", shown(602, 603)],
    [
      "keeps other shortcodes",
      "[toc /] [b]bold[/b] [sic] [b]more[/b]",
      String.raw`\[toc /\] \[b\]bold\[/b\] \[sic\] \[b\]more\[/b\]`,
    ],
    [
      "keeps the lines of its code and verses",
      '<!-- wp:preformatted -->\n<pre class="wp-block-preformatted">a<br>  b</pre>\n<!-- /wp:preformatted -->\n' +
        '<!-- wp:verse -->\n<pre class="wp-block-verse">c<br>d</pre>\n<!-- /wp:verse -->\n' +
        "<pre><table>\n<tr>\n<td>e</td>\n</tr></table></pre>",
      "```\na\n  b\n```\n\n```\nc\nd\n```\n\n```\ne\n```",
    ],
    [
      "has embeds by scripts as cards",
      'One\n\n<script src="https://gist.github.com/lena/0123abc.js"></script>\n\ntwo',
      "One\n\n{% embed https://gist.github.com/lena/0123abc %}\n\ntwo",
    ],
    [
      "has no scripts",
      `<script>alert(1)</script><p onclick="alert(2)">a</p><a href="javascript:alert(3)">b</a>`,
      "a\n\nb",
    ],
  ];
  let articles: Fields[];

  test("is read, and the report counts the shortcodes that stay", async () => {
    const posts = texts.map(([, content], at) => ({ id: 500, name: `text-${at}`, content }));
    const { remarks } = await load(wxr([...posts, picture(601, 0), picture(602, 500), picture(603, 500)]));
    articles = await exported("article");
    expect(remarks).toEqual([
      { text: "the shortcode [toc] stays as text", count: 1 },
      { text: "the shortcode [b] stays as text", count: 2 },
      { text: "an embed of gist.github.com becomes a link", count: 1 },
      { text: "a link or picture is left out: its address can't be used", count: 1 },
    ]);
  });

  test.each(texts.map(([what, _content, markdown], at) => [what, `text-${at}`, markdown]))(
    "%s",
    (_what, slug, markdown) => {
      expect(articles.find((record) => record["slug"] === slug)?.["body_markdown"]).toBe(markdown);
    },
  );
});

describe("comments", () => {
  const thread = wxr([
    {
      name: "discussed",
      comments: [
        { id: 3, author: "Noor", content: "A reply", parent: 2, date: "2019-05-11 09:00:00" },
        { id: 1, author: "Noor", content: "First\n\nagain" },
        { id: 2, author: "Spammer", content: "Buy!", approved: "0", parent: 1 },
        {
          id: 4,
          author: "Somebody",
          content: "Thanks",
          parent: 3,
          userId: LENA.id,
          date: "2019-05-12 09:00:00",
        },
        { id: 5, author: "Elsewhere", content: "[…]", type: "pingback" },
        { id: 6, author: "Noor", email: "other@mail.example", content: "Another Noor" },
        { id: 7, author: "", email: "", content: " " },
        { id: 8, author: "Deleted", content: "In the bin", approved: "trash" },
      ],
    },
  ]);

  test("stay away unless they are wanted", async () => {
    await load(thread);
    expect((await exported("comment")).filter(({ article: of }) => of === "discussed")).toEqual([]);
  });

  test("come in threads, and a reply to one that is left out stands alone", async () => {
    const report = await load(thread, "--comments");
    const comments = (await exported("comment")).filter(({ article: of }) => of === "discussed");
    const byText = new Map(comments.map((one) => [one["body_markdown"], one]));
    const [first, reply, thanks, other] = ["First\n\nagain", "A reply", "Thanks", "Another Noor"].map(
      (text) => byText.get(text),
    );
    expect(comments).toHaveLength(4);
    expect(reply).not.toHaveProperty("parent");
    expect(thanks).toMatchObject({ parent: reply?.["id_code"], author: "lena" });
    expect(first?.["author"]).toBe(reply?.["author"]);
    expect(other?.["author"]).not.toBe(first?.["author"]);
    expect(report.remarks).toEqual(
      expect.arrayContaining([
        { text: "a comment that isn't approved is left out", count: 2 },
        { text: "a pingback, trackback or note is left out", count: 1 },
        { text: "a comment without a text is left out", count: 1 },
      ]),
    );
    expect(await load(thread, "--comments")).toMatchObject({ created: 0, updated: 0 });
  });

  test("are of people without e-mail address or password, even if a user here has the address or gets the posts", async () => {
    await inkstone("user", "create", "--username", "vera", "--name", "Vera", "--email", "vera@mail.example");
    const comments = [{ id: 1, author: "Vera", email: "vera@mail.example", content: "It is me" }];
    await load(wxr([{ name: "claimed", comments }]), "--comments", "--author", "vera");
    const [comment] = (await exported("comment")).filter(({ article: of }) => of === "claimed");
    expect(comment?.["author"]).toMatch(/^vera_/);
    const person = (await exported("user")).find(({ username }) => username === comment?.["author"]);
    expect(person).not.toHaveProperty("email");
    expect(person).not.toHaveProperty("password_hash");
  });
});
