import { parseUrl } from "../text/urls.ts";
const TRACKING =
  /^(?:utm_\w+|(?:fb|g|d|y|tt|ms|tw|gad_)clid|gbraid|wbraid|igshid|igsh|mc_[ce]id|_hs(?:enc|mi)|mkt_tok|vero_id|[mp]k_\w+|mtm_\w+|xtor|ncid|cmpid)$/i;
/** Parameters that track only where their value names a feed. */
const PERHAPS_TRACKING = /^(?:ref|source|src|from|via|campaign|medium)$/i;

/** An address without tracking parameters; byte for byte as given if it has none. */
export function withoutTracking(address: string): string {
  const [, before = "", query, fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address) ?? [];
  const pairs = query?.split("&") ?? [];
  const kept = pairs.filter((pair) => !isTracking(pair));
  const isCounted = isTracking(fragment.slice(1).split("&", 1)[0] ?? "");
  if (kept.length === pairs.length && !isCounted) return address;
  return before + (kept.length > 0 ? `?${kept.join("&")}` : "") + (isCounted ? "" : fragment);
}

function isTracking(pair: string): boolean {
  const [name = "", value = ""] = pair.split("=", 2);
  return TRACKING.test(name) || (PERHAPS_TRACKING.test(name) && /rss|feed|atom/i.test(value));
}

/**
 * One form for all spellings of a page's address; undefined for another text. A fragment stays: some sites have all
 * their posts on one page.
 */
export function pageAddress(address: string): string | undefined {
  const text = withoutTracking(address.trim());
  const url = /^https?:\/\//i.test(text) ? parseUrl(text) : undefined;
  if (!url) return undefined;
  const { hostname, port, pathname, search, hash } = url;
  const path = pathname.replace(/\/(?:index\.(?:html?|php))?$/i, "");
  const pairs = search.slice(1).split("&").filter(Boolean);
  const query = pairs.length === 0 ? "" : `?${pairs.toSorted().join("&")}`;
  const host = hostname.replace(/^www\./, "").replace(/\.$/, "");
  return `${host}${["", "80", "443"].includes(port) ? "" : `:${port}`}${path}${query}${hash}`;
}

/** Spellings of a page's address, to look it up. */
export function spellingsOf(address: string): string[] {
  const plain = withoutTracking(address.trim());
  const [, host = "", path = "", rest = ""] =
    /^https?:\/\/(?:www\.)?([^/?#]+)([^?#]*)(.*)$/is.exec(plain) ?? [];
  if (host === "") return [address];
  const stem = path.replace(/\/$/, "");
  const spellings = ["http://", "https://", "http://www.", "https://www."].flatMap((start) => [
    `${start}${host}${stem}${rest}`,
    `${start}${host}${stem}/${rest}`,
  ]);
  return [...new Set([address, plain, ...spellings])];
}
