import { describe, expect, test } from "vitest";
import { importing, type Post, rss } from "../../../test/fetching.ts";
import { cases } from "../../../test/setup.ts";

const site = importing();

/** More letters than it takes to tell a text from others. */
const LONG = "Wind the warp around the pegs and count the threads twice, because ".repeat(5);

/** A blog of its own, so that no two tests have a canonical address in common. */
let blogs = 0;
const blog = () => `blog${++blogs}.example`;

/** Three posts of a blog, of which the last has neither date nor guid. */
function posts(host: string): Post[] {
  return [
    {
      title: "First",
      link: `https://${host}/first`,
      guid: "1",
      date: "Mon, 02 Mar 2026 09:15:00 GMT",
      html: "One",
    },
    {
      title: "Second",
      link: `https://${host}/second?page=2`,
      guid: "2",
      date: "Tue, 03 Mar 2026 09:15:00 GMT",
    },
    { title: "Third", link: `https://${host}/third`, html: LONG },
  ];
}

type Churn = (post: Post, run: number, host: string) => Post;

const relink = (post: Post, change: (link: string) => string): Post =>
  post.link === undefined ? post : { ...post, link: change(post.link) };
const withParameter = (link: string, parameter: string) =>
  `${link}${link.includes("?") ? "&" : "?"}${parameter}`;

/** The changes of a feed's items between two visits. */
const CHURNS: [what: string, churn: Churn][] = [
  ["nothing", (post) => post],
  ["new guids", (post, run) => ({ ...post, guid: `run-${run}-${post.title}` })],
  ["guids that are addresses", (post) => ({ ...post, guid: post.link ?? "" })],
  ["tracking", (post, run) => relink(post, (link) => withParameter(link, `utm_source=rss&utm_id=${run}`))],
  ["feeds as the source", (post, run) => relink(post, (link) => withParameter(link, `source=rss---${run}`))],
  ["another scheme", (post) => relink(post, (link) => link.replace("https:", "http:"))],
  ["www", (post) => relink(post, (link) => link.replace("://", "://www."))],
  ["a slash", (post) => relink(post, (link) => link.replace(/(\?|$)/, "/$1"))],
  ["upper case", (post) => relink(post, (link) => link.replace("blog", "BLOG"))],
  ["a fragment", (post) => relink(post, (link) => `${link}#utm_medium=feed`)],
  ["new titles", (post, run) => ({ ...post, title: `${post.title}, edited ${run} times` })],
  ["new texts", (post, run) => ({ ...post, html: `${post.html ?? ""} Edited ${run} times.` })],
  ["new dates", (post, run) => ({ ...post, date: new Date(run * 1e9).toUTCString() })],
  ["no guids", ({ guid: _guid, ...post }) => post],
  ["no links", ({ link: _link, ...post }) => post],
  ["another site", (post, run, host) => relink(post, (link) => link.replace(host, `moved-${run}.example`))],
  [
    "another site and new guids",
    (post, run, host) => ({
      ...relink(post, (link) => link.replace(host, `moved-${run}.example`)),
      guid: `moved-${run}-${post.title}`,
    }),
  ],
];

