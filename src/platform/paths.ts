/** The addresses of the site, as paths. */
import { parseUrl } from "./text/urls.ts";

export const HOME = "/";

/** The tab of the front page with what a member follows, which is also the first page of a new member. */
export const FOLLOWING_TAB = "/?tab=following";

export function withQuery(path: string, query: Record<string, string | number>): string {
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

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

/** The longest path to which a reader comes back. */
export const MAX_NEXT = 2_000;

/** Where a person asks for a link that signs them in. */
export const RESET = "/reset";

/** Where a reader signs in, and comes back from. */
export const signInPath = (next = HOME): string =>
  [HOME, "/signin", RESET].includes(next) || next.length > MAX_NEXT
    ? "/signin"
    : withQuery("/signin", { next });

export const SIGN_UP = "/signup";
export const INVITE = "/invite";

/** Its pages confirm the addresses of accounts, by links in emails. */
export const CONFIRM = "/confirm";
export const CONFIRM_PASSWORD = "/confirm-password";
export const APPLICATIONS = "/applications";

/** The pages of moderators. */
export const MODERATION = "/mod";
export const personPath = (id: number) => `${MODERATION}/people/${id}`;
export const reportPath = (kind: "article" | "comment" | "user" | "listing", id: number) =>
  `/reports/${kind}/${id}`;

/** Tells a script whether a username is free. */
export const USERNAME_CHECK = `${SIGN_UP}/name`;
export const ACCOUNT = "/settings/account";

export const ADMIN = "/admin";
export const ORGANIZATIONS = "/orgs";
/** Lists those of the viewer, too. */
export const NEW_ORGANIZATION = `${ORGANIZATIONS}/new`;
export const PASSWORD_PAGE = "/settings/password";
export const TWO_FACTOR_PAGE = "/settings/two-factor";
export const NEW_ARTICLE = "/new";
export const DASHBOARD = "/dashboard";
export const NOTIFICATIONS = "/notifications";
export const SESSIONS = "/settings/sessions";

/** Its pages turn off a kind of email, by links in emails. */
export const UNSUBSCRIBE = "/unsubscribe";

export const profilePath = (username: string) => `/${username}`;

export const organizationSettingsPath = (username: string) => `${ORGANIZATIONS}/${username}/settings`;

export const pathUnder = (publisher: string, slug: string) => `/${publisher}/${slug}`;

export function articlePath(row: {
  slug: string;
  user: { username: string };
  organization: { username: string } | null;
}): string {
  return pathUnder((row.organization ?? row.user).username, row.slug);
}

export const seriesPath = (username: string, name: string) =>
  `/${username}/series/${encodeURIComponent(name)}`;

export const tagPath = (tag: string) => `/t/${encodeURIComponent(tag)}`;
export const commentPath = (code: string) => `/comments/${code}`;
export const listingPath = (categoryAndSlug: string) => `/listings/${categoryAndSlug}`;
export const searchPath = (q: string) => withQuery("/search", { q });

export const FEEDS = [
  { suffix: "", type: "application/rss+xml" },
  { suffix: ".atom", type: "application/atom+xml" },
  { suffix: ".json", type: "application/feed+json" },
];

/** The path that the suffix of a format follows. */
export const feedPath = (...names: string[]) => ["/feed", ...names.map(encodeURIComponent)].join("/");

export const apiPath = (collection: string, id: number | string) => `/api/${collection}/${id}`;
export const assetPath = (name: "social.png" | "default-organization-640.png") => `/assets/${name}`;
export const cardPath = (articleId: number, hash: string) => `/assets/cards/${articleId}-${hash}.png`;
export const identiconPath = (kind: string, id: number, side: number) =>
  `/assets/identicons/${kind}-${id}-${side}.png`;
export const uploadPath = (file: string) => `/uploads/${file}`;

/** A path of this site that a reader named, or the front page: no other site may be named. */
export function ownPath(next: string | undefined): string {
  if (next === undefined || !/^\/(?![/\\])[\x21-\x7e]*$/.test(next)) return HOME;
  const base = "https://site.invalid";
  return parseUrl(next, base)?.origin === base ? next : HOME;
}
