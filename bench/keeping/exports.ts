import MarkdownIt from "markdown-it";
import { corpus, type CorpusOptions } from "../corpus.ts";

interface Article {
  slug: string;
  author: string;
  title: string;
  body_markdown: string;
  tags: string[];
  published_at: string;
}

interface User {
  username: string;
  name: string;
}

type Made = { user: User; article?: undefined } | { user?: undefined; article: Article };

type Write = (options: CorpusOptions) => Generator<string>;

/** The same people and articles, as files of several programs hold them. */
export const EXPORTS: { program: string; extension: string; write: Write; options?: string[] }[] = [
  { program: "the community file", extension: "ndjson", write: writeCommunity },
  { program: "WordPress", extension: "xml", write: writeWordpress },
  { program: "Ghost", extension: "json", write: writeGhost, options: ["--site", "https://old.example"] },
];

/** Without what other programs don't know. */
function* recordsOf(options: CorpusOptions): Generator<Made> {
  for (const line of corpus(options)) {
    const { type, ...fields } = JSON.parse(line) as { type: string } & User & Article;
    const { username, name, slug, author, title, body_markdown, tags, published_at } = fields;
    if (type === "user") yield { user: { username, name } };
    if (type === "article") yield { article: { slug, author, title, body_markdown, tags, published_at } };
  }
}

const emailOf = (username: string) => `${username}@mail.example`;

function* writeCommunity(options: CorpusOptions): Generator<string> {
  for (const record of recordsOf(options)) {
    const { user, article } = record;
    const line = user
      ? { type: "user", ...user, email: emailOf(user.username) }
      : { type: "article", ...article };
    yield `${JSON.stringify(line)}\n`;
  }
}

const html = new MarkdownIt({ html: false });

const cdata = (text: string) => `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;
const element = (name: string, text: string) => `<${name}>${cdata(text)}</${name}>`;

function* writeWordpress(options: CorpusOptions): Generator<string> {
  const namespaces = ["excerpt", "content", "dc", "wp"]
    .map((name) => `xmlns:${name}="urn:${name}"`)
    .join(" ");
  yield `<?xml version="1.0" encoding="UTF-8" ?>\n<rss version="2.0" ${namespaces}>\n<channel>\n`;
  yield "<title>Bench</title><wp:wxr_version>1.2</wp:wxr_version>\n";
  let id = 0;
  for (const { user, article } of recordsOf(options)) {
    id += 1;
    yield user ? wordpressAuthor(user, id) : wordpressPost(article, id);
  }
  yield "</channel>\n</rss>\n";
}

function wordpressAuthor({ username, name }: User, id: number): string {
  const texts = [
    element("wp:author_login", username),
    element("wp:author_email", emailOf(username)),
    element("wp:author_display_name", name),
  ];
  return `<wp:author><wp:author_id>${id}</wp:author_id>${texts.join("")}</wp:author>\n`;
}

function wordpressPost(article: Article, id: number): string {
  const date = article.published_at.slice(0, 19).replace("T", " ");
  return `<item>${[
    element("title", article.title),
    `<link>https://old.example/${article.slug}/</link>`,
    element("dc:creator", article.author),
    element("content:encoded", html.render(article.body_markdown)),
    element("excerpt:encoded", ""),
    element("wp:post_id", String(id)),
    element("wp:post_date", date),
    element("wp:post_date_gmt", date),
    element("wp:post_name", article.slug),
    element("wp:status", "publish"),
    element("wp:post_type", "post"),
    ...article.tags.map((tag) => `<category domain="post_tag" nicename="${tag}">${cdata(tag)}</category>`),
  ].join("\n")}</item>\n`;
}

/** Its tables come one after another, so the articles are made once for each. */
function* writeGhost(options: CorpusOptions): Generator<string> {
  yield `{"db":[{"meta":{"exported_on":1700000000000,"version":"5.80.0"},"data":{\n`;
  yield* table("users", options, ({ user }) => {
    if (user === undefined) return [];
    const { username, name } = user;
    return [{ id: `user-${username}`, name, slug: username, email: emailOf(username) }];
  });
  const names = new Set<string>();
  yield* table("posts", options, ({ article }) => {
    for (const name of article?.tags ?? []) names.add(name);
    return article === undefined ? [] : [ghostPost(article)];
  });
  yield `"tags":${JSON.stringify([...names].map((name) => ({ id: `tag-${name}`, name, slug: name })))},\n`;
  yield* table("posts_tags", options, ({ article }) =>
    (article?.tags ?? []).map((tag, sort_order) => ({
      post_id: article?.slug,
      tag_id: `tag-${tag}`,
      sort_order,
    })),
  );
  yield `"posts_meta":[]}}]}\n`;
}

function* table(name: string, options: CorpusOptions, rowsOf: (record: Made) => object[]): Generator<string> {
  yield `"${name}":[`;
  let isFirst = true;
  for (const record of recordsOf(options)) {
    for (const row of rowsOf(record)) {
      yield `${isFirst ? "" : ",\n"}${JSON.stringify(row)}`;
      isFirst = false;
    }
  }
  yield "],\n";
}

function ghostPost({ slug, author, title, body_markdown, published_at }: Article): object {
  return {
    id: slug,
    slug,
    title,
    html: html.render(body_markdown),
    lexical: null,
    type: "post",
    status: "published",
    visibility: "public",
    author_id: `user-${author}`,
    created_at: published_at,
    published_at,
  };
}
