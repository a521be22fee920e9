import { readdir, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { parse } from "yaml";
import { locate } from "../../platform/program-files.ts";
import { parseTagList } from "../../platform/text/tags.ts";

const FOLDER = locate("../demo/");
const DAY_MS = 86_400_000;

export type Fields = Record<string, unknown> & { type: string };

interface Heading {
  tags?: string | string[];
  days_ago: number;
  reactions?: number;
  published?: boolean;
}

export interface DemoOptions {
  /** Dates count back from it, so that a demo is always recent. */
  now: Date;
  /** Replaces `{site}` in the files: fields with addresses want whole ones. */
  baseUrl: string;
}

export async function readDemo({ now, baseUrl }: DemoOptions): Promise<Fields[]> {
  const read = async (file: string) =>
    (await readFile(new URL(file, FOLDER), "utf8")).replaceAll("{site}", baseUrl);
  const readRecords = async (file: string) => toRecords(await read(file), now);
  const people = await readRecords("people.ndjson");
  const files = (await readdir(new URL("articles/", FOLDER))).filter((file) => file.endsWith(".md"));
  const articles = await Promise.all(
    files.toSorted().map(async (file) => toArticle(file, await read(`articles/${file}`), now)),
  );
  const others = ["settings.ndjson", "listings.ndjson", "podcasts.ndjson", "talk.ndjson"];
  const records = await Promise.all(others.map(readRecords));
  const readers = people.flatMap(({ type, username }) => (type === "user" ? [String(username)] : []));
  return [...people, ...articles, ...records.flat(), ...viewsOf(articles, readers, now)];
}

const daysBefore = (now: Date, days: unknown): string =>
  new Date(now.getTime() - Number(days) * DAY_MS).toISOString();

function toRecords(text: string, now: Date): Fields[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const { days_ago, expires_in_days, ...fields } = JSON.parse(line) as Fields;
    const date = fields.type === "podcast_episode" ? "published_at" : "created_at";
    return {
      ...fields,
      ...(days_ago !== undefined && { [date]: daysBefore(now, days_ago) }),
      ...(expires_in_days !== undefined && { expires_at: daysBefore(now, -Number(expires_in_days)) }),
    };
  });
}

/** The YAML names the author and the age; the rest is the body. */
export function toArticle(file: string, text: string, now: Date): Fields {
  const [, block = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  const { tags = "", days_ago, reactions = 0, published, ...others } = parse(block) as Heading;
  const date = daysBefore(now, days_ago);
  return {
    type: "article",
    slug: basename(file, ".md"),
    ...others,
    body_markdown: body.trimStart(),
    tags: parseTagList(tags),
    created_at: date,
    ...(published === false ? { published } : { published_at: date }),
    imported_reactions_count: reactions,
  };
}

const DAYS = 30;
const REFERRERS = [undefined, "search.example", undefined, "social.example", "news.example"];
const READ_CHARACTERS_A_SECOND = 20;

function readable({ slug, published_at, imported_reactions_count, body_markdown }: Record<string, unknown>) {
  if (published_at === undefined) return [];
  return {
    slug: String(slug),
    publishedAt: new Date(published_at as string),
    reactions: Number(imported_reactions_count),
    readSeconds: Math.round(String(body_markdown).length / READ_CHARACTERS_A_SECOND),
  };
}

/** Many views of new articles, fewer of old ones, always the same. */
function viewsOf(articles: readonly Record<string, unknown>[], readers: readonly string[], now: Date) {
  return articles.flatMap(readable).flatMap((article, place) =>
    daysSince(article.publishedAt, now).flatMap(({ on, age }) => {
      const turn = place + age;
      const count = Math.round((3 + article.reactions) / (1 + age / 3) + ((turn * 7) % 4));
      const anonymous = { count, referrer: REFERRERS[turn % REFERRERS.length] };
      const named = { user: readers[turn % readers.length], read_time_seconds: article.readSeconds };
      const views = [...(count > 0 ? [anonymous] : []), ...(turn % 3 === 0 ? [named] : [])];
      return views.map((view) => ({ type: "page_view", article: article.slug, on, ...view }));
    }),
  );
}

function daysSince(publishedAt: Date, now: Date): { on: string; age: number }[] {
  const first = Math.floor(publishedAt.getTime() / DAY_MS);
  const last = Math.floor(now.getTime() / DAY_MS);
  return Array.from({ length: DAYS }, (_, index) => last - index)
    .filter((day) => day >= first)
    .map((day) => ({ on: new Date(day * DAY_MS).toISOString().slice(0, 10), age: day - first }));
}
