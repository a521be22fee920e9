/** What is added to addresses to count who comes from where. */
const TRACKING =
  /^(?:utm_\w+|(?:fb|g|gbra|wbra|dc|ms|tw|yc|ttc|li_fat_|igsh)(?:clid|id)|igsh(?:id)?|mc_[ce]id|_hs(?:enc|mi)|mkt_tok|vero_id|pk_\w+|mtm_\w+|s_cid|spm)$/i;
/** These may mean anything, unless their value says that it is about feeds. */
const MAYBE_TRACKING = /^(?:ref|source|src|from|via|cmp|origin)$/i;

/** The address without what only counts its readers; as it was given if there is nothing of the kind. */
export function withoutTracking(address: string): string {
  const [, before = "", query, fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address) ?? [];
  if (query === undefined) return address;
  const kept = query.split("&").filter((pair) => !isTracking(pair));
  if (kept.length === query.split("&").length) return address;
  return before + (kept.length > 0 ? `?${kept.join("&")}` : "") + fragment;
}

function isTracking(pair: string): boolean {
  const [name = "", value = ""] = pair.split("=", 2);
  return TRACKING.test(name) || (MAYBE_TRACKING.test(name) && /rss|feed|atom/i.test(value));
}

/** What addresses of the same page have in common, however they are written; undefined when it is none. */
export function pageOf(address: string): string | undefined {
  const text = withoutTracking(address.trim());
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { host, pathname, search } = new URL(text);
  const path = pathname.replace(/\/(?:index\.(?:html?|php))?$/i, "").replaceAll(/\/{2,}/g, "/");
  const query = search.slice(1).split("&").filter(Boolean).toSorted().join("&");
  return `${withoutWww(host)}${path}${query === "" ? "" : `?${query}`}`;
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, "").replace(/:(?:80|443)$/, "").replace(/\.$/, "");
}

/** How the page of an address may be written elsewhere, to be looked for. */
export function spellingsOf(address: string): string[] {
  const plain = withoutTracking(address.trim());
  const [bare = ""] = plain.split("#", 1);
  const [, host = "", rest = ""] = /^https?:\/\/(?:www\.)?([^/?#]+)(.*)$/is.exec(bare) ?? [];
  if (host === "") return [address];
  const [, path = "", query = ""] = /^([^?]*)(\?.*)?$/s.exec(rest) ?? [];
  const paths = [path.replace(/\/$/, ""), `${path.replace(/\/$/, "")}/`];
  const origins = ["http://", "https://", "http://www.", "https://www."].map((start) => start + host);
  const spellings = origins.flatMap((origin) => paths.map((each) => origin + each + query));
  return [...new Set([address, plain, ...spellings])];
}
