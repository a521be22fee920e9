import { readdir, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { parse } from "yaml";
import { locate } from "../layout.ts";
import { parseTagList } from "../text/tags.ts";
import { viewsOf } from "./views.ts";

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

function daysBefore(now: Date, days: unknown): string {
  return new Date(now.getTime() - Number(days) * DAY_MS).toISOString();
}

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
