import { idCode } from "../../src/comments/id-codes.ts";
import { askOk } from "../measure/client.ts";
import type { Subject } from "../measure/in-turn.ts";
import { FIXED, organizationName, username } from "./shape.ts";
import type { Site } from "./site.ts";

/** The request number `count`. */
interface Asked {
  path: string;
  key?: string | undefined;
  /** How many things the answer must hold, so that no empty one is taken for a fast one. */
  items?: number;
}

type Ask = (site: Site, count: number) => Asked;

/** Page sizes make many addresses of one list, none of which is remembered when its turn comes again. */
const LEAST_PER_PAGE = 30;
const PAGE_SIZES = 11;

/** The page must be full at the smallest size: even there the prominent have more than 700 followers. */
const DEEP = "page=100&per_page=7";

/** Reads of people and of what they do, of equal length at both sizes. */
export const READS: readonly Subject<Site>[] = [
  list("A user's followers, first page", () => "/api/followers/users", ownerOf),
  read("A user's followers, page 100", (site, count) => {
    return { path: `/api/followers/users?${DEEP}`, key: ownerOf(site, count), items: 7 };
  }),
  read("The tags that a user follows", (site, count) => {
    return { path: "/api/follows/tags", key: ownerOf(site, count), items: FIXED.tagsFollowed };
  }),
  list("A user's reading list", () => "/api/readinglist", ownerOf),
  read("One user by number", ({ random, users }) => ({ path: `/api/users/${random.between(1, users)}` })),
  read("One user by username", (site) => ({ path: `/api/users/by_username?url=${anybody(site)}` })),
  read("The image of a user", (site) => ({ path: `/api/profile_images/${anybody(site)}` })),
  list("Organizations", () => "/api/organizations"),
  list("The users of an organization", (site) => `/api/organizations/${largeOne(site)}/users`),
  list("The articles of an organization", (site) => `/api/organizations/${largeOne(site)}/articles`),
  list("The listings of an organization", (site) => `/api/organizations/${largeOne(site)}/listings`),
  comments("Comments of an article with 10", ({ random }) => {
    return {
      article: FIXED.busy.articles + random.between(1, FIXED.quiet.articles),
      items: FIXED.quiet.comments,
    };
  }),
  comments("Comments of an article with 1,000", (_site, count) => {
    return { article: (count % FIXED.busy.articles) + 1, items: FIXED.busy.comments };
  }),
  read("One of 1,000 comments with its replies", ({ random, comments }) => {
    return { path: `/api/comments/${idCode(random.pick(comments))}` };
  }),
  list("Listings", () => "/api/listings"),
  list("Listings of a category", () => "/api/listings/category/jobs"),
  list("Videos", () => "/api/videos"),
  list("Tags", () => "/api/tags"),
];

function list(name: string, path: (site: Site) => string, keyOf?: typeof ownerOf): Subject<Site> {
  return read(name, (site, count) => {
    const items = LEAST_PER_PAGE + (count % PAGE_SIZES);
    return { path: `${path(site)}?per_page=${items}`, key: keyOf?.(site, count), items };
  });
}

function comments(
  name: string,
  choose: (site: Site, count: number) => { article: number; items: number },
): Subject<Site> {
  return read(name, (site, count) => {
    const { article, items } = choose(site, count);
    return { path: `/api/comments?a_id=${article}`, items };
  });
}

function read(name: string, ask: Ask): Subject<Site> {
  return {
    name,
    time: async (site, count) => {
      const { path, key, items } = ask(site, count);
      const { body, milliseconds } = await askOk(site.client, path, key);
      const found = items === undefined ? undefined : countItems(String(body));
      if (found === items) return milliseconds;
      throw new Error(`${path} holds ${found} things, not ${items}: remove the directory of --keep, if any.`);
    },
  };
}

/** Comments wherever they stand in the trees; of other things those of the list. */
function countItems(body: string): number {
  const inTrees = body.split('"id_code":').length - 1;
  return inTrees > 0 ? inTrees : (JSON.parse(body) as unknown[]).length;
}

function ownerOf({ keys }: Site, count: number): string | undefined {
  return keys[count % keys.length];
}

function anybody({ random, users }: Site): string {
  return username(random.between(1, users));
}

function largeOne({ random }: Site): string {
  return organizationName(random.between(1, FIXED.largeOrganizations));
}