describe("an item is taken in once", () => {
  test.each([false, true])(
    "over many runs in which its feed changes all that it can, published: %s",
    async (publish) => {
      const author = await site.author();
      const host = blog();
      site.says(rss(posts(host), `https://${host}/`));
      const { id } = await site.add(author, { publish });
      const before = await site.articles(author);
      expect(before).toHaveLength(3);
      for (let run = 1; run <= cases(100, CHURNS.length + 1); run++) {
        const [, churn] = CHURNS[run % CHURNS.length] ?? [];
        const changed = posts(host).map((post) => churn?.(post, run, host) ?? post);
        site.says(rss(changed, `https://${host}/`));
        expect([run, await site.refresh(id)]).toMatchObject([
          run,
          { new_imported: 0, new_skipped: 0, problem: null },
        ]);
      }
      // Not a title, not a text: from then on an article is its author's.
      expect(await site.articles(author)).toEqual(before);
    },
    120_000,
  );

  test.each(CHURNS)("also on its second day here, after %s", async (_what, churn) => {
    const author = await site.author();
    const host = blog();
    site.says(rss(posts(host), `https://${host}/`));
    const { id } = await site.add(author);
    const next = { title: "Fourth", link: `https://${host}/fourth`, guid: "4" };
    site.says(rss([next, ...posts(host).map((post) => churn(post, 1, host))], `https://${host}/`));
    expect(await site.refresh(id)).toMatchObject({ new_imported: 1, new_skipped: 0 });
    expect((await site.articles(author)).map(({ title }) => title).toSorted()).toEqual([
      "First",
      "Fourth",
      "Second",
      "Third",
    ]);
  });

  test("when it changes a little each time, until nothing is as it was", async () => {
    const author = await site.author();
    const host = blog();
    const [post = {}] = posts(host);
    const steps = [
      post,
      { ...post, guid: "new" },
      { ...post, guid: "new", link: `https://${host}/moved` },
      { ...post, guid: "newer", link: `https://${host}/moved`, title: "Renamed" },
      { ...post, guid: "newer", link: `https://${host}/elsewhere`, title: "Renamed", html: LONG },
      { guid: "newest", link: `https://${host}/elsewhere`, title: "Anew", html: LONG },
    ];
    site.says(rss([post]));
    const { id } = await site.add(author);
    for (const step of steps) {
      site.says(rss([step]));
      expect(await site.refresh(id)).toMatchObject({ new_imported: 0, new_skipped: 0 });
    }
  });

  test("when its article was edited, unpublished or deleted", async () => {
    const author = await site.author();
    const key = await site.world.key(author);
    const host = blog();
    site.says(rss(posts(host)));
    const { id } = await site.add(author, { publish: true });
    const [first, second, third] = await site.articles(author);
    const url = (article: { id: number } | undefined) => `/api/articles/${article?.id}`;
    const mine = { title: "Mine", canonical_url: "", body_markdown: "Rewritten" };
    await site.world.request({ method: "PUT", url: url(first), key, body: { article: mine } });
    await site.world.request({ method: "PUT", url: `${url(second)}/unpublish`, key });
    await site.world.request({ method: "DELETE", url: url(third), key });
    const before = await site.articles(author);
    site.says(rss(posts(host).map((post) => ({ ...post, html: "Another text" }))));
    expect(await site.refresh(id)).toMatchObject({ new_imported: 0, new_skipped: 0 });
    expect(await site.articles(author)).toEqual(before);
  });

  test("when it stands in its feed twice", async () => {
    const author = await site.author();
    const [first = {}, second = {}] = posts(blog());
    site.says(rss([first, first, second, second]));
    expect(await site.add(author)).toMatchObject({ imported: 2, skipped: 0 });
  });

  test("when its author has brought the article here already, by whatever spelling of its address", async () => {
    const author = await site.author();
    const host = blog();
    await site.world.article(author, { canonical_url: `http://www.${host}/first/`, published: false });
    site.says(rss(posts(host)));
    expect(await site.add(author)).toMatchObject({
      imported: 2,
      skipped: 1,
      last_skipped: [
        { title: "First", reason: `${author.username} has an article with this canonical url already` },
      ],
    });
  });

  test("when its feed is removed and added again", async () => {
    const author = await site.author();
    const host = blog();
    const [first = {}, second = {}] = posts(host);
    site.says(rss([first, second]));
    const { id } = await site.add(author);
    await site.remove(id);
    expect(await site.add(author)).toMatchObject({ imported: 0, skipped: 2 });
    expect(await site.articles(author)).toHaveLength(2);
  });

  test("when two processes read at the same moment", async () => {
    const author = await site.author();
    const host = blog();
    site.says(rss([]));
    await site.add(author, { publish: true });
    site.says(rss(posts(host)));
    site.later(30);
    const asked = site.asked().length;
    await Promise.all([site.refreshDueElsewhere(), site.refreshDueElsewhere()]);
    expect(site.asked()).toHaveLength(asked + 1);
    expect(await site.articles(author)).toHaveLength(3);
  });
});

describe("different items stay different", () => {
  test.each<[what: string, posts: Post[]]>([
    ["share the guid", ["a", "b", "c"].map((name) => ({ title: name, guid: "1", html: name }))],
    ["link to their site", ["a", "b"].map((name) => ({ title: name, link: "https://home.example/" }))],
    [
      "share a link",
      ["a", "b", "c"].map((name) => ({ title: name, link: "https://home.example/all", html: name })),
    ],
    [
      "share the title",
      ["1", "2"].map((day) => ({
        title: "Open thread",
        html: "Say it",
        guid: day,
        date: `0${day} Mar 2026 09:00 GMT`,
      })),
    ],
    ["stand on one page", ["a", "b"].map((name) => ({ title: name, link: `https://home.example/#${name}` }))],
    [
      "differ by their query",
      ["1", "2"].map((name) => ({ title: name, link: `https://home.example/?p=${name}` })),
    ],
    ["have the same words but other numbers", [{ title: "Part 1" }, { title: "Part 2" }]],
    ["were written in other scripts", [{ title: "Ткань" }, { title: "織物" }, { title: "نسيج" }]],
  ])("when they %s", async (_what, items) => {
    const author = await site.author();
    site.says(rss(items, "https://home.example"));
    expect(await site.add(author)).toMatchObject({ imported: items.length, skipped: 0 });
  });

  test("for one feed of a person and another one's", async () => {
    const [one, other] = [await site.author(), await site.author()];
    site.says(rss(posts(blog())));
    for (const author of [one, other]) {
      expect(await site.add(author)).toMatchObject({ imported: 3, skipped: 0 });
    }
  });
});
