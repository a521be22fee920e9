import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import type { Cut, Part } from "../../http/pages.ts";
import { addressOf, type Pictured } from "../../content/images/profile-picture.ts";
import {
  feedPath,
  HOME,
  profilePath,
  searchPath,
  seriesPath,
  tagPath,
  withQuery,
} from "../../platform/paths.ts";
import type { Ref } from "../../search/find.ts";
import { canBeUsername } from "../users/names.ts";
import { find, listOf, type ListSource, type SearchQuery } from "./lists/page.ts";
import { daysAgo } from "./lists/shape.ts";
import type { Series } from "./series.ts";

/** A thing whose page is a list of articles. */
export interface Subject {
  /** Undefined for the whole community, whose settings say it. */
  title?: string;
  description?: string;
  path: string;
  picture?: string;
  list(source: ListSource, cut: Cut): Promise<Part<Ref>>;
}

export interface SubjectWithFeed extends Subject {
  feed: Feed;
}

interface Feed {
  /** Undefined for the whole community. */
  title?: string;
  /** The path that the suffix of a format follows. */
  path: string;
  query?: string;
}

export const DAYS = { week: 7, month: 30, year: 365 };
const TOPS = { ...DAYS, ever: undefined };
export type Top = keyof typeof TOPS;

const TITLES: Record<Top, string> = {
  week: "Top articles of this week",
  month: "Top articles of this month",
  year: "Top articles of this year",
  ever: "Top articles of all time",
};

function listed(top: Top | undefined, of: { tag?: string } = {}): Subject["list"] {
  const days = top && TOPS[top];
  return (source, cut) => {
    const publishedAfter = days === undefined ? undefined : daysAgo(days, source.now);
    return listOf(source, { ...of, publishedAfter }, cut, top && "reactions");
  };
}

export function community(top?: Top): SubjectWithFeed {
  return {
    ...(top && { title: TITLES[top] }),
    path: withQuery(HOME, top ? { top } : {}),
    feed: { path: feedPath() },
    list: listed(top),
  };
}

export function tagged(tag: string, top?: Top) {
  const title = `#${tag}`;
  return {
    title,
    description: `Articles about ${tag}.`,
    path: withQuery(tagPath(tag), top ? { top } : {}),
    feed: { title, path: feedPath("tag", tag) },
    list: listed(top, { tag }),
  } satisfies SubjectWithFeed;
}

interface Publisher extends Pictured {
  name: string;
  username: string;
  summary: string | null;
}

export function publishedBy({ id, kind, ...of }: Publisher, baseUrl: string) {
  const feed = feedBy(of);
  return {
    title: of.name,
    description: of.summary?.trim() || `${feed.title}.`,
    path: profilePath(of.username),
    feed,
    picture: addressOf({ id, kind, ...of }, 640, baseUrl),
    list: (source, cut) => listOf(source, kind === "user" ? { authorId: id } : { organizationId: id }, cut),
  } satisfies SubjectWithFeed;
}

export function feedBy({ name, username }: Pick<Publisher, "name" | "username">): Feed {
  return { title: `Articles by ${name}`, path: feedPath(username) };
}

export function inSeries({ id, name, user }: Series) {
  return {
    title: name,
    description: `A series by ${user.name}.`,
    path: seriesPath(user.username, name),
    list: (source, cut) => listOf(source, { collectionId: id }, cut, "oldest"),
  } satisfies Subject;
}

export function searched(query: SearchQuery & { q: string }) {
  const { q } = query;
  const title = `Articles found for “${q}”`;
  return {
    title: `“${q}”`,
    description: `${title}.`,
    path: searchPath(q),
    feed: { title, path: feedPath("search"), query: withQuery("", { q }) },
    list: (source, cut) => find(source, query, cut),
  } satisfies SubjectWithFeed;
}

/** A user or an organization, in any case: they share one name space. */
export async function findPublisher(db: Db, name: string) {
  const username = name.toLowerCase();
  if (!canBeUsername(username)) return undefined;
  const of = (table: "users" | "organizations", kind: "user" | "organization") =>
    db
      .selectFrom(table)
      .select(["id", "username", "name", "summary", "profile_image", sql.lit(kind).as("kind")])
      .where("username", "=", username);
  return of("users", "user").unionAll(of("organizations", "organization")).executeTakeFirst();
}
