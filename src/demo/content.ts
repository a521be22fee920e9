import { readdir, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { parse } from "yaml";
import { locate } from "../layout.ts";
import { parseTagList } from "../text/tags.ts";
import { viewsOf } from "./views.ts";

const FOLDER = locate("../demo/");

const DAY_MS = 86_400_000;

type Fields = Record<string, unknown> & { type: string };

export interface DemoContent {
  users: Fields[];
  organizations: Fields[];
  tags: Fields[];
  articles: Fields[];
  listings: Fields[];
  /** With their episodes. */
  podcasts: Fields[];
  follows: Fields[];
  talk: Fields[];
  views: Fields[];
}

interface Heading {
  tags?: string | string[];
  days_ago: number;
  reactions?: number;
  published?: boolean;
}

export interface Surroundings {
  /** Dates count back from it, so that a demo is always recent. */
  now: Date;
  /** Replaces `{site}` in the files: fields with addresses want whole ones. */
  baseUrl: string;
}

export async function readDemo({ now, baseUrl }: Surroundings): Promise<DemoContent> {
  const read = async (file: string) =>
    (await readFile(new URL(file, FOLDER), "utf8")).replaceAll("{site}", baseUrl);
  const readRecords = async (file: string) => toRecords(await read(file));
  const records = await readRecords("people.ndjson");
  const files = (await readdir(new URL("articles/", FOLDER)))
    .filter((file) => file.endsWith(".md"))
    .toSorted();
  const articles = await Promise.all(
    files.map(async (file) => toArticle(file, await read(`articles/${file}`), now)),
  );
  const ofType = (type: string) => records.filter((record) => record.type === type);
  const talk = (await readRecords("talk.ndjson")).map((fields) => dated(fields, now));
  const listings = (await readRecords("listings.ndjson")).map((fields) => toListing(fields, now));
  const podcasts = (await readRecords("podcasts.ndjson")).map((fields) => published(fields, now));
  const users = ofType("user");
  return {
    users,
    organizations: ofType("organization"),
    tags: ofType("tag"),
    articles,
    listings,
    podcasts,
    follows: ofType("follow"),
    talk,
    views: viewsOf(
      articles.flatMap((article) => readable(article)),
      users.map(({ username }) => String(username)),
      now,
    ),
  };
}

const READ_CHARACTERS_A_SECOND = 20;

function readable({ slug, published_at, imported_reactions_count, body_markdown }: Fields) {
  if (published_at === undefined) return [];
  return {
    slug: String(slug),
    publishedAt: new Date(published_at as string),
    reactions: Number(imported_reactions_count),
    readSeconds: Math.round(String(body_markdown).length / READ_CHARACTERS_A_SECOND),
  };
}

function daysBefore(now: Date, days: unknown): string {
  return new Date(now.getTime() - Number(days) * DAY_MS).toISOString();
}

function dated({ days_ago, ...fields }: Fields, now: Date): Fields {
  return { ...fields, created_at: daysBefore(now, days_ago) };
}

function published({ days_ago, ...fields }: Fields, now: Date): Fields {
  return days_ago === undefined ? fields : { ...fields, published_at: daysBefore(now, days_ago) };
}

function toRecords(text: string): Fields[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => JSON.parse(line) as Fields);
}

/** Without a slug, which contains the date. */
function toListing({ expires_in_days: days, ...fields }: Fields, now: Date): Fields {
  const expiry = days === undefined ? {} : { expires_at: daysBefore(now, -Number(days)) };
  return { ...dated(fields, now), ...expiry };
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
