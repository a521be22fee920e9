import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { notFound } from "../errors.ts";
import type { Cut, Page } from "../http/pages.ts";
import { addressOf } from "../images/profile-picture.ts";
import { feedPath, HOME, profilePath, searchPath, tagPath } from "../paths.ts";
import type { Ref } from "../search/find.ts";
import * as tags from "../tags/tags.ts";
import { canBeUsername } from "../users/names.ts";
import { find, listNewest, type ListSource, type SearchQuery } from "./lists/page.ts";

export interface Subject {
  /** Undefined for the whole community. */
  title?: string;
  description?: string;
  path: string;
  feedPath: string;
  picture?: string;
  list(source: ListSource, cut: Cut): Promise<Page<Ref>>;
}

export const COMMUNITY: Subject = {
  path: HOME,
  feedPath: feedPath(),
  list: (source, cut) => listNewest(source, {}, cut),
};

/** @throws AppError not_found */
export async function publisher({ db }: ListSource, name: string, baseUrl: string): Promise<Subject> {
  const found = await findPublisher(db, name);
  if (found === undefined) throw notFound();
  const { id, kind, username } = found;
  const of = kind === "user" ? { authorId: id } : { organizationId: id };
  return {
    title: found.name,
    description: found.summary?.trim() || `Articles by ${found.name}.`,
    path: profilePath(username),
    feedPath: feedPath(username),
    picture: addressOf(found, 640, baseUrl),
    list: (source, cut) => listNewest(source, of, cut),
  };
}

/** @throws AppError not_found */
export async function tagged({ db }: ListSource, name: string): Promise<Subject> {
  const spelling = tags.spelling(name);
  const tag = (await tags.known(db, [spelling])).get(spelling);
  if (tag === undefined) throw notFound();
  return {
    title: `#${tag.name}`,
    description: `Articles about ${tag.name}.`,
    path: tagPath(tag.name),
    feedPath: feedPath("tag", tag.name),
    list: (source, cut) => listNewest(source, { tag: tag.name }, cut),
  };
}

export function searched(query: SearchQuery & { q: string }): Subject {
  return {
    title: `“${query.q}”`,
    description: `Articles found for “${query.q}”.`,
    path: searchPath(query.q),
    feedPath: feedPath("search"),
    list: (source, cut) => find(source, query, cut),
  };
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
