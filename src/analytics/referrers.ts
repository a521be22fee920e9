import { parseUrl } from "../text/urls.ts";

const MAX_LENGTH = 253;

/** Hosts whose views of one article on one day are told apart; anybody can make names up. */
export const MAX_HOSTS = 50;

/** Stands for all hosts beyond those, in answers and records too; none has a space in its name. */
export const OTHER_HOSTS = "other hosts";

/** The host of an address, or of what is only a host; undefined when it is neither. */
export function hostOf(referrer: string): string | undefined {
  // Most readers send none, and failing to parse costs more than the rest of counting a view.
  if (referrer === "") return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(referrer) ? referrer : `http://${referrer}`;
  const host = parseUrl(address)?.hostname.toLowerCase().replace(/\.$/, "") ?? "";
  return host === "" || host.length > MAX_LENGTH ? undefined : host;
}
