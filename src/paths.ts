/** The addresses of the site, as paths. */

export const HOME = "/";

/** The pages that every community has. */
export const STANDING_PAGES = [
  HOME,
  "/tags",
  "/podcasts",
  "/videos",
  "/listings",
  "/archive",
  "/about",
  "/privacy",
  "/terms",
  "/code-of-conduct",
];

export function profilePath(username: string): string {
  return `/${username}`;
}

export function pathUnder(publisher: string, slug: string): string {
  return `/${publisher}/${slug}`;
}

export function articlePath(row: {
  slug: string;
  user: { username: string };
  organization: { username: string } | null;
}): string {
  return pathUnder((row.organization ?? row.user).username, row.slug);
}

export function seriesPath(username: string, name: string): string {
  return `/${username}/series/${encodeURIComponent(name)}`;
}

export function tagPath(tag: string): string {
  return `/t/${encodeURIComponent(tag)}`;
}

export function commentPath(code: string): string {
  return `/comments/${code}`;
}

export function listingPath(categoryAndSlug: string): string {
  return `/listings/${categoryAndSlug}`;
}

export function searchPath(q: string): string {
  return `/search?${new URLSearchParams({ q })}`;
}

/** The formats of each feed. */
export const FEEDS = [
  { suffix: "", type: "application/rss+xml" },
  { suffix: ".atom", type: "application/atom+xml" },
  { suffix: ".json", type: "application/feed+json" },
];

/** Without the suffix of the format. */
export function feedPath(...names: string[]): string {
  return ["/feed", ...names.map(encodeURIComponent)].join("/");
}

export function apiPath(collection: "articles" | "listings" | "webhooks", id: number | string): string {
  return `/api/${collection}/${id}`;
}

export function assetPath(name: "social.png" | "default-organization-640.png"): string {
  return `/assets/${name}`;
}

export function cardPath(articleId: number, hash: string): string {
  return `/assets/cards/${articleId}-${hash}.png`;
}

export function identiconPath(kind: string, id: number, side: number): string {
  return `/assets/identicons/${kind}-${id}-${side}.png`;
}

export function uploadPath(file: string): string {
  return `/uploads/${file}`;
}
