import { sql } from "kysely";
import { importFile } from "../src/operate/community-file/import.ts";
import { HOSTILE_HTML } from "./hostile-html.ts";
import type { World } from "./world.ts";

/** Addresses that run code when followed, where nothing checks them. */
const LINKS = [
  "javascript:alert(1)",
  " JaVaScRiPt:alert(1)",
  "java\tscript:alert(1)",
  "\u0001javascript:alert(1)",
  "javascript://https://a.example/%0aalert(1)",
  "vbscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
];

/** Paths that leave their attribute where it isn't escaped. */
const PICTURES = ['/"onerror="alert(1)"x="', "/'onerror='alert(1)'x='", '/x"><script>alert(1)</script>'];

/** The text of this number as each field holds it: names and titles are short and without control characters. */
export function textsOf(number: number) {
  const text = (HOSTILE_HTML[number] ?? "").replaceAll("\0", "");
  const plain = text.replaceAll(/[\p{Cc}\p{Zl}\s]+/gu, " ");
  const cut = (length: number) => plain.slice(0, length).trim();
  return { text, name: cut(100), title: cut(128), place: cut(32), tag: `${cut(26).toLowerCase()}${number}` };
}

/** One of everything that people write, made of the text of this number. */
function recordsOf(number: number): object[] {
  const { text, name, title, place } = textsOf(number);
  const [author, group, tag, podcast] = ["user", "group", "tag", "podcast"].map((word) => word + number);
  const isOfGroup = number % 2 === 0;
  return [
    { type: "user", username: author, name, summary: text, location: place, codehost_username: name },
    {
      type: "organization",
      username: group,
      name,
      summary: text,
      location: place,
      story: text,
      tech_stack: text,
      members: [{ username: author, role: "admin" }],
      ...(isOfGroup && { tag_line: title }),
    },
    { type: "tag", name: tag, short_summary: text },
    {
      type: "article",
      author,
      slug: `text-${number}`,
      title,
      description: text,
      body_markdown: text,
      series: title,
      tags: [tag],
      video_source_url: "https://youtu.be/abc",
      ...(isOfGroup && { organization: group }),
      published_at: new Date(Date.UTC(2026, 0, 1, 0, number)),
    },
    { type: "comment", author, article: "text-0", body_markdown: text },
    {
      type: "listing",
      author,
      slug: `listing-${number}`,
      title,
      location: place,
      category: "misc",
      body_markdown: `x ${text}`.replaceAll(/!\[|<img\b/gi, "<i "),
    },
    { type: "podcast", slug: podcast, title },
    { type: "podcast_episode", podcast, slug: "one", title, media_url: "https://media.invalid/1.mp3" },
  ];
}

/** A community in which every text is hostile. */
export async function loadHostileCommunity({ db, services, context, forget }: World): Promise<void> {
  const records = HOSTILE_HTML.map((_, number) => recordsOf(number));
  // Each type after those that it refers to.
  const sorted = (records[0] ?? []).flatMap((_, type) => records.map((list) => list[type] ?? {}));
  const { renderPool } = services;
  await importFile(db, lines(sorted), { now: context.now(), renderPool });
  await bypassChecks(db);
  await forget();
}

async function* lines(records: readonly object[]): AsyncGenerator<string> {
  for (const record of records) yield `${JSON.stringify(record)}\n`;
}

/** Stores what the API and imports refuse or clean: tags, HTML of podcasts, and addresses. */
async function bypassChecks(db: World["db"]): Promise<void> {
  const texts = HOSTILE_HTML.map((_, number) => textsOf(number));
  const markup = texts.map(({ text }) => text);
  const unique = sql`'//' || id`;
  for (const { columns, values, ending = sql`''` } of [
    { columns: ["tags.name"], values: texts.map(({ tag }) => tag) },
    { columns: ["podcasts.description", "podcast_episodes.summary"], values: markup },
    {
      columns: ["users.website_url", "organizations.url", "podcasts.website_url", "podcasts.feed_url"],
      values: LINKS,
      ending: unique,
    },
    {
      columns: ["podcast_episodes.media_url", "articles.canonical_url", "articles.video_source_url"],
      values: LINKS,
      ending: unique,
    },
    {
      columns: ["users.profile_image", "organizations.profile_image", "podcasts.image_url"],
      values: PICTURES,
    },
    {
      columns: ["podcast_episodes.image_url", "articles.main_image", "articles.video_thumbnail_url"],
      values: PICTURES,
    },
  ]) {
    for (const name of columns) {
      const [table = "", column = ""] = name.split(".");
      const value = sql`(array[${sql.join(values)}]::text[])[(id - 1) % ${values.length} + 1] || ${ending}`;
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value}`.execute(db);
    }
  }
  await sql`update articles set tag_list = array[(select name from tags where tags.id = articles.id)]`.execute(
    db,
  );
}
