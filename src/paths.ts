/** The addresses of the site, as paths. */

export const HOME = "/";

/** The path of a person or an organization. */
export function profilePath(username: string): string {
  return `/${username}`;
}

/** The path of an article under its publisher, or of an episode under its podcast. */
export function pathUnder(publisher: string, slug: string): string {
  return `/${publisher}/${slug}`;
}

/** The path of an article: under its organization if it has one, else under its author. */
export function articlePath(row: {
  slug: string;
  user: { username: string };
  organization: { username: string } | null;
}): string {
  return pathUnder((row.organization ?? row.user).username, row.slug);
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

/** The path of a feed, such as `/feed/tag/garden`, without the suffix that names its format. */
export function feedPath(...names: string[]): string {
  return ["/feed", ...names.map(encodeURIComponent)].join("/");
}

/** The path of a resource of the API. */
export function apiPath(collection: "articles" | "listings" | "webhooks", id: number | string): string {
  return `/api/${collection}/${id}`;
}

/** The path of a file that comes with the program. */
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
