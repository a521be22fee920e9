import { startWorld, type WorldOptions } from "../world.ts";
import type { Operation } from "./operations.ts";

/** A community with a little of everything, and the key of its administrator. */
export async function startSeededWorld(options: WorldOptions = {}) {
  const world = await startWorld(options);
  const admin = await world.user({
    username: "lena",
    role: "admin",
    microblog_username: "lena",
    website_url: "https://lena.example",
  });
  const group = await world.organization({ username: "tinkerlab", name: "Tinker Lab" });
  const key = await world.key(admin);
  const tags = ["wool", "discuss"];
  await world.article(admin, {
    title: "Growing tomatoes",
    slug: "growing-tomatoes-1a",
    tags,
    series: "Garden",
    video_source_url: "https://youtu.be/dQw4w9WgXcQ",
  });
  await world.reaction({ user: admin.username, article: "growing-tomatoes-1a", category: "readinglist" });
  await world.article(admin, { title: "Sharpening knives", slug: "knives-1b", organization: group.username });
  await world.article(admin, { title: "A spare one", slug: "spare-1c" });
  const { code } = await world.comment(admin, { article: "growing-tomatoes-1a", id_code: "m35m" });
  await world.comment(admin, { article: "growing-tomatoes-1a", parent: code, deleted: true });
  await world.podcast({ slug: "loomcast", image_url: "https://loomcast.example/cover.png" });
  await world.episode("loomcast");
  await world.listing(admin, {
    title: "Looms",
    organization: group.username,
    tags: ["wool"],
    location: "Bilbao",
  });
  const endpoint = await world.webhook(admin);
  await world.delivery(endpoint);
  await world.webhook(admin);
  await world.user({ username: "marco" });
  await world.follow({ user: "marco", followed_user: "lena" });
  await world.follow({ user: "lena", tag: "wool" });
  return { world, key };
}

/** Values with which an operation answers something, by the names of its parameters. */
export const GOOD: Record<string, string> = {
  id: "1",
  username: "lena",
  slug: "growing-tomatoes-1a",
  category: "misc",
  id_code: "m35m",
  article_id: "1",
  kind: "organizations",
  name: "tinkerlab",
  url: "/lena/growing-tomatoes-1a",
  start: "2026-03-01",
};

/** The same for parameters that mean something else in one operation. */
const GOOD_IN: Record<string, Record<string, string>> = {
  // Others read the first article, so another one is changed.
  updateArticle: { id: "3" },
  unpublishArticle: { id: "3" },
  deleteArticle: { id: "3" },
  deleteWebhook: { id: "2" },
  getUserByUsername: { url: "lena" },
  getComments: { a_id: "1" },
  listPodcastEpisodes: { username: "loomcast" },
  listOrganizationListings: { username: "tinkerlab" },
  getOrganization: { username: "tinkerlab" },
  getOrganizationUsers: { username: "tinkerlab" },
  getOrganizationArticles: { username: "tinkerlab" },
};

/** The address of an operation, with these parameters and else with good ones. */
export function urlOf(
  { path, parameters, operationId = "" }: Operation,
  changed: Record<string, string> = {},
  more: string[] = [],
): string {
  const good = { ...GOOD, ...GOOD_IN[operationId] };
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => changed[name] ?? good[name] ?? "1");
  const needed = parameters
    .filter(
      (one) =>
        one.in === "query" &&
        (one.required || one.name in changed || one.name in (GOOD_IN[operationId] ?? {})),
    )
    .map(({ name }) => `${name}=${changed[name] ?? encodeURIComponent(good[name] ?? "1")}`);
  const query = [...needed, ...more].join("&");
  return query === "" ? filled : `${filled}?${query}`;
}
