import { parseUrl } from "../../platform/text/urls.ts";

const MAX_LENGTH = 253;

/** Clients can make up hosts, so only the first ones of an article and day are kept. */
export const MAX_HOSTS = 50;

/** Stands for all other hosts; no host can have this name. */
export const OTHER_HOSTS = "other hosts";

export function hostOf(referrer: string): string | undefined {
  // Failing to parse costs more than the rest of counting a view.
  if (referrer === "") return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(referrer) ? referrer : `http://${referrer}`;
  const host = parseUrl(address)?.hostname.toLowerCase().replace(/\.$/, "") ?? "";
  return host === "" || host.length > MAX_LENGTH ? undefined : host;
}
