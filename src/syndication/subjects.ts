import { find, listNewest, type ListSource, type SearchQuery } from "../articles/lists.ts";
import type { Cut, Page } from "../articles/pages.ts";
import type { Ref } from "../articles/summaries.ts";
import { notFound } from "../errors.ts";
import { addressOf } from "../images/profile-picture.ts";
import * as tags from "../tags/tags.ts";
import { canBeUsername } from "../users/names.ts";
import * as queries from "./queries.ts";

/** What a feed is of. */
export interface Subject {
  /** Undefined for the community as a whole. */
  title?: string;
  description?: string;
  /** The path of the page whose articles these are. */
  page: string;
  /** The path of the feed without the ending that names the format. */
  path: string;
  picture?: string;
  list(source: ListSource, cut: Cut): Promise<Page<Ref>>;
}

export const EVERYBODY: Subject = {
  page: "/",
  path: "/feed",
  list: (source, cut) => listNewest(source, {}, cut),
};

/**
 * What a person has published, or what was published for an organization.
 * @throws AppError not_found
 */
export async function publisher({ db }: ListSource, name: string, baseUrl: string): Promise<Subject> {
  const username = name.toLowerCase();
  const found = canBeUsername(username) ? await queries.findPublisher(db, username) : undefined;
  if (found === undefined) throw notFound();
  const { id, kind } = found;
  const of = kind === "user" ? { authorId: id } : { organizationId: id };
  return {
    title: found.name,
    description: found.summary?.trim() || `Articles by ${found.name}.`,
    page: `/${username}`,
    path: `/feed/${username}`,
    picture: addressOf(found, 640, baseUrl),
    list: (source, cut) => listNewest(source, of, cut),
  };
}

/**
 * What was published with a tag, by any of its names.
 * @throws AppError not_found
 */
export async function tagged({ db }: ListSource, name: string): Promise<Subject> {
  const spelling = tags.spelling(name);
  const tag = (await tags.known(db, [spelling])).get(spelling);
  if (tag === undefined) throw notFound();
  return {
    title: `#${tag.name}`,
    description: `Articles about ${tag.name}.`,
    page: `/t/${encodeURIComponent(tag.name)}`,
    path: `/feed/tag/${encodeURIComponent(tag.name)}`,
    list: (source, cut) => listNewest(source, { tag: tag.name }, cut),
  };
}

/** What a search finds, in its order. */
export function searched(query: SearchQuery & { q: string }): Subject {
  return {
    title: `“${query.q}”`,
    description: `Articles found for “${query.q}”.`,
    page: `/search?${new URLSearchParams({ q: query.q })}`,
    path: "/feed/search",
    list: (source, cut) => find(source, query, cut),
  };
}
